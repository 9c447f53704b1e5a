// Keeps an `<svg>` equal to a picture's operations by rewriting only the groups whose text changed.
//
// Replacing everything took three times as long for 60 layers with 30 shadows, mostly in the browser's raster. A group
// that was only moved gets a transform, in a compositing layer of its own if there are few, and is rewritten at the
// next pause. So shadows are not blurred again at each movement. What is out of sight waits for the pause, too: of a
// table on twenty pages a drag rewrites two.

import { type Rect, rectContains, rectsOverlap } from '#core/geometry.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { FontSet } from '#core/text/font-set.ts';
import { ownSvg } from '../../shell/trusted.ts';
import { movedBy } from './moved-by.ts';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The most groups that are moved in compositing layers of their own; with more, compositing costs more than painting.
 */
const MOST_LAYERS = 4;
/** The most groups that get a transform; with more, sorting them into compositing layers takes longest. */
const MOST_MOVED = 24;
interface Part {
  text: string;
  readonly group: SVGGElement;
  /**
   * `op` is the operation that `text` was written from; `written` is the one that the group's markup shows until it is
   * settled, at which it may have been moved only, or is out of sight. null if unknown.
   */
  op: PaintOp | null;
  written: PaintOp | null;
  isSettled: boolean;
}

/** The operations behind the texts, with which movements are told from other changes. */
export interface Painted {
  readonly list: DisplayList;
  readonly fonts: FontSet;
  /** Addresses of the pictures that the list names by key. If they differ, equal operations may show other pictures. */
  readonly addresses: string;
}

export class SvgPatcher {
  /** ms without a change after which groups that wait are rewritten. */
  pause = 400;
  readonly #root: SVGGElement;
  #parts: Part[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #addresses = '';

  /** @param root is emptied; this patcher then owns its children */
  constructor(root: SVGGElement) {
    this.#root = root;
    root.replaceChildren();
  }

  /**
   * @param sight the part of the canvas that can be seen; null = all of it
   * @returns how many groups were changed
   */
  patch(texts: readonly string[], painted: Painted | null = null, sight: Rect | null = null): number {
    const before = this.#parts;
    const hasSamePictures = painted?.addresses === this.#addresses;
    this.#addresses = painted?.addresses ?? '';
    let start = 0;
    while (start < before.length && start < texts.length && before[start]?.text === texts[start]) start++;
    let end = 0;
    const most = Math.min(before.length, texts.length) - start;
    while (end < most && before[before.length - 1 - end]?.text === texts[texts.length - 1 - end]) end++;
    const old = before.slice(start, before.length - end);
    const wanted = texts.slice(start, texts.length - end);
    if (old.length === 0 && wanted.length === 0) return 0;
    if (old.length === wanted.length) return this.#rewritten(old, wanted, start, painted, hasSamePictures, sight);
    this.settle();
    const made = this.#rearranged(old, wanted, before[before.length - end]);
    this.#parts = [...before.slice(0, start), ...made.parts, ...before.slice(before.length - end)];
    if (painted) for (const [i, part] of this.#parts.entries()) part.op = part.written = painted.list.ops[i] ?? null;
    return made.written;
  }

  /** How many groups are not rewritten yet. */
  get moved(): number {
    return this.#parts.filter(({ isSettled }) => !isSettled).length;
  }

  /** Rewrites the groups that were only moved, or out of sight. */
  settle(): void {
    clearTimeout(this.#timer);
    write(this.#parts.filter(({ isSettled }) => !isSettled).map((part) => [part, part.text, part.op]));
  }

  /** The markup after settling: for tests. */
  get markup(): string {
    this.settle();
    return this.#root.innerHTML;
  }

  #rewritten(
    old: readonly Part[],
    wanted: readonly string[],
    start: number,
    painted: Painted | null,
    canMove: boolean,
    sight: Rect | null,
  ): number {
    const isFar = (op: PaintOp | null): boolean => {
      const bounds = sight && painted && op && opBounds(op, painted.fonts);
      return bounds !== null && sight !== null && !rectsOverlap(bounds, sight);
    };
    const changed = [...old.entries()].filter(([i, part]) => part.text !== wanted[i]);
    const near = changed.filter(([i, part]) => {
      const op = painted?.list.ops[start + i] ?? null;
      if (!op || !isFar(op) || !isFar(part.op) || !isFar(part.written)) return true;
      part.text = wanted[i] ?? '';
      part.op = op;
      part.isSettled = false;
      return false;
    });
    const isFew = canMove && near.length <= MOST_MOVED;
    const rewritten: Rewritten[] = [];
    let moved = 0;
    for (const [i, part] of near) {
      const text = wanted[i] ?? '';
      const op = painted?.list.ops[start + i] ?? null;
      const by = isFew && painted && op && part.written ? movedWhole(part.written, op, painted) : null;
      if (by === null) {
        rewritten.push([part, text, op]);
        continue;
      }
      part.text = text;
      part.op = op;
      part.isSettled = false;
      moved++;
      part.group.setAttribute('transform', `translate(${by.x} ${by.y})`);
      part.group.classList.toggle('is-moved', moved <= MOST_LAYERS);
    }
    write(rewritten);
    if (moved > 0 || near.length < changed.length) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.settle(), this.pause);
    }
    return changed.length;
  }

  #rearranged(old: readonly Part[], wanted: readonly string[], next: Part | undefined): Made {
    const kept = new Map<string, Part[]>();
    for (const part of old) {
      const same = kept.get(part.text);
      if (same) same.push(part);
      else kept.set(part.text, [part]);
    }
    let written = 0;
    const parts = wanted.map((text) => {
      const part = kept.get(text)?.shift();
      if (part) return part;
      written++;
      const group = document.createElementNS(SVG, 'g');
      group.innerHTML = ownSvg(text);
      return { text, group, op: null, written: null, isSettled: true };
    });
    for (const left of kept.values()) for (const { group } of left) group.remove();
    let anchor: SVGGElement | null = next?.group ?? null;
    for (const { group } of [...parts].reverse()) {
      // Inserting a group where it already is would make the browser repaint it.
      if (group.parentNode !== this.#root || group.nextSibling !== anchor) this.#root.insertBefore(group, anchor);
      anchor = group;
    }
    return { parts, written };
  }
}

interface Made {
  readonly parts: Part[];
  readonly written: number;
}

type Rewritten = readonly [part: Part, text: string, op: PaintOp | null];

/** All texts are parsed at once: a parser for each takes longer than the parsing. */
function write(parts: readonly Rewritten[]): void {
  if (parts.length === 0) return;
  const parsed = document.createElementNS(SVG, 'g');
  parsed.innerHTML = ownSvg(parts.map(([, text]) => `<g>${text}</g>`).join(''));
  const groups = [...parsed.children];
  for (const [at, [part, text, op]] of parts.entries()) {
    part.group.replaceChildren(...(groups[at]?.childNodes ?? []));
    part.group.removeAttribute('transform');
    part.group.removeAttribute('class');
    part.text = text;
    part.op = part.written = op;
    part.isSettled = true;
  }
}

/**
 * How far an operation moved, if it lies entirely on the canvas before and after; parts outside the canvas are not
 * written.
 */
function movedWhole(from: PaintOp, to: PaintOp, { list, fonts }: Painted) {
  const by = movedBy(from, to);
  if (!by) return null;
  const canvas = { x: 0, y: 0, width: list.width, height: list.height };
  const isWhole = [from, to].every((op) => {
    const bounds = opBounds(op, fonts);
    return bounds !== null && rectContains(canvas, bounds);
  });
  return isWhole ? by : null;
}
