"""What axe-core has to say against a page: the rules of WCAG 2.2, A and AA, and its own best practice."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
#: What axe has to say, or null where the page has no axe yet. The drawn board has a thousand elements of a few kinds;
#: from phase to phase the pegs move. While no element in it has new attributes but for numbers, the drawing is empty
#: until axe has looked. None of these rules needs what axe would load before: style sheets and sounds.
LOOK = """async (tags) => {
  if (!('axe' in window)) return null;
  const drawing = document.querySelector('#board svg');
  const kind = (node) => node.cloneNode(false).outerHTML.replace(/[\\d.]+/g, '');
  const drawn = [...drawing?.querySelectorAll('*') ?? []].map(kind);
  window.drawn ??= new Set();
  const left_out = drawn.every((each) => window.drawn.has(each)) ? [...drawing?.childNodes ?? []] : [];
  for (const each of drawn) window.drawn.add(each);
  for (const node of left_out) node.remove();
  const wanted = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'], preload: false };
  const { violations } = await axe.run(wanted);
  drawing?.prepend(...left_out);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id} (${help}): ${html.slice(0, 160)}`));
}"""


async def found(page: Page, where: str) -> list[str]:
    """What axe has to say against a page."""
    told: list[str] | None = await page.evaluate(LOOK, list(RULES))
    if told is None:
        await page.evaluate(AXE_SCRIPT)
        told = await page.evaluate(LOOK, list(RULES))
        assert told is not None
    return [f"{where}: {broken}" for broken in told]
