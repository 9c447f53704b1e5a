// Functions that run inside a captured page. Each is self-contained: it uses only its arguments and the document.
//
// A page cannot make them throw: it may have no body and no root, elements of XML have no style, and the controls of a
// form hide the form's own properties and methods.

/// <reference lib="dom" />

import type { LayerValues } from '#core/resolve/resolve-html.ts';

/** Whether a text is a valid CSS selector. */
export function isSelector(text: string): boolean {
  try {
    document.createDocumentFragment().querySelector(text);
    return true;
  } catch {
    return false;
  }
}

/** Adds a style sheet that the page's content security policy does not block. */
export function addStyle(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Hides matching elements, even those that an inline `!important` style shows. */
export function hide(selectors: readonly string[]): void {
  for (const selector of selectors) {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      try {
        element.style.setProperty('display', 'none', 'important');
      } catch {} // It has no style; the style sheet hides it.
    }
  }
}

/** Whether a visible element matches. */
export function isShown(selector: string): boolean {
  return [...document.querySelectorAll(selector)].some((element) => {
    const { width, height } = Element.prototype.getBoundingClientRect.call(element);
    return width > 0 && height > 0;
  });
}

/** Box of the first match on the whole page, CSS px; null when there is none. Scrolls to it. */
export function boxOf(selector: string): unknown {
  const element = document.querySelector(selector);
  if (element === null) return null;
  Element.prototype.scrollIntoView.call(element, { block: 'center', behavior: 'instant' });
  const { left, top, width, height } = Element.prototype.getBoundingClientRect.call(element);
  return { x: left + window.scrollX, y: top + window.scrollY, width, height };
}

/** Scrolls back to where a page begins. */
export function scrollToTop(): void {
  window.scrollTo({ left: 0, top: 0, behavior: 'instant' });
}

/**
 * The box in which a page scrolls that does not scroll itself: the one with most beyond its edge among those that fill
 * most of the viewport. Returns how much of its content is hidden, CSS px; 0 without such a box.
 *
 * @param top where the box is scrolled to, CSS px
 * @param isKnown whether it is the box that was found last
 */
export function hiddenInBox(top: number, isKnown: boolean): number {
  // Of the isolated world, in which all of these functions run.
  const found = globalThis as { scrolledBox?: Element | null };
  const hiddenIn = (element: Element) => element.scrollHeight - element.clientHeight;
  if (!isKnown) {
    let most = 1;
    found.scrolledBox = null;
    for (const element of document.querySelectorAll('body, body *')) {
      // First what is cheap.
      if (!(hiddenIn(element) > most) || !/^(auto|scroll)$/.test(getComputedStyle(element).overflowY)) continue;
      const { width, height } = Element.prototype.getBoundingClientRect.call(element);
      if (width < window.innerWidth / 2 || height < window.innerHeight / 2) continue;
      // The overflow of the body is that of the viewport, unless the root has one of its own.
      if (element === document.body && getComputedStyle(document.documentElement).overflowY === 'visible') continue;
      found.scrolledBox = element;
      most = hiddenIn(element);
    }
  }
  const box = found.scrolledBox ?? null;
  if (box === null) return 0;
  Reflect.apply(Element.prototype.scrollTo, box, [{ top, behavior: 'instant' }]);
  return hiddenIn(box);
}

/** Whether the page has scripts, which may load what is scrolled to. */
export function hasScripts(): boolean {
  return document.scripts.length > 0;
}

/**
 * Shows what Chromium paints only near the viewport: boxes with `content-visibility: auto`, and fixed backgrounds, which
 * are painted as ordinary ones.
 *
 * @param isPinned whether the page's own background stays fixed
 */
export function showUnseen(isPinned: boolean): void {
  const MAX_ELEMENTS = 50_000;
  const sheet = new CSSStyleSheet();
  const boxes = isPinned
    ? ':not(html, body), :not(html, body)::before, :not(html, body)::after'
    : '*, ::before, ::after';
  sheet.replaceSync(`${boxes} { background-attachment: scroll !important }`);
  const roots: (Document | ShadowRoot)[] = [document];
  let count = 0;
  for (const root of roots) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      count += 1;
      if (count > MAX_ELEMENTS) return;
      if (element.shadowRoot instanceof ShadowRoot) roots.push(element.shadowRoot);
      try {
        if (getComputedStyle(element).contentVisibility !== 'auto') continue;
        element.style.setProperty('content-visibility', 'visible', 'important');
      } catch {} // It has no style.
    }
  }
}

