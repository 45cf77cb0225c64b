"""What axe-core has to say against a page: the rules of WCAG 2.2, A and AA, and its own best practice."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
#: What axe has to say, or null where the page has no axe yet. It looks only where something is new: an element that is
#: seen and differs from all that axe has seen in this window, in what a rule asks for. That is its tag, its attributes
#: but for numbers and for what they say in words, whether it has text, and in what it stands. The drawn board has a
#: thousand elements of a few kinds; from phase to phase the pegs move. While no element in it is of a new kind, the
#: drawing is empty until axe has looked. None of these rules needs what axe would load before: style sheets and sounds.
LOOK = """async (tags) => {
  if (!('axe' in window)) return null;
  const known = (window.examined ??= {})[innerWidth] ??= new Set();
  const isNew = (kind) => !known.has(kind) && Boolean(known.add(kind));
  const drawing = document.querySelector('#board svg');
  const said = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'placeholder', 'data-card'];
  const kind = (node) => {
    const bare = node.cloneNode(false);
    bare.removeAttribute('style');
    for (const name of said) if (node.getAttribute(name)) bare.setAttribute(name, '…');
    return bare.outerHTML.replace(/[\\d.]+/g, '');
  };
  const hasText = (node) => [...node.childNodes].some((each) => each.nodeType === Node.TEXT_NODE && each.data.trim());
  let fresh = false;
  const look = (node, within) => {
    if (node === drawing || !node.checkVisibility({ visibilityProperty: true })) return;
    const own = kind(node);
    if (isNew(`${within}${own}${hasText(node)}`)) fresh = true;
    for (const child of node.children) look(child, own);
  };
  look(document.documentElement, '');
  const drawn = [...drawing?.querySelectorAll('*') ?? []].map(kind).filter(isNew);
  if (!fresh && drawn.length === 0) return [];
  const leftOut = drawn.length === 0 ? [...drawing?.childNodes ?? []] : [];
  for (const node of leftOut) node.remove();
  const wanted = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'], preload: false };
  const { violations } = await axe.run(wanted);
  drawing?.prepend(...leftOut);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id} (${help}): ${html.slice(0, 160)}`));
}"""


async def found(page: Page, where: str) -> list[str]:
    """What axe has to say against a page."""
    payload: list[str] | None = await page.evaluate(LOOK, list(RULES))
    if payload is None:
        await page.evaluate(AXE_SCRIPT)
        payload = await page.evaluate(LOOK, list(RULES))
        assert payload is not None
    return [f"{where}: {broken}" for broken in payload]
