"""The changes that an installation makes to a machine.

Each change can be described, is made only where it is not done yet, and can be undone. The manifest, the list of the
changes made, is written before each change: after a power cut it names at least what was done. So an uninstallation
undoes exactly this, in reverse, and leaves all that others wrote. A later change replaces one of the same key.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from cribboard.validation import Message
from cribd.install.machine import InstallRefused, Machine

#: The list of the changes made on this machine. It is outside the state folder, which may be on a stick.
MANIFEST = "/var/lib/cribboard-install.json"
BEGIN = "# Cribboard: begin (written by its installation; `make uninstall` removes this block)"
END = "# Cribboard: end"

#: What was there before a change, as JSON.
Before: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class File:
    """A change that writes a whole file.

    `then` makes the change effective. With `owners` the file is never overwritten, and only a purge removes it."""

    path: str
    text: str
    mode: int = 0o644
    then: tuple[str, ...] = ()
    owners: bool = False

    @property
    def key(self) -> str:
        """The key of this change in the manifest."""
        return f"file {self.path}"

    def describe(self) -> Message:
        """Describe this change in one line."""
        return Message("install.does.file", "write {path}", path=self.path)

    def is_done(self, machine: Machine) -> bool:
        """Whether the machine already has this change."""
        there = machine.read(self.path)
        return there is not None if self.owners else there == self.text

    def before(self, machine: Machine) -> Before:
        """Return what `undo` needs: the present text, and the missing folders."""
        missing = []
        folder = machine.path(self.path).parent
        while not folder.exists():
            missing.append(f"/{folder.relative_to(machine.root)}")
            folder = folder.parent
        return {"text": machine.read(self.path), "folders": missing}

    def apply(self, machine: Machine) -> None:
        machine.path(self.path).parent.mkdir(parents=True, exist_ok=True)
        machine.write(self.path, self.text, self.mode)

    def undo(self, machine: Machine, before: Before) -> None:
        """Restore the earlier text, or delete a new file.

        A file that was changed since then stays as it is; with `owners` it is restored or deleted too."""
        if (there := machine.read(self.path)) is not None:
            if there != self.text and not self.owners:
                return
            if before["text"] is None:
                machine.path(self.path).unlink()
            else:
                machine.write(self.path, before["text"])
        with contextlib.suppress(OSError):
            for folder in before["folders"]:
                machine.path(folder).rmdir()


@dataclass(frozen=True, slots=True)
class Block:
    """A change that adds marked lines to another program's file."""

    path: str
    lines: tuple[str, ...]
    then: tuple[str, ...] = ()
    owners = False

    @property
    def key(self) -> str:
        """The key of this change in the manifest."""
        return f"block {self.path}"

    @property
    def _block(self) -> str:
        return "".join(f"{line}\n" for line in (BEGIN, *self.lines, END))

    def describe(self) -> Message:
        """Describe this change in one line."""
        return Message("install.does.block", "add to {path}: {lines}", path=self.path, lines=" · ".join(self.lines))

    def is_done(self, machine: Machine) -> bool:
        """Whether the machine already has this change."""
        return self._block in (machine.read(self.path) or "")

    def before(self, machine: Machine) -> Before:
        """Return what `undo` needs.

        `block` is the text of the file if a block is in it already, else "". `open` tells whether the rest of the text
        lacks a line end."""
        text = machine.read(self.path) or ""
        rest = without_block(text)
        return {"block": "" if rest == text else text, "open": bool(rest) and not rest.endswith("\n")}

    def apply(self, machine: Machine) -> None:
        text = without_block(machine.read(self.path) or "")
        machine.write(self.path, text + "\n" * (bool(text) and not text.endswith("\n")) + self._block)

    def undo(self, machine: Machine, before: Before) -> None:
        """Remove the block, or restore the earlier block."""
        text = machine.read(self.path)
        if text is None or (rest := without_block(text)) == text:
            return
        if before["block"]:
            machine.write(self.path, rest + _block_in(before["block"]))
        else:
            machine.write(self.path, rest.removesuffix("\n") if before["open"] and text.endswith(END + "\n") else rest)