/**
 * Hides fixed and sticky boxes that are painted over the first match and neither hold it nor stand in it, such as the
 * header of a page.
 */
export function uncover(selector: string): void {
  const target = document.querySelector(selector);
  if (target === null) return;
  const rectOf = (element: Element) => Element.prototype.getBoundingClientRect.call(element);
  const holds = (element: Element, other: Node | null) => Node.prototype.contains.call(element, other);
  const own = rectOf(target);
  const isOver = (element: Element, host: Element) => {
    const { left, top, right, bottom, width, height } = rectOf(element);
    // The part of both that can be seen.
    const [x0, x1] = [Math.max(left, own.left, 0), Math.min(right, own.right, window.innerWidth)];
    const [y0, y1] = [Math.max(top, own.top, 0), Math.min(bottom, own.bottom, window.innerHeight)];
    if (width === 0 || height === 0 || x0 >= x1 || y0 >= y1) return false;
    const stack = document.elementsFromPoint((x0 + x1) / 2, (y0 + y1) / 2);
    const at = stack.findIndex((each) => holds(host, each));
    // What the pointer goes through is not found.
    if (at < 0) return !(Number(getComputedStyle(element).zIndex) < 0);
    const below = stack.findIndex((each) => holds(target, each));
    return below < 0 || at < below;
  };
  const roots: [root: Document | ShadowRoot, host: Element | null][] = [[document, null]];
  for (const [root, outer] of roots) {
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      const host = outer ?? element;
      if (element.shadowRoot instanceof ShadowRoot) roots.push([element.shadowRoot, host]);
      if (holds(host, target) || holds(target, host)) continue;
      if (!/^(fixed|sticky)$/.test(getComputedStyle(element).position) || !isOver(element, host)) continue;
      try {
        element.style.setProperty('visibility', 'hidden', 'important');
      } catch {} // It has no style.
    }
  }
}

/**
 * Ends animations and transitions that have an end, and stops the endless ones at their start; those of SVG as well.
 * Returns how many were still under way. Those that follow scrolling are left alone.
 */
export function endAnimations(): number {
  const { shadowRoot } = Object.getOwnPropertyDescriptors(Element.prototype);
  const roots: (Document | ShadowRoot)[] = [document];
  let count = 0;
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      const inner = shadowRoot.get?.call(element) as ShadowRoot | null;
      if (inner) roots.push(inner);
    }
    for (const animation of root.getAnimations()) {
      const { effect, playState, timeline } = animation;
      if (!effect || playState !== 'running' || !(timeline instanceof DocumentTimeline)) continue;
      count += 1;
      try {
        if (Number.isFinite(effect.getComputedTiming().endTime) && animation.playbackRate !== 0) animation.finish();
        else {
          animation.pause();
          animation.currentTime = 0;
        }
      } catch {} // It has just ended.
    }
    // SMIL: all animations of a drawing have one clock.
    for (const svg of root.querySelectorAll('svg')) {
      if (!(svg instanceof SVGSVGElement) || svg.ownerSVGElement !== null || svg.animationsPaused()) continue;
      const ends = [...svg.querySelectorAll<SVGAnimationElement>('animate, animateTransform, animateMotion, set')].map(
        (element) => {
          const repeats = Number(element.getAttribute('repeatCount') ?? 1);
          try {
            return element.hasAttribute('repeatDur')
              ? 0
              : element.getStartTime() + element.getSimpleDuration() * repeats;
          } catch {
            return 0; // It begins with an event, or has no end.
          }
        },
      );
      if (ends.length === 0) continue;
      svg.pauseAnimations();
      svg.setCurrentTime(Math.max(0, ...ends.filter((end) => Number.isFinite(end))));
      count += 1;
    }
  }
  return count;
}

/**
 * Has a document hand all that it shows to the compositor again, by an animation that changes nothing. A frame in which
 * nothing was visible goes on showing the start of an animation that has been ended, now and then on a busy machine (156).
 */
