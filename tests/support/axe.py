"""What axe-core has to say against a page: the rules of WCAG 2.2, A and AA, and its own best practice."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Page

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
#: The drawn board has a thousand elements of a few kinds; from phase to phase the pegs move. While no element in
#: it has new attributes but for numbers, the drawing is empty until axe has looked.
LOOK = """async (tags) => {
  const drawing = document.querySelector('#board svg');
  const kind = (node) => node.cloneNode(false).outerHTML.replace(/[\\d.]+/g, '');
  const drawn = [...drawing?.querySelectorAll('*') ?? []].map(kind);
  window.drawn ??= new Set();
  const left_out = drawn.every((each) => window.drawn.has(each)) ? [...drawing?.childNodes ?? []] : [];
  for (const each of drawn) window.drawn.add(each);
  for (const node of left_out) node.remove();
  const told = await axe.run({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
  drawing?.prepend(...left_out);
  return told;
}"""


async def found(page: Page, where: str) -> list[str]:
    """What axe has to say against a page."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    told: dict[str, Any] = await page.evaluate(LOOK, list(RULES))
    return [
        f"{where}: {broken['id']} ({broken['help']}): {node['html'][:160]}"
        for broken in told["violations"]
        for node in broken["nodes"]
    ]
