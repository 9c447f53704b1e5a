// Waits for an element inside a shadow root. Puppeteer's own wait for `>>> selector` watches the document only, so it
// misses one that comes later than the root's host.

import type { ElementHandle, Page } from 'puppeteer-core';

/** The element of the code editor in the page that a selector names, once it is there. */
export async function inCodeEditor(page: Page, selector: string, timeout = 30_000): Promise<ElementHandle<Element>> {
  const found = await page.waitForFunction(
    (wanted) => {
      const hosts = [...document.querySelectorAll('*')].filter(({ shadowRoot }) => shadowRoot !== null);
      return hosts.map(({ shadowRoot }) => shadowRoot?.querySelector(wanted)).find((one) => one) ?? null;
    },
    { timeout },
    selector,
  );
  return found as ElementHandle<Element>;
}
