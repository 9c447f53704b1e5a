// Where an element is: in the page's document, or in the shadow tree of an editor that `platen/editor` shows.

/** What has the elements around a node, and the focus. */
export function rootOf(node: Node): Document | ShadowRoot {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root : document;
}

/** Where keys and pastes are heard for a node. */
export function keysOf(node: Node): Pick<Window, 'addEventListener' | 'removeEventListener'> {
  const root = rootOf(node);
  return root instanceof ShadowRoot ? root : window;
}

/** What has the elements where the focus is. */
export const focusedRoot = (): Document | ShadowRoot => document.activeElement?.shadowRoot ?? document;

/** Whose keyboards have ⌘ where others have Ctrl. */
export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** Calls `onClosed` when a popover has closed, and gives the focus back to `opener`. Returns what ends that. */
export function whenClosed(popover: HTMLElement, opener: HTMLElement | null, onClosed: () => void): () => void {
  const onToggle = (event: Event) => {
    if ((event as ToggleEvent).newState !== 'closed') return;
    returnFocus(popover, opener);
    onClosed();
  };
  popover.addEventListener('toggle', onToggle);
  return () => popover.removeEventListener('toggle', onToggle);
}

/**
 * Gives the focus to `opener` when a popover has closed around it. In a document browsers do so themselves after Escape, in a
 * shadow tree they do not.
 */
function returnFocus(popover: Element, opener: HTMLElement | null): void {
  const focused = rootOf(popover).activeElement;
  // Nothing has it: in a document that is the body.
  if (focused === null || focused === document.body || popover.contains(focused))
    opener?.focus({ preventScroll: true });
}
