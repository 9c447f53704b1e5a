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

export const ui = { root: page, body: page?.body, themed: page?.documentElement, keys: globalThis } as UiRoot;
