// Runs an example with the caller's ImageResponse in place of the imported one.

import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Example } from './find-examples.ts';
import { BOLD, imagePlaceholder, MODULES, PROPS, REGULAR } from './stand-ins.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The elements of a published picture need only React, which the benchmark installs. */
const PEERS = join(ROOT, 'bench/peers');
const { createElement } = createRequire(join(PEERS, 'package.json'))('react') as {
  createElement: (...args: unknown[]) => unknown;
};

export interface DrawOptions {
  readonly width?: number;
  readonly height?: number;
  readonly fonts?: readonly object[];
}
/** An ImageResponse: ours or another's. */
export type Responder = new (element: unknown, options?: DrawOptions) => Response;

/** The example is not a complete program, or needs files that are not published with it. */
export class NotRunnable extends Error {}

/** What an example draws with; read by the modules that replace its imports. */
interface World {
  ImageResponse: Responder;
  drawn: Response[];
  readonly fileFor: typeof imagePlaceholder;
  readonly modules: typeof MODULES;
}
const world: World = {
  ImageResponse: Response as unknown as Responder,
  drawn: [],
  fileFor: imagePlaceholder,
  modules: MODULES,
};
const GLOBALS = {
  platenExamples: world,
  satori: (element: unknown, options: DrawOptions) => {
    world.drawn.push(new world.ImageResponse(element, options));
  },
  options: { width: 600, height: 400 },
  inter: REGULAR,
  interBold: BOLD,
  robotoArrayBuffer: REGULAR,
};

const RESPONSE = `const { platenExamples } = globalThis;
export const ImageResponse = class {
  constructor(element, options) {
    const answer = new platenExamples.ImageResponse(element, options);
    platenExamples.drawn.push(answer);
    return answer;
  }
};
export class NextRequest extends Request {}
export const render = async (element, options) => new ImageResponse(element, options);
export const renderSvg = render;
export default render;`;
const FILES = `import * as fs from 'node:fs';
export const writeFile = async () => {};
export const readFile = async (path, encoding) =>
  fs.promises.readFile(path, encoding).catch(async () => {
    const file = Buffer.from(await globalThis.platenExamples.fileFor(String(path)).arrayBuffer());
    return encoding ? file.toString(encoding?.encoding ?? encoding) : file;
  });
export default { writeFile, readFile };`;

const modules: Plugin = {
  name: 'examples',
  setup({ onResolve, onLoad }) {
    const ending = (filter: RegExp, path: string) => onResolve({ filter }, () => ({ path, namespace: 'examples' }));
    ending(
      /^(@vercel\/og|next\/(og|server)|takumi-js(\/response)?|@takumi-rs\/image-response|satori(\/standalone)?)$/,
      'og',
    );
    ending(/^(node:)?fs\/promises$/, 'files');
    onResolve({ filter: /^satori\/jsx/ }, ({ path }) => ({ path: fileURLToPath(import.meta.resolve(path)) }));
    onResolve({ filter: /./ }, ({ path }) => (path in MODULES ? { path, namespace: 'project' } : null));
    // CommonJS, so that any name can be imported from it.
    onLoad({ filter: /./, namespace: 'project' }, ({ path }) => ({
      contents: `module.exports = globalThis.platenExamples.modules[${JSON.stringify(path)}]`,
    }));
    onLoad({ filter: /^og$/, namespace: 'examples' }, () => ({ contents: RESPONSE }));
    onLoad({ filter: /^files$/, namespace: 'examples' }, () => ({ contents: FILES }));
  },
};

/** The nearest folder around an example that has a `lib`, which its imports of `@/…` refer to; else its own. */
function projectOf(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, 'lib'))) return at;
  return folder;
}

/** @returns the path of a module to import. @throws NotRunnable */
export async function bundleExample({ code, folder }: Example, file: string): Promise<string> {
  const { outputFiles, errors } = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'tsx' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    nodePaths: [join(ROOT, 'node_modules'), join(PEERS, 'node_modules')],
    loader: { '.ttf': 'binary' },
    alias: { '@': projectOf(folder) },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [modules],
    logLevel: 'silent',
  }).catch((error: { errors: { text: string }[] }) => ({ outputFiles: [], errors: error.errors }));
  if (errors.length > 0) throw new NotRunnable(errors[0]?.text);
  await writeFile(file, outputFiles[0]?.contents ?? '');
  return pathToFileURL(file).href;
}

/**
 * The pictures that a module draws: from exported elements and components, from handlers, or at the top level.
 *
 * @throws Error of the example or of its renderer; NotRunnable if nothing was drawn
 */
export async function runExample(
  url: string,
  { options }: Example,
  ImageResponse: Responder,
): Promise<readonly Uint8Array[]> {
  Object.assign(globalThis, GLOBALS);
  Object.assign(world, { ImageResponse, drawn: [] });
  const { default: main, GET, generate, options: own } = (await import(url)) as Readonly<Record<string, unknown>>;
  const handler = GET ?? main ?? generate;
  const given: DrawOptions = (own as DrawOptions) ?? { width: options?.width ?? 1200, height: options?.height ?? 630 };
  if (options?.bold) {
    const face = (data: Uint8Array, weight: number) => ({ name: 'Inter', data, weight, style: 'normal' });
    Object.assign(given, { fonts: [face(REGULAR, 400), face(BOLD, 700)] });
  }
  if (typeof handler === 'function') {
    // Calling a component draws nothing, unlike calling a handler: the result tells which it is.
    const result: unknown = await handler(Object.assign(requestOf(), PROPS), { params: Promise.resolve(PARAMS) });
    if (!(result instanceof Response) && world.drawn.length === 0) {
      world.drawn.push(new ImageResponse(createElement(handler, PROPS), given));
    }
  } else if (handler !== undefined) {
    world.drawn.push(new ImageResponse(handler, given));
  }
  if (world.drawn.length === 0) throw new NotRunnable('It draws nothing.');
  return Promise.all(world.drawn.map(async (answer) => new Uint8Array(await answer.arrayBuffer())));
}

const PARAMS = { id: 'a', slug: 'a-post' };
/** What examples read of an address. The token is that of the example that checks one: a digest of `id`. */
const TOKEN = createHmac('sha256', 'my_secret').update('{"id":"a"}').digest('hex');
const QUERY = `username=vercel&title=A%20title&heading=A%20heading&type=Article&id=a&token=${TOKEN}`;

function requestOf(): Request {
  const url = new URL(`http://localhost/api?${QUERY}`);
  return Object.assign(new Request(url), { nextUrl: url, params: Promise.resolve(PARAMS), id: Promise.resolve('a') });
}
