"""Maximum matching in a graph: as many pairs as possible.

The algorithm of Edmonds, "Paths, trees, and flowers" (Canadian Journal of Mathematics 17, 1965). From an unmatched
vertex it follows paths whose edges are in turn outside and inside the matching. A path that ends at another unmatched
vertex makes one pair more when its edges change sides. A cycle of odd length is treated as one vertex, its base.

Vertices are numbers from 0. A matching is a list: the mate of each vertex, or `UNMATCHED`. Time grows with the cube of
the vertices at most, and with the square where the matching that is passed in is nearly complete.
"""

from __future__ import annotations

from collections.abc import Sequence

UNMATCHED = -1

Graph = Sequence[Sequence[int]]  # the neighbours of each vertex


def maximum_matching(graph: Graph, start: Sequence[int] | None = None) -> list[int]:
    """Find a matching with as many pairs as possible.

    A vertex that has a mate in `start` also has a mate in the result."""
    mates = list(start) if start is not None else [UNMATCHED] * len(graph)
    for vertex, neighbours in enumerate(graph):
        if mates[vertex] == UNMATCHED:
            free = next((vertex for vertex in neighbours if mates[vertex] == UNMATCHED), None)
            if free is not None:
                mates[vertex], mates[free] = free, vertex
    for vertex in range(len(graph)):
        if mates[vertex] == UNMATCHED:
            search = _Search(graph, mates, vertex)
            search.run()
            search.augment()
    return mates


def dispensable(graph: Graph, mates: list[int]) -> set[int]:
    """Find the vertices that some maximum matching leaves unmatched.

    `mates` is a maximum matching of `graph`."""
    found: set[int] = set()
    for vertex in range(len(graph)):
        if mates[vertex] == UNMATCHED:
            search = _Search(graph, mates, vertex)
            search.run()
            found.update(vertex for vertex, even in enumerate(search.even) if even)
    return found


class _Search:
    """A search for an augmenting path from one unmatched vertex."""

    def __init__(self, graph: Graph, mates: list[int], root: int) -> None:
        self._graph = graph
        self._mates = mates
        self._root = root
        self._parent = [UNMATCHED] * len(graph)  # the vertex before this one on its path, outside the matching
        self._base = list(range(len(graph)))
        self._end = UNMATCHED
        self.even = [False] * len(graph)  # reached from the root by a path of even length

    def run(self) -> None:
        """Search for a path from the root to another unmatched vertex."""
        mates, parent, base = self._mates, self._parent, self._base
        self.even[self._root] = True
        queue = [self._root]
        for vertex in queue:
            for other in self._graph[vertex]:
                if base[vertex] == base[other] or mates[vertex] == other:
                    continue
                if other == self._root or (mates[other] != UNMATCHED and parent[mates[other]] != UNMATCHED):
                    queue += self._shrink(vertex, other)
                elif parent[other] == UNMATCHED:
                    parent[other] = vertex
                    if mates[other] == UNMATCHED:
                        self._end = other
                        return
                    self.even[mates[other]] = True
                    queue.append(mates[other])

    def augment(self) -> None:
        """Make one more pair along the augmenting path, if there is one."""
        vertex = self._end
        while vertex != UNMATCHED:
            before = self._parent[vertex]
            following = self._mates[before]
            self._mates[vertex], self._mates[before] = before, vertex
            vertex = following

    def _shrink(self, one: int, other: int) -> list[int]:
        """Contract the odd cycle that this edge closes (a blossom).

        The edge joins `one` and `other`. Returns the vertices that are now even."""
        top = self._common_base(one, other)
        cycle: set[int] = set()
        for vertex, across in ((one, other), (other, one)):
            while self._base[vertex] != top:
                mate = self._mates[vertex]
                cycle |= {self._base[vertex], self._base[mate]}
                self._parent[vertex], across = across, mate
                vertex = self._parent[mate]
        fresh = []
        for vertex, base in enumerate(self._base):
            if base in cycle:
                self._base[vertex] = top
                if not self.even[vertex]:
                    self.even[vertex] = True
                    fresh.append(vertex)
        return fresh

    def _common_base(self, one: int, other: int) -> int:
        """Find the base where the paths to both vertices separate."""
        passed: set[int] = set()
        vertex = one
        while True:
            vertex = self._base[vertex]
            passed.add(vertex)
            if self._mates[vertex] == UNMATCHED:
                break
            vertex = self._parent[self._mates[vertex]]
        vertex = self._base[other]
        while vertex not in passed:
            vertex = self._base[self._parent[self._mates[vertex]]]
        return vertex
