// Subsets a font to what the interface and the documentation need, as WOFF2: Latin, punctuation and signs.
//
// All of Inter is 342 KB per weight; an interface in a Latin script needs some 30 KB of it.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Latin with its extensions, punctuation, currency, arrows, mathematics and keys. */
const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x2b0, 0x2ff],
  [0x2010, 0x205e],
  [0x20a0, 0x20bf],
  [0x2190, 0x21ff],
  [0x2200, 0x22ff],
  [0x2318, 0x2325],
  [0x25a0, 0x25ff],
] as const;
/** In addition to the default ones: tabular figures, slashed zero, and forms for capitals. */
const FEATURES = ['tnum', 'zero', 'case', 'ss01', 'ss03', 'cv05', 'cv08', 'cv10', 'cv11'];

/** HarfBuzz's `hb_subset_sets_t`. */
const LAYOUT_FEATURE_TAG = 6;

/** @param specifier the font's file, as imported from its package */
export async function interfaceFont(specifier: string): Promise<Uint8Array> {
  return compress(await subsetFont(await readFile(require.resolve(specifier)), RANGES, FEATURES));
}

/**
 * Subsets a TTF or OTF, as HarfBuzz does.
 *
 * @param ranges first and last code points
 * @param features OpenType tags in addition to the default ones
 */
export async function subsetFont(
  font: Uint8Array,
  ranges: readonly (readonly [number, number])[],
  features: readonly string[] = [],
): Promise<Uint8Array<ArrayBuffer>> {
  const module = await WebAssembly.compile(await readFile(require.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')));
  const hb = (await WebAssembly.instantiate(module)).exports as unknown as Readonly<
    Record<string, (...values: number[]) => number> & { memory: WebAssembly.Memory }
  >;
  const call = (name: string, ...values: number[]) => hb[name]?.(...values) ?? 0;
  call('_initialize');
  const start = call('malloc', font.length);
  new Uint8Array(hb.memory.buffer).set(font, start);
  const face = call('hb_face_create', call('hb_blob_create', start, font.length, 2, 0, 0), 0);
  const input = call('hb_subset_input_create_or_fail');
  const characters = call('hb_subset_input_unicode_set', input);
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code++) call('hb_set_add', characters, code);
  }
  const kept = call('hb_subset_input_set', input, LAYOUT_FEATURE_TAG);
  for (const tag of features) call('hb_set_add', kept, Buffer.from(tag).readUInt32BE());
  const blob = call('hb_face_reference_blob', call('hb_subset_or_fail', face, input));
  const length = call('hb_blob_get_length', blob);
  if (length === 0) throw new Error('The font cannot be subset.');
  const from = call('hb_blob_get_data', blob, 0);
  return new Uint8Array(hb.memory.buffer).slice(from, from + length);
}

async function compress(font: Uint8Array): Promise<Uint8Array> {
  const { compress: toWoff2 } = require('wawoff2') as { compress(bytes: Uint8Array): Promise<Uint8Array> };
  return toWoff2(font);
}
