// Sanitised SVG documents in, pixels out, drawn in processes of their own that are killed when they take too long or
// too much.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Size } from '#core/geometry.ts';
import { AppError } from '#errors';
import { type FontFolders, fontconfigText } from './fontconfig.ts';
import { KillableProcesses, WorkStopped } from './killable-processes.ts';
import { DECODE_SECONDS } from './limits.ts';

export interface SvgTask {
  readonly document: string;
}

/** `problem`: in the drawing library's own words. */
export type SvgAnswer = { readonly pixels: Uint8Array } | { readonly problem: string };

/** Bytes that a process may hold beyond four pictures of the size that it draws. */
const MAX_MEMORY = 384 * 1024 * 1024;

const ENTRY = fileURLToPath(new URL('./svg-worker.ts', import.meta.url));

/** The library reads fonts by fontconfig, from these folders alone; its file is written when a process first needs it. */
let fontconfig: { readonly folder: string; readonly file: string } | null = null;
let fonts: FontFolders = { folders: [], generic: new Map() };
const processes = new KillableProcesses<SvgTask, SvgAnswer>({
  entry: ENTRY,
  env: () => ({ FONTCONFIG_FILE: fontconfigFiles().file }),
});

/**
 * Says where the fonts for text in SVG files are. Without it there are none: those of the system never count, so that
 * a file looks the same wherever it is drawn.
 *
 * @param generic by CSS's generic name, the family that answers it
 */
export function setSvgFonts(folders: readonly string[], generic: ReadonlyMap<string, string>): void {
  fonts = { folders, generic };
  if (fontconfig) writeFileSync(fontconfig.file, fontconfigText(fonts, fontconfig.folder));
  processes.endResting();
}

function fontconfigFiles(): { readonly folder: string; readonly file: string } {
  if (fontconfig) return fontconfig;
  const folder = mkdtempSync(join(tmpdir(), 'platen-fonts-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  fontconfig = { folder, file: join(folder, 'fonts.conf') };
  writeFileSync(fontconfig.file, fontconfigText(fonts, fontconfig.folder));
  return fontconfig;
}

/** Draws a document whose size is `size`. How many at a time is for the caller to bound. */
export async function drawApart(document: string, { width, height }: Size): Promise<Uint8Array> {
  const memory = MAX_MEMORY + 4 * width * height * 4;
  const answer = await processes.run({ document }, { time: DECODE_SECONDS * 1000, memory }).catch(explain);
  if ('problem' in answer) throw new Error(answer.problem);
  if (answer.pixels.length !== width * height * 4) throw new Error('the drawing has another size');
  return answer.pixels;
}

function explain(error: unknown): never {
  if (!(error instanceof WorkStopped)) throw error;
  if (error.tookTooMuch === 'time') throw new Error('timeout', { cause: error });
  throw new AppError('invalid_request', 'The SVG file takes more memory to draw than it may.', { cause: error });
}
