// Sanitised SVG documents in, pixels out, drawn in processes of their own that are killed when they take too long or
// too much: what a hostile file does to its process is done to nothing else.
//
// A few are kept warm, each draws one document at a time, and is replaced after many, or when it has grown.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Size } from '#core/geometry.ts';
import { AppError } from '#errors';
import { DECODE_SECONDS } from './limits.ts';
import { escapeXml } from './xml.ts';

export interface SvgTask {
  readonly document: string;
}

/** `problem`: in the drawing library's own words. */
export type SvgAnswer = { readonly pixels: Uint8Array } | { readonly problem: string };

/** Bytes that a process may hold beyond four pictures of the size that it draws. */
const MAX_MEMORY = 384 * 1024 * 1024;
/** ms between two looks at its memory. */
const WATCH_INTERVAL = 50;
/** Documents after which a process is replaced, and what it may hold when it rests, bytes. */
const MAX_DRAWINGS = 500;
const MAX_RESTING = 256 * 1024 * 1024;
/** ms without a document after which a process is ended. */
const IDLE = 60_000;

const ENTRY = fileURLToPath(new URL('./svg-worker.ts', import.meta.url));

/** The library reads fonts by fontconfig, from these folders alone; its file is written when a process first needs it. */
let fontconfig: { readonly folder: string; readonly file: string } | null = null;
let fonts: { readonly folders: readonly string[]; readonly generic: ReadonlyMap<string, string> } = {
  folders: [],
  generic: new Map(),
};
const resting: SvgProcess[] = [];

/**
 * Says where the fonts for text in SVG files are. Without it there are none: those of the system never count, so that
 * a file looks the same wherever it is drawn.
 *
 * @param generic by CSS's generic name, the family that answers it
 */
export function setSvgFonts(folders: readonly string[], generic: ReadonlyMap<string, string>): void {
  fonts = { folders, generic };
  if (fontconfig) writeFileSync(fontconfig.file, fontconfigText());
  for (const process of resting.splice(0)) process.end();
}

function fontconfigFiles(): { readonly folder: string; readonly file: string } {
  if (fontconfig) return fontconfig;
  const folder = mkdtempSync(join(tmpdir(), 'platen-fonts-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  fontconfig = { folder, file: join(folder, 'fonts.conf') };
  writeFileSync(fontconfig.file, fontconfigText());
  return fontconfig;
}

function fontconfigText(): string {
  const dirs = fonts.folders.map((folder) => `<dir>${escapeXml(folder)}</dir>`).join('');
  const aliases = [...fonts.generic].map(
    ([name, family]) =>
      `<alias><family>${escapeXml(name)}</family><prefer><family>${escapeXml(family)}</family></prefer></alias>`,
  );
  const cache = `<cachedir>${escapeXml(fontconfig?.folder ?? '')}</cachedir>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs}${cache}${aliases.join('')}</fontconfig>`;
}

class SvgProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #drawings = 0;
  #idle: NodeJS.Timeout | undefined;
  hasEnded = false;

  constructor() {
    this.#child = fork(ENTRY, [], {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=256'],
      // Nothing of the server's environment: it holds secrets, and could name other fonts.
      env: { FONTCONFIG_FILE: fontconfigFiles().file },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.hasEnded = true;
        resolve();
      };
      this.#child.once('exit', end).once('error', end);
    });
    this.#rest();
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.#idle);
    this.#child.kill('SIGKILL');
  }

  /** @throws AppError or Error when it takes too long, too much memory, or cannot be drawn */
  async draw(document: string, { width, height }: Size): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<SvgAnswer>();
    const stop = (error: Error) => {
      reject(error);
      this.end();
    };
    const mayHold = MAX_MEMORY + 4 * width * height * 4;
    clearTimeout(this.#idle);
    this.#child.ref();
    this.#child.channel?.ref();
    const deadline = setTimeout(() => stop(new Error('timeout')), DECODE_SECONDS * 1000);
    const watch = setInterval(async () => {
      if ((await this.#memory()) > mayHold) {
        stop(new AppError('invalid_request', 'The SVG file takes more memory to draw than it may.'));
      }
    }, WATCH_INTERVAL);
    void this.#ended.then(() => reject(new Error('the drawing process ended')));
    this.#child.once('message', resolve);
    this.#child.send({ document } satisfies SvgTask, (error) => error && reject(error));
    try {
      const answer = await promise;
      if ('problem' in answer) throw new Error(answer.problem);
      if (answer.pixels.length !== width * height * 4) throw new Error('the drawing has another size');
      return answer.pixels;
    } finally {
      clearTimeout(deadline);
      clearInterval(watch);
      this.#child.off('message', resolve);
      this.#drawings += 1;
      this.#rest();
    }
  }

  /** Whether it may draw another document. */
  async isFit(): Promise<boolean> {
    return !this.hasEnded && this.#drawings < MAX_DRAWINGS && (await this.#memory()) < MAX_RESTING;
  }

  /** What it holds for itself, bytes; 0 where the system does not tell (all but Linux). */
  async #memory(): Promise<number> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'latin1').catch(() => '');
    return Number(/^RssAnon:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  }

  /** It keeps nobody else from ending, and ends after a while. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(() => this.end(), IDLE).unref();
  }
}

/** Draws a document whose size is `size`. How many at a time is for the caller to bound. */
export async function drawApart(document: string, size: Size): Promise<Uint8Array> {
  const process = takeResting() ?? new SvgProcess();
  try {
    return await process.draw(document, size);
  } finally {
    if (await process.isFit()) resting.push(process);
    else process.end();
  }
}

function takeResting(): SvgProcess | null {
  for (let process = resting.pop(); process; process = resting.pop()) if (!process.hasEnded) return process;
  return null;
}
