// Opens a page of html for our own engine: its scene, with the style sheets of other addresses, and the font files that it
// brings along by `@font-face`.

import { createHash } from 'node:crypto';
import { AppError } from '#base/errors.ts';
import { type Diagnostic, quoted } from '#core/diagnostics.ts';
import type { AvailableFace } from '#core/fonts/match-face.ts';
import type { FontFaceRule } from '#core/html/font-faces.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { HtmlPage } from '#core/resolve/resolve-html.ts';
import type { Scene } from '#core/resolve/scene.ts';
import { inspectFont, MAX_FONT_FILE } from '#draw/fonts/user-fonts.ts';
import { drawnByPlaten } from '#draw/html/check-template.ts';
import { htmlScene } from '#draw/html/html-scene.ts';
import { parseDataUri } from '#draw/images/data-uri.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';

export interface PageScene {
  readonly scene: Scene;
  readonly faces: readonly AvailableFace[];
  /** About its fonts; those about the page are the scene's. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param read the file of an address, guarded as those of pictures are
 * @returns null for a page that another renderer draws
 * @throws as `htmlScene`, and as `drawnByPlaten`
 */
export async function openPageScene(
  page: HtmlPage,
  output: Output,
  options: ExportOptions,
  read: (source: string) => Promise<Uint8Array>,
): Promise<PageScene | null> {
  const { renderer } = page.template;
  const warning = renderer === 'satori' ? drawnByPlaten(page) : null;
  if (renderer !== 'platen' && !warning) return null;
  const bytesOf = async (source: string) => (/^data:/i.test(source) ? parseDataUri(source).bytes : await read(source));
  const readText = async (address: string) => new TextDecoder().decode(await bytesOf(address));
  // Satori's pages have no sheets.
  const { scene, faces: rules } = await htmlScene(page, warning ? 'png' : output, options, readText);
  const { faces, diagnostics } = await pageFaces(rules, bytesOf);
  return { scene, faces, diagnostics: warning ? [warning, ...diagnostics] : diagnostics };
}

/** Bytes of the files whose descriptions are kept. */
const KEPT = 16_000_000;
const kept = new LruCache<string, AvailableFace>(KEPT);

/** The faces, and what could not be read. */
async function pageFaces(
  rules: readonly FontFaceRule[],
  read: (source: string) => Promise<Uint8Array>,
): Promise<{ readonly faces: readonly AvailableFace[]; readonly diagnostics: readonly Diagnostic[] }> {
  const faces: AvailableFace[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const rule of rules) {
    try {
      faces.push(await faceOf(rule, read));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const message = `@font-face ${quoted(rule.family)}: ${error.message}`;
      diagnostics.push({ code: 'font-not-installed', layer: null, message });
    }
  }
  return { faces, diagnostics };
}

async function faceOf(
  { family, weight, style, sources }: FontFaceRule,
  read: (source: string) => Promise<Uint8Array>,
): Promise<AvailableFace> {
  let failure: unknown = null;
  for (const source of sources) {
    try {
      const bytes = await read(source);
      if (bytes.length > MAX_FONT_FILE) throw new AppError('invalid_request', 'A font file may have at most 5 MiB.');
      const digest = createHash('sha256').update(bytes).digest('hex');
      const key = `${family} ${digest}`;
      let face = kept.get(key);
      if (!face) {
        // What it is read from again later is the file itself.
        face = await inspectFont(bytes, `data:font/sfnt;base64,${Buffer.from(bytes).toString('base64')}`, family);
        kept.set(key, face, bytes.length * 2);
      }
      const id = `${face.id} ${weight} ${style}`;
      return { ...face, id, weight: weight ?? face.weight, style: style ?? face.style };
    } catch (error) {
      failure ??= error;
      if (!(error instanceof AppError)) throw error;
    }
  }
  throw failure;
}
