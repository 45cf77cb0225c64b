"""The possible counts at the show (rules reference, 3.23 and A16)."""

from __future__ import annotations

#: The most points of a hand of four cards.
MOST = 29

#: The number that players say for zero, because no hand is worth it.
NINETEEN = 19


def most(size: int, his_nobs: int) -> int:
    """Return a limit that no hand of `size` cards exceeds.

    >>> most(4, his_nobs=1), most(3, his_nobs=1)
    (29, 20)
    """
    return (20 if size == 3 else MOST) + max(0, his_nobs - 1)


def impossible(size: int, his_nobs: int) -> frozenset[int]:
    """Return the impossible counts below the highest possible count.

    Empty if his nobs is worth more than 1, because then none are known.

    >>> sorted(impossible(3, his_nobs=1))
    [16, 17, 18, 19]
    """
    if his_nobs > 1:
        return frozenset()
    return frozenset({16, 17, 18, 19} if size == 3 else {19, 25, 26, 27})
