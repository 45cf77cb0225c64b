"""All texts of the board, in every language.

    phrases = load("fr_CA")
    phrases.prompt(snapshot)            # "Rouge : OK/CONTESTER"
    phrases.said(view)                  # ("Bleu +3 : suite",)

The pages, the screen, the voice, the papers and the commands ask for words here. The game and the table speak in codes
and values, never in text. Every text is in the catalogues (`*.po`), under a stable code (`ask.lead`), so English is a
translation like any other. One module words a thing in every style: for the screen, the voice, the audit of a record
and the pages.

    verdicts          a claim that was judged or ruled
    events            anything else that happened
    count_in_words    a count, and the combinations in it
    count_judge       the answer of the count judge
    prompts           who must do what now
    menu              the lines of the menu, and what OK does on each
    refusals          a press that did nothing, a part that went wrong

`act_lines` picks the lines of an act for the screen, `audit` those of a record; `words` fills phrases in. The words
are those of the rules reference, section 6. A line of the screen has 21 characters at most, whatever fills it (7.19).
"""

from cribd.languages import languages
from cribd.text.act_lines import CountLines
from cribd.text.catalogue import CatalogueError, texts
from cribd.text.lines import LINE
from cribd.text.phrases import Phrases, in_every_language, load, load_all

__all__ = [
    "LINE",
    "CatalogueError",
    "CountLines",
    "Phrases",
    "in_every_language",
    "languages",
    "load",
    "load_all",
    "texts",
]