@dataclass(frozen=True, slots=True)
class WordsOut:
    """A change that removes words from the kernel's command line."""

    path: str
    words: tuple[str, ...]
    then: tuple[str, ...] = ()
    owners = False

    @property
    def key(self) -> str:
        """The key of this change in the manifest."""
        return f"words {self.path}"

    def describe(self) -> Message:
        """Describe this change in one line."""
        return Message("install.does.words", "take out of {path}: {words}", path=self.path, words=" ".join(self.words))

    def is_done(self, machine: Machine) -> bool:
        """Whether the machine already has this change."""
        return not set(self.words) & set((machine.read(self.path) or "").split())

    def before(self, machine: Machine) -> Before:
        """Return what `undo` needs: the text of the file, or None."""
        return machine.read(self.path)

    def apply(self, machine: Machine) -> None:
        machine.write(self.path, self._without(machine.read(self.path) or ""))

    def undo(self, machine: Machine, before: Before) -> None:
        """Put the removed words back into the line.

        If the text has changed since then, put the missing words at its beginning."""
        text = machine.read(self.path)
        if text is None or before is None:
            return
        if text == self._without(before):
            machine.write(self.path, before)
        elif missing := [word for word in self.words if word not in text.split()]:
            machine.write(self.path, " ".join((*missing, text)))

    def _without(self, text: str) -> str:
        end = "\n" if text.endswith("\n") else ""
        return " ".join(word for word in text.split() if word not in self.words) + end


@dataclass(frozen=True, slots=True)
class Command:
    """A change that is made by running a program.

    `done` checks whether the change is made, `back` undoes it. With `owners` only a purge undoes it."""

    do: tuple[str, ...]
    done: tuple[str, ...]
    back: tuple[str, ...] = ()
    owners: bool = False
    then: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key of this change in the manifest."""
        return f"command {' '.join(self.do)}"

    def describe(self) -> Message:
        """Describe this change in one line."""
        return Message("install.does.command", "run {command}", command=" ".join(self.do))

    def is_done(self, machine: Machine) -> bool:
        """Whether the machine already has this change."""
        return machine.run(*self.done).returncode == 0

    def before(self, machine: Machine) -> Before:
        """Return None, because `undo` needs nothing."""
        return None

    def apply(self, machine: Machine) -> None:
        """Make the change. Raises `InstallRefused`."""
        machine.must(*self.do)

    def undo(self, machine: Machine, before: Before) -> None:
        """Run the command `back`, if any, to undo the change."""
        if self.back and self.is_done(machine):
            machine.run(*self.back)


@dataclass(frozen=True, slots=True)
class Link:
    """A change that makes a symbolic link from `path` to `to`."""

    path: str
    to: str
    then: tuple[str, ...] = ()
    owners = False

    @property
    def key(self) -> str:
        """The key of this change in the manifest."""
        return f"link {self.path}"

    def describe(self) -> Message:
        """Describe this change in one line."""
        return Message("install.does.link", "link {path} to {to}", path=self.path, to=self.to)

    def is_done(self, machine: Machine) -> bool:
        """Whether the machine already has this change, or an ordinary file at `path`."""
        path = machine.path(self.path)
        return os.readlink(path) == self.to if path.is_symlink() else path.exists()

    def before(self, machine: Machine) -> Before:
        """Return what `undo` needs: the link's present target, or None."""
        path = machine.path(self.path)
        return os.readlink(path) if path.is_symlink() else None

    def apply(self, machine: Machine) -> None:
        machine.path(self.path).parent.mkdir(parents=True, exist_ok=True)
        machine.link(self.path, self.to)

    def undo(self, machine: Machine, before: Before) -> None:
        """Remove or restore the link, unless somebody has changed it since."""
        path = machine.path(self.path)
        if path.is_symlink() and os.readlink(path) == self.to:
            if before is None:
                path.unlink()
            else:
                machine.link(self.path, before)


Change: TypeAlias = File | Block | WordsOut | Command | Link
_KINDS = {kind.__name__: kind for kind in (File, Block, WordsOut, Command, Link)}


@dataclass(frozen=True, slots=True)
class AppliedChange:
    """A change that was made, with the earlier state for `undo`."""

    change: Change
    before: Before


def without_block(text: str) -> str:
    """Return the text without the block of this installation.

    A block without its end mark goes to the end of the text."""
    head, begin, rest = text.partition(BEGIN + "\n")
    return head + rest.partition(END + "\n")[2] if begin else text


def _block_in(text: str) -> str:
    """Return the marked block that an installation added to the text."""
    return BEGIN + text.partition(BEGIN)[2].partition(END + "\n")[0] + END + "\n"


