// Adds what is replaced before a template is parsed to its published JSON Schema: components, and text styles.

import { z } from 'zod';
import { ComponentLayer } from './component-layer.ts';

type Schema = Readonly<Record<string, unknown>>;

const TEXT_STYLE = { type: 'string', pattern: '^\\$', description: 'A text style of the brand: "$headline".' };

/** @param defs the named schemas of templates, which refer to each other as `#/$defs/…` */
export function withDesigns(defs: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const { $defs: own = {} } = z.toJSONSchema(ComponentLayer, { io: 'input' });
  const { Layer = {} } = defs;
  const styled = ['TextLayer', 'Span'].map((name) => [name, withTextStyle(defs[name] ?? {})]);
  return {
    ...(own as Record<string, Schema>),
    ...defs,
    ...Object.fromEntries(styled),
    Layer: { ...Layer, oneOf: [...((Layer.oneOf ?? []) as Schema[]), { $ref: '#/$defs/ComponentLayer' }] },
  };
}

const withTextStyle = (schema: Schema): Schema => ({
  ...schema,
  properties: { ...(schema.properties as Schema), textStyle: TEXT_STYLE },
});
