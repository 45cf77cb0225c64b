"""Exports of a competition or season, to print or to keep.

    out = Printout(heading=competition.heading, view=competition.organiser, words=load("fr_CA"), language="fr_CA")
    print_sheet("slips", out)           # an HTML document, for a browser to print
    export("standings.csv", out)        # the bytes of a file

The organiser's desk and `cribboard event` call it. Everything is made of a view, so that nothing sealed is shown
(design law 10). Knows nothing of HTTP and writes no file.
"""

from cribd.paper.printout import NothingToPrint, Printout
from cribd.paper.season_sheet import SeasonPrintout, season_csv, season_sheet
from cribd.paper.sheets import EXPORTS, SHEETS, export, file_name, print_sheet

__all__ = [
    "EXPORTS",
    "SHEETS",
    "NothingToPrint",
    "Printout",
    "SeasonPrintout",
    "export",
    "file_name",
    "print_sheet",
    "season_csv",
    "season_sheet",
]
