// The fonts of `platen/og` in the forms that takumi has beside those of @vercel/og: addresses, files without a
// description, files that are loaded when they are needed, and promises of lists.

import { AppError } from '#base/errors.ts';
import { readFontInfo } from '#draw/fonts/font-info.ts';
import { unwrapWoff } from '#draw/fonts/woff.ts';
import type { OgFont } from './draw-elements.ts';
import { fetchBytes } from './tree-pictures.ts';

type FontBytes = ArrayBuffer | Uint8Array;

/** A font whose `data` may be a function that loads it. Without a name, weight or style, those of the file hold. */
export interface OgFontDescription extends Omit<OgFont, 'name' | 'data'> {
  readonly name?: string | undefined;
  readonly data: FontBytes | (() => FontBytes | Promise<FontBytes>);
}

/** An address of `http:` or `https:`, a file, or a description. */
export type OgFontEntry = OgFont | OgFontDescription | FontBytes | string;
export type OgFonts = readonly OgFontEntry[] | Promise<readonly OgFontEntry[]>;

/** Most fonts that are kept by address. */
const KEPT = 20;
const fetched = new Map<string, Promise<Uint8Array>>();
/** Loaded lists, by the caller's, so that a list that is given again is not parsed again. */
const loaded = new WeakMap<object, Promise<readonly OgFont[]>>();

/** @throws AppError `invalid_request` naming the font that cannot be loaded */
export function loadFonts(fonts: OgFonts): Promise<readonly OgFont[]> {
  // Callers without types may pass anything, which is named where fonts are opened.
  if (typeof fonts !== 'object' || fonts === null) return Promise.resolve(fonts);
  const known = loaded.get(fonts);
  if (known) return known;
  const loading = loadAll(fonts);
  loaded.set(fonts, loading);
  loading.catch(() => loaded.delete(fonts));
  return loading;
}

async function loadAll(fonts: OgFonts): Promise<readonly OgFont[]> {
  const given = await fonts;
  if (!Array.isArray(given) || given.every(isWhole)) return given as readonly OgFont[];
  return Promise.all(given.map(loadFont));
}

const isBytes = (value: unknown): value is FontBytes => value instanceof ArrayBuffer || value instanceof Uint8Array;

const isWhole = (font: OgFontEntry): font is OgFont =>
  typeof font === 'object' && !isBytes(font) && typeof font.name === 'string' && typeof font.data !== 'function';

async function loadFont(font: OgFontEntry, index: number): Promise<OgFont> {
  if (isWhole(font)) return font;
  const described: OgFontDescription =
    typeof font === 'string' ? { data: () => fontAt(font) } : isBytes(font) ? { data: font } : font;
  try {
    const data = typeof described.data === 'function' ? await described.data() : described.data;
    if (!isBytes(data)) throw new AppError('invalid_request', 'data must be an ArrayBuffer or a Uint8Array.');
    if (described.name !== undefined) return { ...described, name: described.name, data };
    const info = readFontInfo(await unwrapWoff(data instanceof Uint8Array ? data : new Uint8Array(data)));
    return { weight: info.weight, style: info.style, ...described, name: info.family, data };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('invalid_request', `fonts[${index}]: ${reason}`, { cause: error });
  }
}

function fontAt(address: string): Promise<Uint8Array> {
  const known = fetched.get(address);
  if (known) return known;
  const loading = fetchBytes(address, undefined, 'Font');
  // The next picture may ask again: a failure is often that of a moment.
  loading.catch(() => {
    if (fetched.get(address) === loading) fetched.delete(address);
  });
  if (fetched.size >= KEPT) fetched.clear();
  fetched.set(address, loading);
  return loading;
}
