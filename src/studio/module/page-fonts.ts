// The fonts that the page around gives: each file is read when the editor opens, for the characters that it has.

import * as hb from 'harfbuzzjs';
import { categoryOf } from '#core/fonts/category-of.ts';
import { Coverage } from '#core/fonts/coverage.ts';
import { readFontTables } from '#core/text/font-tables.ts';
import type { EditorFont } from '../../editor.ts';
import type { FontListing, FontSource } from '../editor/core/scene/fonts.ts';

const MAX_FONT_BYTES = 16 * 1024 * 1024;
const MAX_FONTS = 100;

type Bytes = Uint8Array<ArrayBuffer>;
type Face = FontListing['families'][number]['faces'][number];

interface OpenedFont {
  readonly family: string;
  readonly face: Face;
  readonly bytes: Bytes;
  readonly coverage: string;
}

/** @throws Error naming the font that cannot be used */
export async function pageFonts(given: readonly EditorFont[]): Promise<FontSource> {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_FONTS) {
    throw new Error(
      `fonts: must be a list of 1 to ${MAX_FONTS} fonts, such as [{ family: "Inter", url: "/inter.ttf" }].`,
    );
  }
  const opened = await Promise.all(given.map((font, i) => openFont(font, i)));
  const byFamily = Map.groupBy(opened, ({ family }) => family.toLowerCase());
  const families = [...byFamily.values()].map((own) => {
    // As the page's own, so that they are listed first.
    return { family: own[0]?.family ?? '', own: true, scripts: [], faces: own.map(({ face }) => face) };
  });
  const firstOf = (category: string) => families.find(({ family }) => categoryOf(family) === category)?.family;
  const generic = Object.fromEntries(
    ['sans-serif', 'serif', 'monospace'].flatMap((name) => {
      const family = firstOf(name);
      return family === undefined ? [] : [[name, family]];
    }),
  );
  const byId = new Map(opened.map((font) => [font.face.id, font]));
  return {
    listing: async () => ({ families, generic, installable: [] }),
    coverage: async () => Object.fromEntries(opened.map(({ face, coverage }) => [face.id, coverage])),
    async face(id) {
      const font = byId.get(id);
      if (!font) throw new Error(`There is no font ${id}.`);
      return font.bytes;
    },
  };
}

async function openFont({ family, weight = 400, style = 'normal', data, url }: EditorFont, index: number) {
  const at = `fonts[${index}]`;
  if (typeof family !== 'string' || family.trim() === '') throw new Error(`${at}.family: must be a name.`);
  if (!(weight >= 1 && weight <= 1000)) throw new Error(`${at}.weight: must be from 1 to 1000.`);
  if (style !== 'normal' && style !== 'italic') throw new Error(`${at}.style: must be "normal" or "italic".`);
  const file = data === undefined ? await fetched(url, at) : bytesOf(data, at);
  if (file.length > MAX_FONT_BYTES) throw new Error(`${at}: a font may have at most ${MAX_FONT_BYTES / 2 ** 20} MiB.`);
  try {
    return read(family, weight, style, await unwrapped(file), `${index}`);
  } catch (error) {
    throw new Error(`${at}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function bytesOf(data: unknown, at: string): Bytes {
  if (data instanceof Uint8Array) return data as Bytes;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new Error(`${at}.data: must be an ArrayBuffer or a Uint8Array.`);
}

async function fetched(url: unknown, at: string): Promise<Bytes> {
  if (typeof url !== 'string' && !(url instanceof URL)) throw new Error(`${at}: needs data or url.`);
  const response = await fetch(url).catch((cause: unknown) => {
    throw new Error(`${at}.url: ${url} cannot be loaded. If it is on another site, that must allow it by CORS.`, {
      cause,
    });
  });
  if (!response.ok) throw new Error(`${at}.url: ${url} answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The sfnt in a WOFF or WOFF2 file. */
async function unwrapped(file: Bytes): Promise<Bytes> {
  const [w, o, f] = file;
  // `wOF…`: what unpacks it is loaded only for such a file.
  if (w !== 0x77 || o !== 0x4f || f !== 0x46) return file;
  const { unwrapWoff } = await import('./woff.ts');
  return (await unwrapWoff(file)) as Bytes;
}

/** @throws Error with a sentence about the file */
function read(family: string, weight: number, style: 'normal' | 'italic', bytes: Bytes, id: string): OpenedFont {
  // HarfBuzz takes a broken file for a font without glyphs.
  readFontTables(bytes);
  const face = new hb.Face(new hb.Blob(bytes));
  const axes = Object.entries(face.getAxisInfos()).map(([tag, { min, default: initial, max }]) => {
    return [tag, { min, initial, max }] as const;
  });
  const coverage = Coverage.of(face.collectUnicodes()).toString();
  const isEmoji = categoryOf(family) === 'emoji';
  return { family, bytes, coverage, face: { id, weight, width: 5, style, axes: Object.fromEntries(axes), isEmoji } };
}
