"""What the board says, in each language that has a catalogue here: English and Québec French.

    phrases = load("fr_CA")
    phrases.ask(showing)                # "Rouge : OK/CONTESTER"
    phrases.said(view)                  # ("Bleu +3 : suite",)

The game and the table speak in codes and values, never in text; every text is in the catalogues, under a stable code
(`ask.lead`). So English is a translation like any other, a wording can be bettered without touching another language,
and a code that a catalogue lacks fails a test. A new language is one new file beside the others.

The words are the table's own (rules reference, section 6). A line is 21 characters at most, whatever fills it (7.19).
"""

from cribd.languages import languages
from cribd.text.catalogue import CatalogueError
from cribd.text.phrases import LINE, Coached, Phrases, load, texts

__all__ = ["LINE", "CatalogueError", "Coached", "Phrases", "languages", "load", "texts"]
