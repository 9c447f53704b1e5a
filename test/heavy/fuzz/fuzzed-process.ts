// Draws tasks in a child process with limits of memory and time, so that a failure is detected and affects only that
// process. Both sides are in this file: `node fuzzed-process.ts` is the child.

import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { checkAny } from '#core/resolve/resolve-any.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { inspectFont } from '#draw/fonts/user-fonts.ts';
import { inspectImage } from '#draw/images/inspect.ts';
import { DamagedImage, scaleToPixels } from '#draw/images/scale.ts';
import { setSvgFonts } from '#draw/images/svg-process.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { LocalRenderer } from '#draw/renderer/local-renderer.ts';
import type { Supplies } from '#draw/renderer/renderer.ts';
import { SERVER_FLAGS, withSettings } from '../../../bin/node-settings.mjs';
import { noise, QUADRANTS_SVG, quadrants } from '../../draw/images/pictures.ts';
import type { FuzzCase } from './arbitrary-template.ts';

/** A task for the child; files are on the disk. */
export type Task =
  | { readonly kind: 'template'; readonly case: FuzzCase }
  | { readonly kind: 'font'; readonly path: string }
  | { readonly kind: 'picture'; readonly path: string };

/** The time limit of a case, as for a render, and how much longer its end is waited for, ms. */
const DEADLINE = 30_000;
const LATE = 8_000;
/** The limit of resident memory at any moment, bytes, and of V8's heap, MB. */
const MOST_MEMORY = 2 * 2 ** 30;
const HEAP = 1_024;

export class FuzzedProcess implements Disposable {
  #child: ChildProcess | null = null;

  /**
   * Returns `done`, or the message that a caller would get. @throws Error if the child crashes, is late, takes too much
   * memory, or fails in a way that is our fault
   */
  run(task: Task): Promise<string> {
    const child = this.#standing();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => fail('was not done in time'), DEADLINE + LATE);
    const fail = (what: string) => {
      this[Symbol.dispose]();
      reject(new Error(`${JSON.stringify(task).slice(0, 20_000)} ${what}`));
    };
    const onMessage = ({ outcome, rss }: { outcome: string; rss: number }) => {
      if (rss > MOST_MEMORY) fail(`took ${Math.round(rss / 1e6)} MB`);
      else if (outcome.startsWith('OURS')) fail(outcome);
      else resolve(outcome);
    };
    const onExit = (code: number | null, signal: string | null) => fail(`ended the process: ${signal ?? code}`);
    child.once('message', onMessage);
    child.once('exit', onExit);
    child.send(task);
    return promise.finally(() => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
    });
  }

  #standing(): ChildProcess {
    this.#child ??= fork(import.meta.filename, {
      execArgv: [...SERVER_FLAGS, `--max-old-space-size=${HEAP}`],
      env: withSettings(process.env),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    return this.#child;
  }

  [Symbol.dispose](): void {
    this.#child?.removeAllListeners('exit');
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }
}

/** The pictures by their names in `arbitrary-template.ts`. */
async function pictures(): Promise<ReadonlyMap<string, Buffer>> {
  const png = await quadrants().png().toBuffer();
  return new Map([
    ['photo.jpg', await noise(90, 60).jpeg().toBuffer()],
    ['logo.png', png],
    ['drawing.svg', QUADRANTS_SVG],
    ['anim.gif', await quadrants().gif().toBuffer()],
    ['broken.png', png.subarray(0, 60)],
  ]);
}

async function serve(): Promise<void> {
  const library = await openFontLibrary({ folders: [] });
  setSvgFonts(library.folders, library.generic);
  const renderer = new LocalRenderer({ library, concurrency: 2 });
  const files = await pictures();
  const supplies: Omit<Supplies, 'template'> = {
    fonts: async () => [],
    async image(source) {
      const bytes = files.get(source);
      if (!bytes) throw new AppError('invalid_request', 'There is no such image.');
      return { bytes: Uint8Array.from(bytes), warnings: [] };
    },
    upload: async () => new Uint8Array(),
  };
  let count = 0;

  async function drawCase({ template, modifications, output, scale }: FuzzCase): Promise<void> {
    const json = JSON.stringify(template);
    const parsed = parseAnyTemplate(JSON.parse(json));
    const { time } = checkAny(parsed, modifications, 'render');
    // Pages drawn by a browser are left out: hostile pages have tests of their own.
    if (parsed.engine === 'html' && parsed.renderer === 'chromium') return;
    const job = {
      fairnessKey: '',
      template: `fuzz@${count++}`,
      fonts: '',
      modifications,
      time,
      uploads: {},
      output,
      options: { ...DEFAULT_EXPORT, scale },
    };
    await renderer.draw(job, { ...supplies, template: async () => json }, AbortSignal.timeout(DEADLINE));
  }

  async function drawFont(path: string): Promise<void> {
    const face = await inspectFont(await readFile(path), path);
    const text = 'AVA fi 0123 ÄÖ السلام';
    const json = JSON.stringify({
      name: 'Font',
      width: 300,
      height: 60,
      layers: [{ name: 't', type: 'text', text, fontFamily: face.family, fontSize: 30 }],
    });
    const fonts = async () => [{ ...face, coverage: face.coverage.toString() }];
    for (const output of ['png', 'pdf'] as const) {
      const job = {
        fairnessKey: '',
        template: `font@${count++}`,
        fonts: path,
        modifications: {},
        time: 0,
        uploads: {},
        output,
        options: DEFAULT_EXPORT,
      };
      await renderer.draw(job, { ...supplies, fonts, template: async () => json }, AbortSignal.timeout(DEADLINE));
    }
  }

  async function drawPicture(path: string): Promise<void> {
    const image = await inspectImage(await readFile(path));
    await scaleToPixels(image, { x: 0, y: 0, width: image.width, height: image.height }, { width: 20, height: 20 });
  }

  const work = (task: Task) =>
    task.kind === 'template'
      ? drawCase(task.case)
      : task.kind === 'font'
        ? drawFont(task.path)
        : drawPicture(task.path);
  let peak = 0;
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  process.on('disconnect', () => process.exit());
  process.on('message', (task: Task) => {
    peak = 0;
    work(task).then(
      () => process.send?.({ outcome: 'done', rss: peak }),
      (error: unknown) => process.send?.({ outcome: told(error), rss: peak }),
    );
  });
}

/** The message that a caller would get; begins with `OURS` if the error is not the caller's fault. */
function told(error: unknown): string {
  if (error instanceof ValidationError || error instanceof DamagedImage) return error.message;
  const isTooMuch = error instanceof AppError && / took too (long|much memory)/.test(error.message);
  if (error instanceof AppError && error.code !== 'render_failed' && !isTooMuch) return error.message;
  return `OURS ${error instanceof Error ? error.stack : String(error)}`;
}

if (import.meta.main) await serve();
