"""Maximum matching, against every matching of small graphs."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard.competition.matching import UNMATCHED, dispensable, maximum_matching

Edges = frozenset[tuple[int, int]]


def graph(vertices: int, edges: Edges) -> list[list[int]]:
    return [[b if a == v else a for a, b in sorted(edges) if v in (a, b)] for v in range(vertices)]


def most_pairs(vertices: frozenset[int], edges: Edges) -> int:
    """The most pairs, by trying everything."""
    if not vertices:
        return 0
    first, *_ = vertices
    rest = vertices - {first}
    pairs = (most_pairs(rest - {v}, edges) + 1 for v in rest if (min(first, v), max(first, v)) in edges)
    return max([most_pairs(rest, edges), *pairs])


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    vertices = draw(st.integers(1, 8))
    every = list(combinations(range(vertices), 2))
    edges = draw(st.sets(st.sampled_from(every))) if every else set()
    return vertices, frozenset(edges)


@given(graphs())
def test_a_maximum_matching_has_as_many_pairs_as_any(case: tuple[int, Edges]) -> None:
    vertices, edges = case
    mates = maximum_matching(graph(vertices, edges))
    pairs = {(v, mate) for v, mate in enumerate(mates) if mate != UNMATCHED}
    assert all((b, a) in pairs for a, b in pairs)
    assert {(a, b) for a, b in pairs if a < b} <= edges
    assert len(pairs) == 2 * most_pairs(frozenset(range(vertices)), edges)


@given(graphs())
def test_a_vertex_is_dispensable_if_without_it_there_are_as_many_pairs(case: tuple[int, Edges]) -> None:
    vertices, edges = case
    everyone = frozenset(range(vertices))
    found = dispensable(graph(vertices, edges), maximum_matching(graph(vertices, edges)))
    most = most_pairs(everyone, edges)
    assert found == {v for v in everyone if most_pairs(everyone - {v}, edges) == most}


def test_a_vertex_that_has_a_mate_keeps_one() -> None:
    assert maximum_matching([[1], [0, 2], [1]], [UNMATCHED, 2, 1]) == [UNMATCHED, 2, 1]
    path = maximum_matching([[1], [0, 2], [1, 3], [2]], [UNMATCHED, 2, 1, UNMATCHED])
    assert path == [1, 0, 3, 2]


@pytest.mark.parametrize("petals", [3, 5, 7])
def test_an_odd_cycle_on_a_stem_is_matched_through(petals: int) -> None:
    """Alternating paths in two-coloured graphs alone would miss these."""
    cycle = {(i, (i + 1) % petals) for i in range(petals)}
    edges = frozenset((min(e), max(e)) for e in cycle) | {(0, petals), (petals, petals + 1), (petals - 1, petals + 2)}
    vertices = petals + 3
    mates = maximum_matching(graph(vertices, edges))
    assert sum(mate != UNMATCHED for mate in mates) == 2 * most_pairs(frozenset(range(vertices)), edges)
