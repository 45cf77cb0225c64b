"""A simulated disk for SQLite: full, read-only or slow.

The faults are `disk-full`, `read-only` and `slow-fsync`. SQLite reaches its files through a table of functions, its
VFS. Python cannot write one, but ctypes can copy the table of the default one and put its copy in front; then every
file that this process opens by `sqlite3` is reached through it. A fault replaces single functions by ones that answer
as SQLite's own do when the system refuses. So the code of the journal runs unchanged, and meets SQLite's errors where a
real disk would cause them.

What was weighed: a limit of the process (RLIMIT_FSIZE) fails with another error and for every file; `max_page_count`
stops the database, not the log that takes the writes; `chmod` changes nothing for a file that is open; a mount needs
root. `tests/device/storage/test_failing_disks.py` compares with disks that are really full or read-only.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import sqlite3
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int64, c_void_p, cast
from functools import cache

from cribd.clock import Clock

_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)
_FileSize = CFUNCTYPE(c_int, c_void_p, POINTER(c_int64))
_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))

_READ_ONLY, _READ_WRITE, _CREATE = 1, 2, 4


class _Methods(ctypes.Structure):
    """The C structure `sqlite3_io_methods`: the functions of one file."""

    _fields_ = (
        ("version", c_int),
        *((name, c_void_p) for name in ("close", "read", "write", "truncate", "sync", "file_size", "lock", "unlock")),
        *((name, c_void_p) for name in ("check_lock", "file_control", "sector_size", "device_characteristics")),
        *((name, c_void_p) for name in ("shm_map", "shm_lock", "shm_barrier", "shm_unmap", "fetch", "unfetch")),
    )


class _Vfs(ctypes.Structure):
    """The C structure `sqlite3_vfs`: the functions of a file system."""

    _fields_ = (
        *((name, c_int) for name in ("version", "file_size", "longest_path")),
        ("next", c_void_p),
        ("name", c_char_p),
        *((name, c_void_p) for name in ("data", "open")),
        ("others", c_void_p * 15),
    )


class Disk:
    """The simulated disk of this process, for `sqlite3`. Raises OSError if ctypes finds no SQLite.

    It changes nothing until a fault is made. It serves only the files that are opened after it was made. Its functions
    are never freed: SQLite may be in one when the fault ends.
    """

    def __init__(self) -> None:
        library = ctypes.CDLL(_sqlite3.__file__)  # finds what is in SQLite's own library too
        try:
            find, register = library.sqlite3_vfs_find, library.sqlite3_vfs_register
        except AttributeError as missing:
            raise OSError(str(missing)) from missing
        find.restype = POINTER(_Vfs)
        self._below = find(None)
        self._open_below = cast(self._below.contents.open, _Open)
        self._vfs = _Vfs.from_buffer_copy(self._below.contents)
        self._open = _Open(self._open_file)
        self._vfs.name, self._vfs.next, self._vfs.open = b"cribboard-twin", None, _address(self._open)
        self._kinds: dict[int, tuple[_Methods, _Methods]] = {}  # by the address of SQLite's functions: those, and ours
        self._write_if_room = _Write(self._write)
        self._refuse_write = _Write(lambda *_: sqlite3.SQLITE_IOERR_WRITE)
        self._refuse_truncate = _Truncate(lambda *_: sqlite3.SQLITE_IOERR_TRUNCATE)
        self._sync_late = _Sync(self._sync)
        self._is_full = self._is_read_only = False
        self._slow: tuple[float, Clock] | None = None
        register(byref(self._vfs), 1)

    def fill(self, *, full: bool) -> None:
        """Set whether the disk is full."""
        self._is_full = full
        self._replace_all()

    def forbid_writes(self, *, read_only: bool) -> None:
        """Set whether the disk is read-only."""
        self._is_read_only = read_only
        self._replace_all()

    def slow_down(self, slow: tuple[float, Clock] | None) -> None:
        """Delay each `fsync` by these seconds; None ends the delay."""
        self._slow = slow
        self._replace_all()

    def _replace_all(self) -> None:
        for original, ours in self._kinds.values():
            self._replace(original, ours)

    def _replace(self, original: _Methods, ours: _Methods) -> None:
        write = self._refuse_write if self._is_read_only else self._write_if_room if self._is_full else None
        ours.write = _address(write) if write else original.write
        ours.truncate = _address(self._refuse_truncate) if self._is_read_only else original.truncate
        ours.sync = _address(self._sync_late) if self._slow else original.sync

    def _open_file(self, _vfs: int, path: int, file: int, flags: int, out: object) -> int:
        """Open a file, and replace its table of functions."""
        if self._is_read_only:
            flags = flags & ~(_READ_WRITE | _CREATE) | _READ_ONLY
        result = int(self._open_below(cast(self._below, c_void_p), path, file, flags, out))
        methods = cast(file, POINTER(c_void_p))
        address = methods[0]
        if address:  # else it could not be opened
            if address not in self._kinds:
                original = _Methods.from_address(address)
                self._kinds[address] = original, _Methods.from_buffer_copy(original)
                self._replace(*self._kinds[address])
            methods[0] = ctypes.addressof(self._kinds[address][1])
        return result

    def _original(self, file: int) -> _Methods:
        address = cast(file, POINTER(c_void_p))[0]
        return next(original for original, ours in self._kinds.values() if ctypes.addressof(ours) == address)

    def _write(self, file: int, data: int, length: int, offset: int) -> int:
        original, size = self._original(file), c_int64()
        unknown = cast(original.file_size, _FileSize)(file, byref(size))
        if unknown or offset + length > size.value:
            return sqlite3.SQLITE_FULL
        return int(cast(original.write, _Write)(file, data, length, offset))

    def _sync(self, file: int, flags: int) -> int:
        if self._slow is not None:
            seconds, clock = self._slow
            clock.wait(seconds)
        return int(cast(self._original(file).sync, _Sync)(file, flags))


def _address(function: object) -> int | None:
    return cast(function, c_void_p).value  # type: ignore[arg-type]


@cache
def disk() -> Disk:
    """Return the simulated disk of this process. Raises OSError if ctypes finds no SQLite.

    There is only one, because SQLite has only one list of file systems."""
    return Disk()
