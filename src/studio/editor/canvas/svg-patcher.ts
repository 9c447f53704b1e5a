// Keeps an `<svg>` equal to a picture's operations, and rewrites only the groups of those whose text changed.
//
// Replacing all of it took three times as long for 60 layers with 30 shadows, most of it in the browser's raster.

import { ownSvg } from '../../shell/trusted.ts';

const SVG = 'http://www.w3.org/2000/svg';

interface Part {
  text: string;
  readonly group: SVGGElement;
}

export class SvgPatcher {
  readonly #root: SVGGElement;
  #parts: Part[] = [];

  /** @param root is emptied, and then this patcher's alone */
  constructor(root: SVGGElement) {
    this.#root = root;
    root.replaceChildren();
  }

  /** @returns how many groups were written */
  patch(texts: readonly string[]): number {
    const before = this.#parts;
    let start = 0;
    while (start < before.length && start < texts.length && before[start]?.text === texts[start]) start++;
    let end = 0;
    const most = Math.min(before.length, texts.length) - start;
    while (end < most && before[before.length - 1 - end]?.text === texts[texts.length - 1 - end]) end++;
    const old = before.slice(start, before.length - end);
    const wanted = texts.slice(start, texts.length - end);
    if (old.length === 0 && wanted.length === 0) return 0;
    const made =
      old.length === wanted.length
        ? rewritten(old, wanted)
        : this.#rearranged(old, wanted, before[before.length - end]);
    this.#parts = [...before.slice(0, start), ...made.parts, ...before.slice(before.length - end)];
    return made.written;
  }

  /** What stands in the page: for a test. */
  get markup(): string {
    return this.#root.innerHTML;
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
      return { text, group };
    });
    for (const left of kept.values()) for (const { group } of left) group.remove();
    let anchor: SVGGElement | null = next?.group ?? null;
    for (const { group } of [...parts].reverse()) {
      // Moving a group that is in its place would make the browser paint it again.
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

function rewritten(old: readonly Part[], wanted: readonly string[]): Made {
  let written = 0;
  for (const [i, part] of old.entries()) {
    const text = wanted[i] ?? '';
    if (part.text === text) continue;
    part.group.innerHTML = ownSvg(text);
    part.text = text;
    written++;
  }
  return { parts: [...old], written };
}
