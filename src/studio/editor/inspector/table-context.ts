// What the sections of a table's panel share.

import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import { texts } from '../../texts/editor.ts';
import { type EditorTexts, editor as english } from '../../texts/en/editor.ts';
import { isLanguage, language } from '../../texts/language.ts';
import { readTexts } from '../../texts/show-language.ts';
import type { RawLayer } from '../core/document/document.ts';
import type { EditorState } from '../core/state/editor-state.ts';
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

/**
 * The texts from which new cells are labelled: in the template's own language, or in the one that is shown. Where neither is
 * set, it is no language of the interface or cannot be fetched, they are those of the interface.
 */
export async function cellTexts({ stored, view }: Pick<EditorState, 'stored' | 'view'>): Promise<EditorTexts> {
  const [tag = ''] = `${stored.peek().lang ?? view.peek().lang}`.toLowerCase().split('-');
  if (!isLanguage(tag) || tag === language.peek()) return texts.peek();
  if (tag === 'en') return english;
  const read = await readTexts(tag).catch(() => null);
  return (read?.texts.editor as EditorTexts | undefined) ?? texts.peek();
}
