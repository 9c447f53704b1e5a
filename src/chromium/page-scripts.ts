// What runs inside a captured page, each function on its own: they use nothing but their arguments and the document.

import type { LayerValues } from '#core/resolve/resolve-html.ts';

/** Whether a text is a selector that CSS knows. */
export function isSelector(text: string): boolean {
  try {
    document.createDocumentFragment().querySelector(text);
    return true;
  } catch {
    return false;
  }
}

/** Adds a style sheet that a content security policy of the page does not stop. */
export function addStyle(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Hides what matches, also where the page's own style says in the element that it must be shown. */
export function hide(selectors: readonly string[]): void {
  for (const selector of selectors) {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      element.style.setProperty('display', 'none', 'important');
    }
  }
}

/** Whether an element that can be seen matches. */
export function isShown(selector: string): boolean {
  return [...document.querySelectorAll(selector)].some((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0;
  });
}

/** Where the first match stands on the whole page, CSS px; null when there is none. */
export function boxOf(selector: string): unknown {
  const element = document.querySelector(selector);
  if (element === null) return null;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + window.scrollX, y: top + window.scrollY, width, height };
}

/** Scrolls to the end and back, screen by screen, so that what loads on sight is loaded. */
export async function scrollThrough(maxHeight: number, maxTime: number): Promise<void> {
  const ends = performance.now() + maxTime;
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const root = () => document.scrollingElement ?? document.documentElement;
  for (let y = 0; y < Math.min(root().scrollHeight, maxHeight) && performance.now() < ends; y += window.innerHeight) {
    window.scrollTo({ top: y, behavior: 'instant' });
    await pause(60);
  }
  window.scrollTo({ top: 0, behavior: 'instant' });
  await pause(60);
}

/** Waits for fonts, and for images that have begun to load. */
export async function settle(maxTime: number): Promise<void> {
  const pending = [...document.images].filter((image) => !image.complete);
  const images = pending.map(
    (image) =>
      new Promise<void>((resolve) => {
        image.addEventListener('load', () => resolve(), { once: true });
        image.addEventListener('error', () => resolve(), { once: true });
      }),
  );
  const enough = new Promise<void>((resolve) => setTimeout(resolve, maxTime));
  await Promise.race([Promise.all([...images, document.fonts.ready]), enough]);
}

/**
 * Gives the elements with `data-layer` their values, as text, attributes and CSS values, never as markup. Returns the
 * names of all layers that there are.
 *
 * Elements whose text is code, or a document, are no layers.
 */
export function fillLayers(fills: readonly LayerValues[]): string[] {
  const CODE = /^(script|style|iframe|object|embed|link|meta|base|template|noscript|xmp|plaintext|frame|frameset)$/i;
  const isImage = (element: Element) => /^(img|image)$/i.test(element.localName);
  const setSource = (element: Element, src: string) => {
    element.removeAttribute('srcset');
    element.setAttribute(element.localName === 'image' ? 'href' : 'src', src);
  };
  const layers = [...document.querySelectorAll('[data-layer]')].filter((element) => !CODE.test(element.localName));
  for (const { name, value, text, src, href, style, hidden } of fills) {
    for (const element of layers.filter((each) => each.getAttribute('data-layer') === name)) {
      if (value !== undefined && isImage(element)) setSource(element, value);
      else if (value !== undefined) element.textContent = value;
      if (text !== undefined) element.textContent = text;
      if (src !== undefined && /^(img|image|video|audio|source)$/i.test(element.localName)) setSource(element, src);
      if (href !== undefined && /^(a|area)$/i.test(element.localName)) element.setAttribute('href', href);
      const { style: inline } = element as HTMLElement;
      for (const [property, wish] of Object.entries(style ?? {})) inline.setProperty(property, wish);
      if (hidden === true) inline.setProperty('display', 'none', 'important');
      else if (hidden === false) {
        element.removeAttribute('hidden');
        if (inline.display === 'none') inline.removeProperty('display');
      }
    }
  }
  document.dispatchEvent(new Event('layers'));
  return [...new Set(layers.map((element) => element.getAttribute('data-layer') ?? ''))];
}