export function drawAnew(): void {
  document.documentElement.animate({ opacity: [1, 1] }, 1);
}

/** Scrolls to the end and back, screen by screen, so that lazily loaded content is loaded. */
export async function scrollThrough(maxHeight: number, maxTime: number): Promise<void> {
  const ends = performance.now() + maxTime;
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const end = () => (document.scrollingElement ?? document.documentElement)?.scrollHeight ?? 0;
  for (let y = 0; y < Math.min(end(), maxHeight) && performance.now() < ends; y += window.innerHeight) {
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
 * Replaces each image that failed to load by a transparent pixel, so that no browser's broken-image icon is drawn.
 * Returns these images.
 *
 * `source` is the address as written in the page, `url` the absolute one.
 */
export function replaceBrokenImages(): { layer: string | null; source: string; url: string; isRequired: boolean }[] {
  const CLEAR = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  const isBroken = (image: HTMLImageElement) => image.complete && image.naturalWidth === 0 && image.currentSrc !== '';
  return [...document.images].filter(isBroken).map((image) => {
    const url = image.currentSrc;
    const source = image.getAttribute('src') ?? url;
    image.removeAttribute('srcset');
    image.src = CLEAR;
    const around = image.closest('[data-layer]');
    const layer = around && Element.prototype.getAttribute.call(around, 'data-layer');
    return { layer, source, url, isRequired: image.hasAttribute('data-required') };
  });
}

/**
 * The bottom of the content in normal flow, CSS px. Elements with another `position` are ignored: they may be anywhere
 * on purpose.
 */
export function flowBottom(): number {
  const flows = (element: Element) => /^(static|relative)$/.test(getComputedStyle(element).position);
  const elements = [...document.querySelectorAll('body *')].slice(0, 20_000).filter(flows);
  return Math.max(0, ...elements.map((element) => Element.prototype.getBoundingClientRect.call(element).bottom));
}

/**
 * Finds text that the picture lacks: beyond the canvas, or clipped by a box with `overflow`. One entry per element,
 * with its layer and first words.
 */
export function lostText(width: number, height: number): { layer: string | null; words: string; isCut: boolean }[] {
  /** Tolerated overhang of letters, as in italics and swashes, CSS px. */
  const SLACK = 2;
  const MAX_TEXTS = 20_000;
  const { get: parent } = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement') ?? {};
  const parentOf = (node: Node): Element | null => parent?.call(node) ?? null;
  const found = new Map<Element, { layer: string | null; words: string; isCut: boolean }>();
  const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
  for (let count = 0; walker.nextNode() && count < MAX_TEXTS; count += 1) {
    const text = walker.currentNode;
    const element = parentOf(text);
    if (!element || !text.textContent?.trim() || found.has(element)) continue;
    const { visibility, opacity } = getComputedStyle(element);
    if (visibility !== 'visible' || opacity === '0') continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
    // The line box is higher than the letters, so only its middle must be inside.
    const isOut = (left: number, top: number, right: number, bottom: number) =>
      rects.some((rect) => {
        const middle = (rect.top + rect.bottom) / 2;
        return rect.left < left - SLACK || rect.right > right + SLACK || middle < top || middle > bottom;
      });
    const isBeyond = isOut(0, 0, width, height);
    let isCut = false;
    for (
      let box: Element | null = element;
      box && box !== document.documentElement && !isBeyond && !isCut;
      box = parentOf(box)
    ) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const { left, top, right, bottom } = Element.prototype.getBoundingClientRect.call(box);
      // A box of a px or two hides text for screen readers on purpose.
      if (right - left <= 2 || bottom - top <= 2) break;
      const far = Number.POSITIVE_INFINITY;
      const [x, y] = [overflowX !== 'visible', overflowY !== 'visible'];
      if (x || y) isCut = isOut(x ? left : -far, y ? top : -far, x ? right : far, y ? bottom : far);
    }
    if (!isBeyond && !isCut) continue;
    const around = Element.prototype.closest.call(element, '[data-layer]');
    const layer = around && Element.prototype.getAttribute.call(around, 'data-layer');
    found.set(element, { layer, words: text.textContent.trim().replace(/\s+/g, ' ').slice(0, 60), isCut });
  }
  return [...found.values()];
}

/**
 * Finds text that boxes with a height and `overflow` cut off above or below, as boxes that scroll do: paper does not
 * scroll. Returns the first words, and how many elements have such text.
 *
 * @param within the first match of this selector; null = the page
 * @param isScrolled whether only boxes that scroll count, and not those that hide it
 */
export function cutTexts(within: string | null, isScrolled: boolean): { words: string; count: number } {
  const MAX_TEXTS = 20_000;
  const parentOf = (node: Node): Element | null =>
    Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement')?.get?.call(node) ?? null;
  const rectOf = (element: Element) => Element.prototype.getBoundingClientRect.call(element);
  const root = document.documentElement;
  // The overflow of the body is that of the viewport, unless the root has one of its own.
  const isOfViewport = (box: Element) => box === document.body && getComputedStyle(root).overflowY === 'visible';
  const cuts = (box: Element) => {
    const { overflowY, webkitLineClamp } = getComputedStyle(box);
    const cutsOff = isScrolled ? /^(auto|scroll)$/.test(overflowY) : overflowY !== 'visible';
    return cutsOff && webkitLineClamp === 'none' && !isOfViewport(box);
  };
  const start = within === null ? null : document.querySelector(within);
  const found = new Set<Element>();
  let words = '';
  const walker = document.createTreeWalker(start ?? document.body ?? document, NodeFilter.SHOW_TEXT);
  for (let count = 0; walker.nextNode() && count < MAX_TEXTS; count += 1) {
    const text = walker.currentNode;
    const element = parentOf(text);
    if (!element || !text.textContent?.trim() || found.has(element)) continue;
    const { visibility, opacity } = getComputedStyle(element);
    if (visibility !== 'visible' || opacity === '0') continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const middles = [...range.getClientRects()]
      .filter((rect) => rect.width > 0 && rect.height > 0)
      .map((rect) => (rect.top + rect.bottom) / 2);
    for (let box: Element | null = element; box && box !== root && !found.has(element); box = parentOf(box)) {
      const { top, bottom, width, height } = rectOf(box);
      // A box of a px or two hides text on purpose: for screen readers, or until it is opened.
      if (width <= 2 || height <= 2) break;
      if (cuts(box) && middles.some((middle) => middle < top || middle > bottom)) found.add(element);
    }
    if (words === '' && found.has(element)) words = text.textContent.trim().replace(/\s+/g, ' ').slice(0, 60);
  }
  return { words, count: found.size };
}

/** Gives elements the classes of their attribute `tw`. */
export function addTwClasses(): void {
  // Of the prototype: the controls of a form hide its own methods.
  const { getAttribute, setAttribute } = Element.prototype;
  for (const element of document.querySelectorAll('[tw]')) {
    const classes = ['class', 'tw'].map((name) => getAttribute.call(element, name) ?? '');
    setAttribute.call(element, 'class', classes.join(' '));
  }
}

/**
 * Sets the values of elements with `data-layer` as text, attributes and CSS values, never as markup. Returns the names
 * of all layers.
 *
 * Elements whose text is code or a document are not layers.
 */
export function fillLayers(fills: readonly LayerValues[]): string[] {
  const CODE = /^(script|style|iframe|object|embed|link|meta|base|template|noscript|xmp|plaintext|frame|frameset)$/i;
  const isImage = (element: Element) => /^(img|image)$/i.test(element.localName);
  const setSource = (element: Element, src: string) => {
    element.removeAttribute('srcset');
    element.setAttribute(element.localName === 'image' ? 'href' : 'src', src);
  };
  const layers = [...document.querySelectorAll('[data-layer]')].filter((element) => !CODE.test(element.localName));
  const nameOf = (element: Element) => Element.prototype.getAttribute.call(element, 'data-layer') ?? '';
  for (const { name, value, text, src, href, style, hidden } of fills) {
    const fillElement = (element: Element) => {
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
    };
    for (const element of layers.filter((each) => nameOf(each) === name)) {
      try {
        fillElement(element);
      } catch {} // It has no style, or its controls hide its methods: no reason to lose the other layers.
    }
  }
  document.dispatchEvent(new Event('layers'));
  return [...new Set(layers.map(nameOf))];
}
