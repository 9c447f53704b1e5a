// Copies how a layer looks to other layers: what it shows, where it is and how large it is stay as they are.

import { LAYER_SCHEMAS, type LayerType } from '#core/template/layer.ts';
import { CHARACTER_PROPERTIES } from '#core/template/text-layer.ts';
import type { RawLayer } from './document.ts';
import type { Patch } from './edits.ts';

/** The look of a layer; properties that it does not set are absent. */
export interface CopiedStyle {
  readonly type: string;
  readonly properties: Patch;
}

const words = (text: string) => text.split(' ');

/** The properties that are a layer's look. The language of a text belongs to its words. */
const LOOK: readonly string[] = [
  ...CHARACTER_PROPERTIES.filter((name) => name !== 'lang'),
  ...words('align verticalAlign textWrap listStyle listIndent background fill strokeCap strokeJoin strokeDash'),
  ...words('opacity blendMode blur shadow borderRadius border borderTop borderRight borderBottom borderLeft'),
  ...['filters', 'backdropFilters'],
];

const has = (type: string, name: string) => name in (LAYER_SCHEMAS[type as LayerType]?.shape ?? {});

export function styleOf(layer: RawLayer): CopiedStyle {
  const set = LOOK.filter((name) => layer[name] !== undefined && has(layer.type, name));
  return { type: layer.type, properties: Object.fromEntries(set.map((name) => [name, layer[name]])) };
}

/**
 * The patch that gives a layer the style. Between layers of one type, what the style leaves out is removed too; to a
 * layer of another type go only the properties that both have.
 */
export function stylePatchFor(layer: RawLayer, { type, properties }: CopiedStyle): Patch {
  const names = LOOK.filter((name) => has(layer.type, name) && (layer.type === type || name in properties));
  const valid = names.filter((name) => layer.type === type || isValid(layer.type, name, properties[name]));
  return Object.fromEntries(valid.map((name) => [name, properties[name]]));
}

/** A property of one name may have another shape elsewhere, as `background` of a text has. */
function isValid(type: string, name: string, value: unknown): boolean {
  const schema = (LAYER_SCHEMAS[type as LayerType].shape as Readonly<Record<string, Checked>>)[name];
  return schema?.safeParse(value).success ?? false;
}

interface Checked {
  safeParse(value: unknown): { readonly success: boolean };
}
