"""The tables of a document in Markdown."""

from __future__ import annotations


def rows(document: str, heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without its head."""
    below = document.partition(f"### {heading}\n")[2].partition("\n### ")[0]
    lines = [line for line in below.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
