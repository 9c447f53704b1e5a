// What the sections of a table's panel share.

import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import type { RawLayer } from '../core/document/document.ts';
import type { InspectorContext } from './inspector-context.ts';
import { propertyOf } from './schema.ts';

export interface TablePanelProps extends InspectorContext {
  readonly table: RawLayer;
}

/** Changes the table as one step; equal kinds that follow closely are undone together. */
export type Change = (kind: string | null, change: (table: RawLayer) => RawLayer) => void;

export interface PartProps extends TablePanelProps {
  readonly change: Change;
}

/** The schemas of what a cell may set, by property. */
export const CELL_STYLE = (() => {
  const { control } = propertyOf(LAYER_SCHEMAS.table.shape.cell);
  if (control.kind !== 'object') throw new Error('the style of cells is no object');
  return control.properties as Record<string, (typeof control.properties)[string]> & { readonly color: never };
})();
