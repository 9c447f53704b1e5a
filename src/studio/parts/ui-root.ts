// Where the interface is: the page's document, or the shadow tree in which `platen/editor` shows it.

interface UiRoot {
  /** What has the elements, and the focus. */
  root: Document | ShadowRoot;
  /** Where elements are added. */
  body: HTMLElement;
  /** What has the custom properties. */
  themed: HTMLElement;
  /** Where keys and pastes are heard. */
  keys: Pick<Window, 'addEventListener' | 'removeEventListener'>;
}

// The unit tests of pure modules have no document.
const page = globalThis.document as Document | undefined;

/** Whose keyboards have ⌘ where others have Ctrl. */
export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

export const ui = { root: page, body: page?.body, themed: page?.documentElement, keys: globalThis } as UiRoot;

/**
 * Gives the focus to `opener` when a popover has closed around it. In a document browsers do so themselves after Escape, in a
 * shadow tree they do not.
 */
export function returnFocus(popover: Element, opener: HTMLElement | null): void {
  const focused = ui.root.activeElement;
  // Nothing has it: in a document that is the body.
  if (focused === null || focused === document.body || popover.contains(focused))
    opener?.focus({ preventScroll: true });
}
