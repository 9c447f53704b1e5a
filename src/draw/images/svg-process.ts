// Reads SVG files, draws sanitised documents to pixels, or simplifies them, in child processes, which are killed when they
// exceed their time or memory limit.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import type { OwnFit } from '#core/resources.ts';
import { type FontFolders, fontconfigText } from './fontconfig.ts';
import { DECODE_SECONDS } from './limits.ts';
import { noMemory, ProcessEnded, ProcessPool, WorkStopped } from './process-pool.ts';

export type SvgTask =
  | { readonly want: 'read'; readonly file: Uint8Array }
  | { readonly want: 'pixels' | 'simplified'; readonly document: string };

/** A file whose embedded pictures are within the limits, and which can be drawn. */
export interface ReadSvg extends Size {
  /** Sanitised, with its size in px. */
  readonly document: string;
  readonly hasNoSize: boolean;
  readonly ownFit: OwnFit | null;
  readonly leftOut: readonly string[];
}

/** `problem`: the message of the drawing library; `refused`: a public sentence. */
export type SvgAnswer =
  | { readonly read: ReadSvg }
  | { readonly refused: string }
  | { readonly pixels: Uint8Array }
  | { readonly simplified: string }
  | { readonly problem: string };

/** Bytes that a process may use on top of four pictures of the size that it draws. */
const MAX_MEMORY = 384 * 1024 * 1024;

const ENTRY = fileURLToPath(new URL('./svg-worker.ts', import.meta.url));

/**
 * The drawing library finds fonts through fontconfig, in these folders alone. The configuration file is written when a
 * process first needs it.
 */
let fontconfig: { readonly folder: string; readonly file: string } | null = null;
let fonts: FontFolders = { folders: [], generic: new Map() };
const processes = new ProcessPool<SvgTask, SvgAnswer>({
  entry: ENTRY,
  env: () => ({ FONTCONFIG_FILE: fontconfigFiles().file }),
});

/**
 * Sets the font folders for text in SVG files. By default there are none. System fonts are never used, so that a file
 * looks the same on every machine.
 *
 * @param generic the family for each CSS generic name
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

/**
 * Sanitises a file, and draws it once to see that it can be drawn. The caller limits how many run at a time.
 *
 * @throws AppError `invalid_request` saying what is wrong with the file
 */
export async function readApart(file: Uint8Array): Promise<ReadSvg> {
  const limits = { time: DECODE_SECONDS * 1000, memory: MAX_MEMORY };
  const answer = await processes.run({ want: 'read', file }, limits).catch(explain);
  if ('refused' in answer) throw new AppError('invalid_request', answer.refused);
  if ('read' in answer) return answer.read;
  throw new Error('problem' in answer ? answer.problem : 'the file was not read');
}

/** Draws a document of the given size to RGBA pixels. The caller limits how many run at a time. */
export async function drawApart(document: string, { width, height }: Size): Promise<Uint8Array> {
  const memory = MAX_MEMORY + 4 * width * height * 4;
  const limits = { time: DECODE_SECONDS * 1000, memory };
  const answer = await processes.run({ document, want: 'pixels' }, limits).catch(explain);
  if ('problem' in answer) throw new Error(answer.problem);
  if (!('pixels' in answer) || answer.pixels.length !== width * height * 4)
    throw new Error('the drawing has another size');
  return answer.pixels;
}

/**
 * usvg's simplification of a document whose texts are outlines; null when it takes too much time or memory, or fails. The
 * caller limits how many run at a time.
 */
export async function simplifyApart(document: string): Promise<string | null> {
  const limits = { time: DECODE_SECONDS * 1000, memory: MAX_MEMORY };
  const answer = await processes.run({ document, want: 'simplified' }, limits).catch((error: unknown) => {
    if (error instanceof WorkStopped || error instanceof ProcessEnded) return null;
    throw error;
  });
  return answer && 'simplified' in answer ? answer.simplified : null;
}

function explain(error: unknown): never {
  if (error instanceof ProcessEnded && error.signal === 'SIGKILL') throw noMemory('SVG file', error);
  if (!(error instanceof WorkStopped)) throw error;
  if (error.tookTooMuch === 'time') throw new Error('timeout', { cause: error });
  throw new AppError('invalid_request', 'The SVG file takes more memory to draw than it may.', { cause: error });
}
