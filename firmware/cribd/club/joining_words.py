"""The two words that are compared when a board joins.

The words are written alike in French and in English, so that each screen shows the same. No two begin alike, and none
is an answer, a key or a word of the game. Two of 256 words are 16 bits: whoever sits between board and hub guesses both
once in 65,536 tries, and has one try for each confirmation (`cribd.club.joining`).
"""

from __future__ import annotations

_TEXT = """
action album animal article avenue ballet banjo barbecue biscuit bison blazer bonbon bonus boomerang
boulevard boutique bracelet bravo brioche bronze budget bulletin bungalow cabaret cabriolet cactus canal
caramel caribou carton cascade casino catalogue cavalier chalet champion chance chrome clown cobra cocktail
collage concept condor confetti continent cornet corridor costume cousin coyote crayon croissant croquet
cuisine culture cycle dahlia dessert dimension disco distance domino duplex duvet encore ensemble entourage
escapade espresso fanfare festival figurine film flamenco fondue formation fragment fruit fusion garage
gaucho gazelle globe golf gourmet hamster harmonica hibiscus hobby hockey horizon humus iceberg igloo image
invention iris isolation jaguar jazz jersey journal judo jungle kayak kimono kiwi koala lasagne latitude
limousine logo lunch lynx macaron maestro magenta magnolia marathon margarine marine massage maximum melon
mimosa mission mobile motel moustache muffin muscle mustang nature nectar nocturne nougat oasis octave olive
omelette opossum oracle origami ozone palace palette panama paprika papyrus parasol parking pastel patio
pause peloton pergola pesto phrase piano pigeon pirouette pivot pizza plateau poncho portrait prairie prince
promenade pudding puma puzzle python quartz quiche quinoa radar raisin ravioli rectangle refrain refuge
risotto robot roulette route rugby safari salsa sandwich sangria satellite saxophone science scooter signal
siphon slalom slogan soda sombrero soprano souvenir spaghetti spectacle sphinx sport squash station steak
studio surface surprise tableau talent tandem tapioca tarot taxi tennis tequila texture thermos ticket
tiramisu toast toboggan torrent toucan tramway transport triangle tribune trombone tunnel turban turquoise
tutu tweed valise vibration vignette villa violet volume voyage wagon wapiti whisky xylophone yacht zeppelin
zigzag zircon zoom
"""
WORDS = tuple(_TEXT.split())


def words_of_hash(digest: bytes) -> tuple[str, str]:
    """Return the words for the first two bytes of a hash."""
    return WORDS[digest[0]], WORDS[digest[1]]
