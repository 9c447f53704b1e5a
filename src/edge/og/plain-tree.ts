// Expands a React element to a tree of plain elements: calls components and unwraps fragments.
//
// Satori calls components too, but would fetch the addresses that it then finds. With this tree, every address is known
// before layout.

import { AppError } from '#base/errors.ts';

/** Most elements of a tree, and nesting depth. */
const MAX_ELEMENTS = 10_000;
const MAX_DEPTH = 200;

/** A React element whose components have already been called. */
export interface PlainElement {
  readonly type: string;
  readonly key?: string | null;
  readonly props: Readonly<Record<string, unknown>>;
}

export type PlainNode = PlainElement | string | number;

interface AnyElement {
  readonly type: unknown;
  readonly key?: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}

function isElement(node: unknown): node is AnyElement {
  return typeof node === 'object' && node !== null && 'type' in node && 'props' in node;
}

/**
 * The tree itself, or a promise of it where a component or a child is asynchronous.
 *
 * @throws AppError `invalid_request` when there are too many elements, or anything but elements and text
 */
export function plainTree(node: unknown): Expanded {
  return new Expander().expand(node, 0);
}

/** Whether a text of the tree has characters that satori may draw as emoji. */
export function hasEmoji(nodes: readonly PlainNode[]): boolean {
  return nodes.some((node) =>
    typeof node === 'object' ? hasEmoji(childrenOf(node)) : typeof node === 'string' && EMOJI.test(node),
  );
}

/** Every sequence that satori takes for an emoji has one of these; © and ™ are among them. */
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Presentation}|\u20e3/u;

type Expanded = readonly PlainNode[] | Promise<readonly PlainNode[]>;

const isLater = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

class Expander {
  #count = 0;

  expand(node: unknown, depth: number): Expanded {
    if (isLater(node)) return Promise.resolve(node).then((known) => this.expand(known, depth));
    if (node === null || node === undefined || typeof node === 'boolean') return [];
    if (typeof node === 'string' || typeof node === 'number') return [node];
    if (depth > MAX_DEPTH) throw tooMuch(`more than ${MAX_DEPTH} elements inside one another`);
    if (isElement(node)) return this.#element(node, depth);
    if (typeof node === 'object' && Symbol.iterator in node) return this.#all(node as Iterable<unknown>, depth);
    throw new AppError('invalid_request', `A ${typeof node} is no element.`);
  }

  #all(nodes: Iterable<unknown>, depth: number): Expanded {
    const parts: Expanded[] = [];
    for (const node of nodes) {
      const part = this.expand(node, depth + 1);
      // If a later one throws at once, nobody waits for this one.
      if (isLater(part)) part.catch(() => {});
      parts.push(part);
    }
    return parts.some(isLater) ? Promise.all(parts).then((known) => known.flat()) : (parts as PlainNode[][]).flat();
  }

  #element({ type, key, props }: AnyElement, depth: number): Expanded {
    this.#count += 1;
    if (this.#count > MAX_ELEMENTS) throw tooMuch(`more than ${MAX_ELEMENTS} elements`);
    if (typeof type === 'function') {
      const isClass = Boolean((type.prototype as { isReactComponent?: unknown } | undefined)?.isReactComponent);
      if (isClass) throw new AppError('invalid_request', `${type.name} is a class; components must be functions.`);
      return this.expand((type as (props: unknown) => unknown)(props), depth + 1);
    }
    // A fragment, or a wrapper of a component: memo, forwardRef, a context.
    if (typeof type === 'symbol') return this.expand(props.children, depth + 1);
    if (typeof type === 'object' && type !== null) return this.#wrapped(type, props, depth);
    if (typeof type !== 'string') throw new AppError('invalid_request', `A ${typeof type} is not a kind of element.`);
    const element = (children: readonly PlainNode[]): readonly PlainNode[] => {
      // Satori expects a single child to be a value rather than an array.
      const content = children.length === 0 ? undefined : children.length === 1 ? children[0] : children;
      const named = typeof key === 'string' ? { key } : {};
      return [{ type, ...named, props: { ...propsLikeVercels(type, props), children: content } }];
    };
    const children = this.expand(props.children, depth + 1);
    return isLater(children) ? children.then(element) : element(children);
  }

  #wrapped(type: object, props: AnyElement['props'], depth: number): Expanded {
    const { type: inner, render } = type as { type?: unknown; render?: unknown };
    if (typeof render === 'function') return this.expand(render(props, null), depth + 1);
    if (inner) return this.#element({ type: inner, props }, depth + 1);
    return this.expand(props.children, depth + 1);
  }
}

/**
 * The defaults of @vercel/og where they differ from satori's: box-sizing border-box, and the viewBox's size for an
 * `<svg>`.
 */
function propsLikeVercels(type: string, props: AnyElement['props']): AnyElement['props'] {
  const classes = typeof props.tw === 'string' ? props.tw : '';
  const given = (props.style ?? {}) as Readonly<Record<string, unknown>>;
  const style = /(^|\s)box-(border|content)\b/.test(classes) ? given : { boxSizing: 'border-box', ...given };
  const sized = [props.width, props.height, given.width, given.height].some((side) => side !== undefined);
  if (type !== 'svg' || sized || /(^|\s|:)(w|h|size)-/.test(classes)) return { ...props, style };
  const [, , width, height] = String(props.viewBox ?? '')
    .split(/[\s,]+/)
    .map(Number);
  return width && height ? { ...props, width, height, style } : { ...props, style };
}

function tooMuch(what: string): AppError {
  return new AppError('invalid_request', `The tree has ${what}.`);
}

/** Every element of the tree, parents first. */
export function* elementsOfTree(nodes: readonly PlainNode[]): Generator<PlainElement> {
  for (const node of nodes) {
    if (typeof node !== 'object') continue;
    yield node;
    yield* elementsOfTree(childrenOf(node));
  }
}

export function childrenOf({ props }: PlainElement): readonly PlainNode[] {
  const { children } = props;
  if (children === undefined) return [];
  return Array.isArray(children) ? children : [children as PlainNode];
}