def read_manifest(machine: Machine) -> list[AppliedChange]:
    """Read the changes made on this machine. Raises `InstallRefused` if the manifest is damaged."""
    text = machine.read(MANIFEST)
    if text is None:
        return []
    try:
        return [AppliedChange(_change(dict(entry["change"])), entry["before"]) for entry in json.loads(text)]
    except (ValueError, TypeError, KeyError) as wrong:
        damaged = Message(
            "install.manifest",
            "{file} is damaged, so it is not known what was installed: {why}. Move it away to install anew.",
            file=MANIFEST,
            why=repr(wrong),
        )
        raise InstallRefused(damaged) from wrong


def _change(entry: dict[str, Any]) -> Change:
    kind: Callable[..., Change] = _KINDS[entry.pop("kind")]
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
    return kind(**values)


def _write_manifest(machine: Machine, made: Sequence[AppliedChange]) -> None:
    if not made:
        machine.path(MANIFEST).unlink(missing_ok=True)
        return
    entries = [
        {"change": {"kind": type(applied.change).__name__} | asdict(applied.change), "before": applied.before}
        for applied in made
    ]
    machine.path(MANIFEST).parent.mkdir(parents=True, exist_ok=True)
    machine.write(MANIFEST, json.dumps(entries, indent=1) + "\n", 0o600)


def pending(machine: Machine, plan: Iterable[Change]) -> list[Change]:
    """Return the changes of the plan that are not done yet."""
    return [change for change in plan if not change.is_done(machine)]


@dataclass(frozen=True, slots=True)
class InstallRun:
    """The changes of one `apply_changes()` call, and the earlier manifest."""

    made: tuple[AppliedChange, ...]
    manifest: tuple[AppliedChange, ...]


def apply_changes(machine: Machine, plan: Sequence[Change]) -> InstallRun:
    """Make the changes of the plan that are not done yet.

    If a change fails, undoes all changes of this call. Raises `InstallRefused`, OSError."""
    earlier = tuple(read_manifest(machine))
    manifest = {applied.change.key: applied for applied in earlier}
    now: list[AppliedChange] = []
    try:
        for change in pending(machine, plan):
            made = AppliedChange(change, change.before(machine))
            now.append(made)
            # What was there before the first installation is what an uninstallation restores.
            first = manifest.get(change.key, made)
            manifest[change.key] = AppliedChange(change, first.before)
            _write_manifest(machine, [*manifest.values()])
            change.apply(machine)
        _make_effective(machine, [applied.change for applied in now])
    except BaseException:
        undo_run(machine, InstallRun(tuple(now), earlier))
        raise
    return InstallRun(tuple(now), earlier)


def undo_run(machine: Machine, run: InstallRun) -> None:
    """Undo the changes of one run, in reverse."""
    for applied in reversed(run.made):
        applied.change.undo(machine, applied.before)
    _make_effective(machine, [applied.change for applied in run.made])
    if run.made:
        _write_manifest(machine, run.manifest)


def undo_left_over(machine: Machine, plan: Sequence[Change]) -> None:
    """Undo earlier changes that are not in this plan.

    Changes with `owners` stay."""
    wanted = {change.key for change in plan}
    manifest = read_manifest(machine)
    left = [applied for applied in manifest if applied.change.key not in wanted and not applied.change.owners]
    for applied in reversed(left):
        applied.change.undo(machine, applied.before)
    _make_effective(machine, [applied.change for applied in left])
    if left:
        _write_manifest(machine, [applied for applied in manifest if applied not in left])


def uninstall(machine: Machine, *, purge: bool) -> list[AppliedChange]:
    """Undo the changes of all installations.

    Changes with `owners` stay unless `purge`. Returns the changes that stay."""
    manifest = read_manifest(machine)
    going = [applied for applied in manifest if purge or not applied.change.owners]
    for applied in reversed(going):
        applied.change.undo(machine, applied.before)
        manifest.remove(applied)
        _write_manifest(machine, manifest)
    _make_effective(machine, [applied.change for applied in going])
    return manifest


def _make_effective(machine: Machine, changes: Iterable[Change]) -> None:
    """Run each command that makes these changes effective. Ignores failures."""
    for command in dict.fromkeys(change.then for change in changes if change.then):
        machine.run(*command)
