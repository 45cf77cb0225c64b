"""Every command of docs/install.md is typed by `make pi-vm` in a system that boots, or is listed there as not typed."""

from __future__ import annotations

import ast
import re

from tests.support.places import ROOT

MANUAL = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
HEADING = "### Commands that `make pi-vm` does not type"
COMMAND = re.compile(r"(sudo |make (?!pi-vm)|cribboard |\.venv/bin/cribboard |journalctl |sha256sum |git )")


def commands(text: str) -> set[str]:
    """What a reader types: the lines of each block of shell, with their continuations, and the code that begins so."""
    typed = set()
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        typed |= {" ".join(line.split()) for line in block.replace("\\\n", " ").splitlines()}
    prose = re.sub(r"^```sh\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return typed | {code for code in re.findall(r"`([^`\n]+)`", prose) if COMMAND.match(code)}


def typed_by_the_try() -> set[str]:
    """The texts in `tools/pi_vm`, but for those that say what a module, class or function does."""
    texts = set()
    for file in (ROOT / "tools" / "pi_vm").glob("*.py"):
        nodes = [*ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
        said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        constants = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in said]
        texts |= {node.value for node in constants if isinstance(node.value, str)}
    return texts


def is_typed(command: str, texts: set[str]) -> bool:
    whole = re.compile(rf"(?<![\w-]){re.escape(command)}(?![\w-])(?! --)")
    return any(whole.search(text) for text in texts)


def test_each_command_of_the_manual_is_typed_or_listed_as_not_typed() -> None:
    manual, _, listed = MANUAL.partition(HEADING)
    not_typed = commands(listed.partition("\n## ")[0])
    there, texts = commands(manual), typed_by_the_try()
    assert len(there) > 20
    missing = {command for command in there - not_typed if not is_typed(command, texts)}
    assert not missing
    assert not {command for command in not_typed if is_typed(command, texts)}
    assert not not_typed - there, "listed, but no command of the manual"


def test_a_command_counts_as_typed_only_as_a_whole() -> None:
    assert commands("```sh\nsudo a \\\n    --b\n```\n`cribboard c` and `other`") == {"sudo a --b", "cribboard c"}
    assert is_typed("sudo cribboard backup", {"x && sudo cribboard backup"})
    assert not is_typed("sudo cribboard backup", {"sudo cribboard backups", "sudo cribboard backup --x"})
