// Keeps an `<svg>` equal to a picture's operations by rewriting only the groups whose text changed.
//
// Replacing everything took three times as long for 60 layers with 30 shadows, mostly in the browser's raster. A group
// that was only moved gets a transform, in a compositing layer of its own if there are few, and is rewritten at the
// next pause. So shadows are not blurred again at each movement.

import { rectContains } from '#core/geometry.ts';
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
interface Part {
  text: string;
  readonly group: SVGGElement;
  /**
   * `op` is the operation that `text` was written from; `written` is the one that the group's markup shows until it is
   * settled. null if unknown.
   */
  op: PaintOp | null;
  written: PaintOp | null;
  isMoved: boolean;
}

/** The operations behind the texts, with which movements are told from other changes. */
export interface Painted {
  readonly list: DisplayList;
  readonly fonts: FontSet;
  /** Addresses of the pictures that the list names by key. If they differ, equal operations may show other pictures. */
  readonly addresses: string;
}

export class SvgPatcher {
  /** ms without a change after which moved groups are rewritten. */
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

  /** @returns how many groups were written or moved */
  patch(texts: readonly string[], painted: Painted | null = null): number {
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
    if (old.length === wanted.length) return this.#rewritten(old, wanted, start, painted, hasSamePictures);
    this.settle();
    const made = this.#rearranged(old, wanted, before[before.length - end]);
    this.#parts = [...before.slice(0, start), ...made.parts, ...before.slice(before.length - end)];
    if (painted) for (const [i, part] of this.#parts.entries()) part.op = part.written = painted.list.ops[i] ?? null;
    return made.written;
  }

  /** How many groups are moved and not rewritten yet. */
  get moved(): number {
    return this.#parts.filter(({ isMoved }) => isMoved).length;
  }

  /** Rewrites the groups that were only moved. */
  settle(): void {
    clearTimeout(this.#timer);
    for (const part of this.#parts) if (part.isMoved) write(part, part.text, part.op);
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
  ): number {
    const changed = [...old.entries()].filter(([i, part]) => part.text !== wanted[i]);
    let moved = 0;
    for (const [i, part] of changed) {
      const text = wanted[i] ?? '';
      const op = painted?.list.ops[start + i] ?? null;
      const by = canMove && painted && op && part.written ? movedWhole(part.written, op, painted) : null;
      if (by === null) {
        write(part, text, op);
        continue;
      }
      part.text = text;
      part.op = op;
      part.isMoved = true;
      moved++;
      part.group.setAttribute('transform', `translate(${by.x} ${by.y})`);
      part.group.classList.toggle('is-moved', moved <= MOST_LAYERS);
    }
    if (moved > 0) {
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
      return { text, group, op: null, written: null, isMoved: false };
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

function write(part: Part, text: string, op: PaintOp | null): void {
  part.group.innerHTML = ownSvg(text);
  part.group.removeAttribute('transform');
  part.group.removeAttribute('class');
  part.text = text;
  part.op = part.written = op;
  part.isMoved = false;
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
