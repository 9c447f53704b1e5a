// Footnotes: marks in what flows, numbered from its beginning, and their notes at the foot of the page that has the mark
// (CSS Generated Content for Paged Media 3, section 2).

import { moveBox } from '../fragmentation/move-box.ts';
import type { LayoutBox } from '../layout/box.ts';
import { layOut } from '../layout/layout.ts';
import { PLAIN_FRAME, PLAIN_NODE, plainFlex } from '../resolve/plain-node.ts';
import { PLAIN_TEXT } from '../resolve/plain-text.ts';
import type { Footnote, FrameNode, Scene, SceneNode, TextNode } from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';

/** In font sizes of the notes: above the line that parts them from the text, below it, and between two of them. */
const [ABOVE, BELOW, BETWEEN] = [0.9, 0.6, 0.25];
/** The line's length, as a part of the width. */
const LINE = 0.25;

/** Nodes whose marks have numbers, one after the other; the same if there are none. */
export function withNumberedNotes(nodes: SceneNode[]): SceneNode[] {
  let count = 0;
  const numbered = (node: SceneNode): SceneNode => {
    if (node.type === 'text') {
      if (!node.spans.some(({ footnote }) => footnote)) return node;
      const spans = node.spans.map((span) => {
        if (!span.footnote) return span;
        count += 1;
        return { ...span, text: String(count), footnote: { ...span.footnote, number: count } };
      });
      return { ...node, spans };
    }
    if (node.type !== 'frame') return node;
    const before = count;
    const children = node.children.map(numbered);
    return count === before ? node : { ...node, children };
  };
  const result = nodes.map(numbered);
  return count === 0 ? nodes : result;
}

/** The notes of all marks in a node, in their order. */
export function notesOf(node: SceneNode): readonly Footnote[] {
  if (node.type === 'frame') return node.children.flatMap(notesOf);
  return node.type === 'text' ? node.spans.flatMap(({ footnote }) => footnote ?? []) : [];
}

/** Notes below each other, under a short line. @param x @param width px */
export function notesFrame(notes: readonly Footnote[], x: number, width: number): FrameNode {
  const [first] = notes;
  const size = first?.style.fontSize ?? 0;
  const name = first?.layer ?? '';
  const px = (value: number) => ({ kind: 'px', value }) as const;
  const flowing = { ...PLAIN_NODE.placement, absolute: false };
  const line: FrameNode = {
    ...PLAIN_FRAME,
    name,
    placement: {
      ...flowing,
      width: px(width * LINE),
      height: px(Math.max(1, size / 16)),
      margin: { top: ABOVE * size, right: 0, bottom: (BELOW - BETWEEN) * size, left: 0 },
      alignSelf: 'start',
    },
    background: first?.style.fill ?? null,
  };
  const texts = notes.map(({ number, text, style, layer }): TextNode => {
    const span = { style, link: null, counter: null, image: null };
    const mark = { ...span, text: String(number), style: { ...style, position: 'super' } } as const;
    const spans = [mark, { ...span, text: ` ${text}` }];
    return { ...PLAIN_NODE, ...PLAIN_TEXT, name: layer, placement: flowing, strut: style, spans };
  });
  return {
    ...PLAIN_FRAME,
    name,
    placement: { ...PLAIN_NODE.placement, x, width: px(width) },
    layout: { ...plainFlex('column'), rowGap: BETWEEN * size },
    children: [line, ...texts],
  };
}

/** The notes of pages of one width. */
export class NotesArea {
  readonly #scene: Scene;
  readonly #resources: Resources;
  readonly #width: number;
  /** By the first and the last of notes that follow each other. */
  readonly #heights = new Map<string, number>();

  /** @param width of what flows, px */
  constructor(scene: Scene, resources: Resources, width: number) {
    this.#scene = scene;
    this.#resources = resources;
    this.#width = width;
  }

  /** With the line above them, px; 0 = there are none. */
  heightOf(notes: readonly Footnote[]): number {
    if (notes.length === 0) return 0;
    const key = `${notes[0]?.number} ${notes.at(-1)?.number}`;
    const height = this.#heights.get(key) ?? this.#box(notes, 0).rect.height;
    this.#heights.set(key, height);
    return height;
  }

  /** @param x @param bottom of all of them, px on the page */
  boxes(notes: readonly Footnote[], x: number, bottom: number): readonly LayoutBox[] {
    if (notes.length === 0) return [];
    const box = this.#box(notes, x);
    const moved = moveBox(box, 0, bottom - box.rect.y - box.rect.height);
    if (moved.kind !== 'frame') return [moved];
    const [line, ...texts] = moved.children;
    const told = texts.map((text, i) => ({ ...text, role: { kind: 'note', number: notes[i]?.number ?? 0 } as const }));
    if (!line) return [moved];
    // On whole px, where it is as dark in a picture as in a PDF.
    const sharp = moveBox(line, 0, Math.round(line.rect.y) - line.rect.y);
    return [{ ...moved, children: [sharp, ...told] }];
  }

  #box(notes: readonly Footnote[], x: number): LayoutBox {
    const nodes = [notesFrame(notes, x, this.#width)];
    const [box] = layOut({ ...this.#scene, nodes }, this.#resources).boxes;
    if (!box) throw new Error('A frame has a box.');
    return box;
  }
}
