// Reads the computed style, text and box of each element of an HTML page in Chromium.

import type { Page } from 'puppeteer-core';

export interface BrowserElement {
  readonly tag: string;
  /** Computed values by property, with percentages and `auto` unresolved. */
  readonly style: Readonly<Record<string, string>>;
  /** Border box, px from the top left of the root's: [x, y, width, height]. */
  readonly rect: readonly number[];
  /** Its own text, with white space collapsed. */
  readonly text: string;
  readonly children: readonly BrowserElement[];
}

/** The properties that a template can express, and those that rule it out. */
const PROPERTIES = [
  ...['display', 'position', 'float', 'direction', 'writing-mode', 'box-sizing', 'order', 'contain', 'visibility'],
  ...['overflow-x', 'overflow-y', 'aspect-ratio', 'transform', 'text-align', 'scrollbar-width'],
  ...['', 'min-', 'max-'].flatMap((bound) => [`${bound}width`, `${bound}height`]),
  ...['top', 'right', 'bottom', 'left'].flatMap((side) => [
    side,
    `margin-${side}`,
    `padding-${side}`,
    `border-${side}-width`,
  ]),
  ...['flex-direction', 'flex-wrap', 'flex-grow', 'flex-shrink', 'flex-basis', 'row-gap', 'column-gap'],
  ...['justify-content', 'justify-items', 'justify-self', 'align-content', 'align-items', 'align-self'],
  ...['grid-auto-flow', 'grid-template-areas'],
  ...['grid-row-start', 'grid-row-end', 'grid-column-start', 'grid-column-end'],
];

/** For these, Chromium's computed style has used values or only the first, so the specified ones are read. */
const AS_WRITTEN = ['grid-template-columns', 'grid-template-rows', 'grid-auto-columns', 'grid-auto-rows'];

/** Returns the tree of each body's root, in order; null if a body has none. */
export async function browserTrees(
  page: Page,
  bodies: readonly string[],
  rootSelector: string,
): Promise<readonly (BrowserElement | null)[]> {
  return page.evaluate(readTrees, bodies, rootSelector, PROPERTIES, AS_WRITTEN);
}

/** Runs in the page, without access to this module. */
async function readTrees(
  bodies: readonly string[],
  rootSelector: string,
  properties: readonly string[],
  asWritten: readonly string[],
): Promise<(BrowserElement | null)[]> {
  await Promise.all([...document.fonts].map((font) => font.load()));
  const trees: (BrowserElement | null)[] = [];
  for (const body of bodies) {
    const parsed = new DOMParser().parseFromString(body, 'text/html');
    document.body.className = parsed.body.className;
    document.body.innerHTML = parsed.body.innerHTML;
    const root = document.querySelector<HTMLElement>(rootSelector);
    if (!root) {
      trees.push(null);
      continue;
    }
    const origin = root.getBoundingClientRect();
    const read = (element: HTMLElement): BrowserElement => {
      const computed = element.computedStyleMap();
      const style: Record<string, string> = {};
      for (const name of properties) style[name] = computed.get(name)?.toString() ?? '';
      for (const name of asWritten) style[name] = element.style.getPropertyValue(name);
      const { left, top, width, height } = element.getBoundingClientRect();
      const texts = Array.from(element.childNodes, (node) => (node.nodeType === 3 ? (node.nodeValue ?? '') : ''));
      return {
        tag: element.tagName.toLowerCase(),
        style,
        rect: [left - origin.left, top - origin.top, width, height],
        text: texts
          .join(' ')
          .replace(/[ \n\t]+/g, ' ')
          .trim(),
        children: Array.from(element.children, (child) => read(child as HTMLElement)),
      };
    };
    trees.push(read(root));
  }
  return trees;
}
