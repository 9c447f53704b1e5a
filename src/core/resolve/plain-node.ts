// Nodes that no layer describes: what every node has, at its plainest.

import { resolveCorners, resolveEdges } from './resolve-style.ts';
import type { FlexLayout, FrameNode, NodeBase, PackedCells, SceneNode } from './scene.ts';

const HUG = { kind: 'hug' } as const;

export const PLAIN_NODE: Omit<NodeBase, 'name'> = {
  placement: {
    x: 0,
    y: 0,
    width: HUG,
    height: HUG,
    absolute: true,
    inset: null,
    autoMargins: null,
    relative: null,
    minWidth: null,
    maxWidth: null,
    minHeight: null,
    maxHeight: null,
    aspectRatio: null,
    flexGrow: 0,
    flexShrink: 0,
    flexBasis: null,
    alignSelf: 'auto',
    justifySelf: 'auto',
    grid: { column: null, row: null, columnSpan: 1, rowSpan: 1, lines: null },
    margin: resolveEdges(0),
  },
  rotation: 0,
  opacity: 1,
  blend: 'normal',
  shadows: [],
  blur: 0,
  filters: null,
  backdropFilters: null,
  mask: null,
  link: null,
  alt: null,
  fragmentation: null,
};

export const PLAIN_FRAME: Omit<FrameNode, 'name'> = {
  ...PLAIN_NODE,
  type: 'frame',
  layout: null,
  direction: 'ltr',
  hideWhenEmpty: false,
  padding: resolveEdges(0),
  clip: false,
  background: null,
  border: null,
  sideBorders: null,
  radii: resolveCorners(0),
  children: [],
};

/** A flex layout without any wishes. */
export const plainFlex = (direction: 'row' | 'column'): FlexLayout => ({
  type: 'flex',
  direction,
  wrap: 'nowrap',
  rowGap: 0,
  columnGap: 0,
  percentGaps: null,
  justify: 'start',
  align: 'stretch',
  alignContent: 'start',
});

/** The cells of a packed row: other objects each time. */
export function unpackedCells({ forms, words }: PackedCells): readonly SceneNode[] {
  const parts = words.split('\0');
  const of = (i: number) => parts[i] ?? '';
  return forms.map(({ frame, text }, i): SceneNode => {
    const spans = text?.spans.map((span) => ({ ...span, text: of(3 * i + 2) })) ?? [];
    return { ...frame, name: of(3 * i), children: text ? [{ ...text, name: of(3 * i + 1), spans }] : [] };
  });
}
