// Lays out a row of columns (CSS Multi-column Layout 1): what they hold is laid out in one column that is as high as it
// needs, and then divided as pages divide what flows.

import { Landmarks } from '../fragmentation/landmarks.ts';
import { BoxPlacer } from '../fragmentation/place-box.ts';
import type { Rect } from '../geometry.ts';
import type { FrameNode } from '../resolve/scene.ts';
import { type ColumnsFrame, lengthOf } from './axis.ts';
import type { ColumnFlow, FrameBox, LayoutBox, UsedColumns } from './box.ts';
import type { Flow, Fragment, IntrinsicWidths } from './fragment.ts';

/** Section 3.4: how many there are and how wide each is in a room of `width` px. */
function usedColumns({ layout: { columns }, direction }: ColumnsFrame, width: number): UsedColumns {
  const gap = Math.max(0, lengthOf(columns.gap, width) ?? 0);
  const fitting =
    columns.width === null ? Number.POSITIVE_INFINITY : Math.floor((width + gap) / Math.max(1, columns.width + gap));
  const count = Math.max(1, Math.min(columns.count ?? Number.POSITIVE_INFINITY, fitting));
  const used = { gap, rule: columns.rule, isBalanced: columns.isBalanced, isRtl: direction === 'rtl' };
  return { ...used, count, width: Math.max(0, (width + gap) / count - gap) };
}

/** @param most the height of the content box that is left for them, px; null = any */
export function layOutColumns(flow: Flow, frame: ColumnsFrame, width: number, most: number | null): Fragment {
  const [content] = frame.children;
  if (!content) return { size: { width, height: 0 }, baseline: null, children: [] };
  const used = usedColumns(frame, width);
  const whole = flow.layOut(content, { width: used.width, height: null, hugs: false });
  const box = flow.boxOf(content, { x: 0, y: 0, ...whole.size }, whole);
  const height = box.kind === 'frame' ? placer().columnHeight(flowOf(box, used), most) : 0;
  return { size: { width, height }, baseline: whole.baseline, children: [], columns: { used, whole } };
}

/** The box of a row of columns. @param whole what it divides, in one column */
export function columnsBox(node: FrameNode, rect: Rect, used: UsedColumns, whole: FrameBox): FrameBox {
  const flow = flowOf(whole, used);
  const { children } = placer().columns(flow, null, { ...rect, isEmpty: true, isPaged: false });
  return { kind: 'frame', node, rect, flow, children: children() };
}

const placer = () => new BoxPlacer(new Landmarks(new Set()), true);

const flowOf = (whole: FrameBox, columns: UsedColumns): ColumnFlow => ({ whole, columns, depth: 1 + depthIn(whole) });

function depthIn(box: LayoutBox): number {
  if (box.kind !== 'frame') return 0;
  return box.flow?.depth ?? box.children.reduce((most, child) => Math.max(most, depthIn(child)), 0);
}

/** Section 3.2: of as many columns as are asked for, each as narrow or as wide as what is in them. */
export function columnsWidths(flow: Flow, { layout: { columns }, children: [content] }: ColumnsFrame): IntrinsicWidths {
  const own = content ? flow.contentWidths(content, null) : { min: 0, max: 0 };
  const count = columns.count ?? 1;
  const gaps = (count - 1) * Math.max(0, lengthOf(columns.gap, null) ?? 0);
  const [min, max] = [own.min, own.max].map((each) => Math.max(each, columns.width ?? 0) * count + gaps) as [
    number,
    number,
  ];
  return { min, max };
}
