// The names of the template's brand, which fields of the inspector offer for their values.

import { didYouMean } from '#core/nearest-name.ts';
import { texts } from '../../../texts/editor.ts';
import type { EditorState } from './editor-state.ts';

type Entries = Readonly<Record<string, unknown>>;
export type BrandNames = Readonly<Record<'colors' | 'textStyles' | 'fonts' | 'images' | 'numbers', Entries>>;

/** null = the template has no brand; undefined = it is still loaded. Depends on the document and on what is loaded. */
export function brandOf(editor: EditorState): BrandNames | null | undefined {
  const { designs } = editor.compositor;
  if (designs.known.value < 0) return null;
  const { brand } = editor.document.value;
  const isLoading = typeof brand === 'string' && designs.failure(brand) === null;
  return (designs.brand(brand) as BrandNames | null) ?? (isLoading ? undefined : null);
}

export const isReference = (value: unknown): value is `$${string}` =>
  typeof value === 'string' && /^\$[A-Za-z]/.test(value);

/** What a value stands for; undefined = its name is not the brand's. */
export function resolved(value: unknown, entries: Entries | undefined): unknown {
  if (!isReference(value)) return value;
  const name = value.slice(1);
  return entries && Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** Why a reference stands for nothing; null = it is one of the brand's. */
export function unknownName(
  value: unknown,
  brand: BrandNames | null | undefined,
  kind: keyof BrandNames,
): string | null {
  if (!isReference(value) || brand === undefined) return null;
  if (!brand) return texts.value.inspector.nameWithoutBrand(value);
  if (Object.hasOwn(brand[kind], value.slice(1))) return null;
  return texts.value.inspector.notInBrand(
    didYouMean(
      value,
      Object.keys(brand[kind]).map((name) => `$${name}`),
    ),
  );
}

/** A layer with what its text style sets under its own properties, as it is drawn. */
export function withTextStyle<Layer extends Entries>(layer: Layer, brand: BrandNames | null | undefined): Layer {
  const style = resolved(layer.textStyle, brand?.textStyles);
  return typeof style === 'object' && style !== null ? { ...style, ...layer } : layer;
}

/** The properties that a text sets although its style does, to another value. */
export function overrides({ textStyle, ...layer }: Entries, brand: BrandNames | null | undefined): readonly string[] {
  const style = resolved(textStyle, brand?.textStyles);
  if (typeof style !== 'object' || style === null) return [];
  return Object.entries(style)
    .filter(([name, value]) => layer[name] !== undefined && JSON.stringify(layer[name]) !== JSON.stringify(value))
    .map(([name]) => name);
}
