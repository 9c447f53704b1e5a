// Collects the snap targets of a drag: the canvas, layers that are not dragged, guides, the grid.

import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { guidesOf } from '../document/document.ts';
import { boundsOf } from '../geometry/geometry-of.ts';
import type { SnapTargets } from '../geometry/snap.ts';
import type { EditorState } from '../state/editor-state.ts';

/** With more layers than this, only siblings and parents of the dragged layers are targets. */
const MOST = 400;

/** @param dragged names of the layers that move, including their children */
export function snapTargets(editor: EditorState, dragged: ReadonlySet<string>): SnapTargets {
  const picture = editor.picture.peek();
  const { grid, showGrid } = editor.preferences;
  const moves = (box: LocatedBox | null): boolean => box !== null && (dragged.has(box.name) || moves(box.parent));
  const parents = new Set([...dragged].map((name) => picture?.byName.get(name)?.parent?.name ?? null));
  const others = (picture?.boxes ?? []).filter((box) => !moves(box));
  const near =
    others.length > MOST
      ? others.filter(({ parent, name }) => parents.has(parent?.name ?? null) || parents.has(name))
      : others;
  const canvas = { x: 0, y: 0, width: picture?.scene.width ?? 0, height: picture?.scene.height ?? 0 };
  return {
    rects: [canvas, ...near.map(boundsOf)],
    guides: guidesOf(editor.document.peek()),
    grid: showGrid.peek() ? grid.peek() : null,
  };
}

/** Snaps only to whole px. */
export const NO_TARGETS: SnapTargets = { rects: [], guides: [], grid: null };
