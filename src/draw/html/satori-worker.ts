// The worker thread of satori: lays out a tree with fonts and returns SVG, or writes the style sheet of Tailwind's classes.
//
// Satori is synchronous and may take long on a hostile page, so its thread can be terminated. It would fetch any
// address that it finds. The page no longer contains any, and a remaining attempt is blocked and reported.

import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { parentPort } from 'node:worker_threads';
import satori, { type Font } from 'satori';
import type {
  SatoriFont,
  SatoriJob,
  SatoriLink,
  SatoriResult,
  SatoriText,
  TailwindJob,
  TailwindResult,
} from './satori.ts';

let attempts = 0;
function refuse(): never {
  attempts += 1;
  throw new Error('nothing is fetched here');
}
globalThis.fetch = refuse;
dns.lookup = refuse as typeof dns.lookup;
syncBuiltinESMExports();
// Satori logs what it could not load; the result reports it instead.
console.error = console.warn = () => {};

/**
 * A bug of satori: it passes the font families of a list marker as a list, fails on it, and then inherits the same
 * families.
 */
const isOwnMistake = (message: string): boolean => {
  const at = message.indexOf('is not a function');
  return at >= 0 && message.includes('`fontFamily:', at);
};

/** By the sender's key; satori caches parsed fonts by the identity of these buffers. */
const files = new Map<string, Buffer>();

function fontOf({ key, file, name, weight, style }: SatoriFont): Font {
  if (file) files.set(key, Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const data = files.get(key);
  if (!data) throw new Error(`no font file ${key}`);
  return { name, data, weight: weight as NonNullable<Font['weight']>, style };
}

async function draw({ tree, width, height, fonts }: SatoriJob): Promise<SatoriResult> {
  const problems: string[] = [];
  const links: SatoriLink[] = [];
  const texts: SatoriText[] = [];
  attempts = 0;
  try {
    const svg = await satori(tree as Parameters<typeof satori>[0], {
      width,
      height,
      fonts: fonts.map(fontOf),
      embedFont: false,
      onStyleError: ({ message }) => {
        if (!isOwnMistake(message)) problems.push(message);
      },
      onNodeDetected: ({ type, props, textContent, ...rect }) => {
        const box = { x: rect.left, y: rect.top, width: rect.width, height: rect.height };
        if (typeof textContent === 'string' && textContent.trim() !== '') {
          texts.push({ words: textContent, ...box });
        }
        if (type !== 'a' || typeof props.href !== 'string') return;
        links.push({ href: props.href, ...box });
      },
    });
    if (attempts > 0) return { problem: 'an address in its CSS is written with escapes' };
    if (problems[0] !== undefined) return { problem: problems[0] };
    return { svg, links, texts };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function writeSheet({ classes, theme }: TailwindJob): Promise<TailwindResult> {
  try {
    const { compileClasses } = await import('./tailwind/compile-classes.ts');
    return { css: await compileClasses(classes, theme) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', async (job: SatoriJob | TailwindJob) =>
  parentPort?.postMessage(await ('classes' in job ? writeSheet(job) : draw(job))),
);
