// The schema of a brand: named colours, text styles, fonts, pictures and numbers that templates refer to as `$name`.

import { z } from 'zod';
import { ValidationError } from '#core/diagnostics.ts';
import { isObject } from '#core/resolve/modify-layer.ts';
import { Source } from '#core/template/layer-properties.ts';
import { Coordinate, Fill } from '#core/template/style.ts';
import { SpanStyle } from '#core/template/text-layer.ts';
import { parse } from '#core/template/validation.ts';
import { references } from './references.ts';

/** Entries of one kind. */
const MAX_ENTRIES = 100;
/** Characters of a picture's source: an address, an upload's id or a small data: URI. */
const MAX_SOURCE = 100_000;

const EntryName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,59}$/, 'must begin with a letter, and have at most 60 letters, digits, "_" and "-"');

const named = <Value extends z.ZodType>(value: Value, description: string) =>
  z
    .record(EntryName, value)
    .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`)
    .default({})
    .meta({ maxProperties: MAX_ENTRIES, description });

const TextStyle = SpanStyle.meta({ id: 'TextStyle', description: 'Properties of a text layer, as of a span.' });

export const Brand = z
  .strictObject({
    colors: named(Fill, 'CSS colours and gradients: {"primary": "#1d4ed8"}.'),
    textStyles: named(TextStyle, 'Properties of texts: {"headline": {"fontFamily": "$display", "fontSize": 64}}.'),
    fonts: named(SpanStyle.shape.fontFamily.unwrap(), 'Families: {"display": "Bricolage Grotesque"}.'),
    images: named(Source.max(MAX_SOURCE), 'Sources of pictures: {"logo": "img_…"}.'),
    numbers: named(Coordinate, 'Lengths and other numbers: {"radius": 12}.'),
  })
  .meta({ id: 'Brand' });
export type Brand = z.infer<typeof Brand>;

/** A brand by the names of its entries. */
export type BrandValues = ReadonlyMap<string, unknown>;

/**
 * Parses a brand. Its text styles may refer to its own colours, fonts and numbers, and then hold their values.
 *
 * @throws ValidationError with the path, also when two entries have one name
 */
export function parseBrand(input: unknown): Brand {
  if (!isObject(input)) return parse(Brand, input);
  const { textStyles, ...rest } = input;
  const values = valuesOf(parse(Brand, rest));
  const styles = references(values, '').resolved(textStyles ?? {}, 'textStyles');
  const brand = parse(Brand, { ...rest, textStyles: styles });
  valuesOf(brand);
  return brand;
}

/** @throws ValidationError when two entries have one name */
export function valuesOf(brand: Brand): BrandValues {
  const values = new Map<string, unknown>();
  for (const [kind, entries] of Object.entries(brand)) {
    for (const [name, value] of Object.entries(entries)) {
      if (values.has(name)) throw new ValidationError(`${kind}.${name}`, 'is the name of another entry of the brand');
      values.set(name, value);
    }
  }
  return values;
}
