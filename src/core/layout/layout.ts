// Lays out any scene, with all layouts that there are.
//
// An editor opens without those that most templates lack, and loads this file when a scene is not plain (layout-pass.ts).

import type { Scene } from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import { blockWidths, layOutBlock } from './block.ts';
import type { Layout } from './box.ts';
import { cellsWidths, layOutCells } from './cells.ts';
import { columnsBox, columnsWidths, layOutColumns } from './columns.ts';
import type { RarerLayouts } from './flow.ts';
import { gridWidths, layOutGrid } from './grid.ts';
import { inlineParts, layOutLines, withAtoms } from './inline.ts';
import { layOutWith } from './layout-pass.ts';
import { PackedRowBox, TableBox } from './table-box.ts';
import { fittedRows } from './wide-table.ts';
import type { Kept } from './yoga-tree-cache.ts';

const RARER_LAYOUTS: RarerLayouts = {
  ...{ blockWidths, layOutBlock, cellsWidths, layOutCells, columnsBox, columnsWidths, layOutColumns },
  ...{ gridWidths, layOutGrid, inlineParts, layOutLines, withAtoms, TableBox, PackedRowBox, fittedRows },
};

/** Lays out a whole scene; images that `resources` lacks are left out and take no space. */
export const layOut = (scene: Scene, resources: Resources, kept?: Kept): Layout =>
  layOutWith(RARER_LAYOUTS, scene, resources, kept);
