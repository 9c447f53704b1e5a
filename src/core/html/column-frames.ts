// Makes the rows of columns of a block, with what stands over all columns between them (CSS Multi-column Layout 1).

import { WHOLE } from '../resolve/resolve-pages.ts';
import type { Border, Columns, FrameNode, Placement, SceneNode, Sides } from '../resolve/scene.ts';
import { IN_FLOW, innerBlock } from './placement.ts';
import { evenly } from './shorthands.ts';
import type { Style } from './style.ts';

/** Rows of columns, and between them what stands over all columns (CSS Multi-column Layout 1, 6). */
export function inColumns(
  nodes: readonly SceneNode[],
  columns: Columns,
  name: string,
  style: Style,
): readonly SceneNode[] {
  const placement: Placement = { ...IN_FLOW, width: { kind: 'fill' } };
  const direction = style.word('direction') === 'rtl' ? 'rtl' : 'ltr';
  const fragmentation = WHOLE;
  return betweenSpans(nodes).map((run, i): SceneNode => {
    if (!Array.isArray(run)) return run as SceneNode;
    const content = innerBlock(`${name} column content ${i + 1}`, run, placement);
    const frame = innerBlock(`${name} columns ${i + 1}`, [{ ...content, direction, fragmentation }], placement);
    return { ...frame, direction, fragmentation, layout: { type: 'block', isRoot: true, columns } };
  });
}

/** What stands over all columns, and the runs of nodes before, between and after; of blocks around it, their parts. */
function betweenSpans(nodes: readonly SceneNode[]): readonly (SceneNode | SceneNode[])[] {
  const runs: (SceneNode | SceneNode[])[] = [];
  const add = (node: SceneNode) => {
    const last = runs.at(-1);
    if (Array.isArray(last)) last.push(node);
    else runs.push([node]);
  };
  for (const node of nodes) {
    const { placement, fragmentation } = node;
    const isBlock = node.type === 'frame' && node.layout?.type === 'block' && !placement.absolute && !placement.float;
    if (fragmentation?.spansColumns && !placement.absolute && !placement.float) runs.push(node);
    else if (!isBlock || node.layout?.type !== 'block' || node.layout.isRoot) add(node);
    else {
      const inside = betweenSpans(node.children);
      if (inside.every((run) => Array.isArray(run))) add(node);
      else
        for (const [i, run] of inside.entries()) {
          if (!Array.isArray(run)) runs.push(run as SceneNode);
          else add(partOf(node, run, { top: i > 0, bottom: i < inside.length - 1 }));
        }
    }
  }
  return runs;
}

/** A block with some of its children, without the edges at which it goes on. */
function partOf(node: FrameNode, children: readonly SceneNode[], cut: { top: boolean; bottom: boolean }): FrameNode {
  const { placement, padding, border } = node;
  const sides = node.sideBorders ?? (border && evenly(border));
  const without = <T>(all: Sides<T>, none: T): Sides<T> => ({
    ...all,
    ...(cut.top && { top: none }),
    ...(cut.bottom && { bottom: none }),
  });
  return {
    ...node,
    children,
    border: null,
    sideBorders: sides && without<Border | null>(sides, null),
    padding: without(padding, 0),
    placement: { ...placement, margin: without(placement.margin, 0) },
  };
}
