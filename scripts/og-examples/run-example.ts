// Runs an example with the caller's ImageResponse in place of the imported one.

import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Example } from './find-examples.ts';
import { BOLD, imagePlaceholder, PROPS, REGULAR } from './stand-ins.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The elements of a published picture need only React. */
const { createElement } = createRequire(join(ROOT, 'bench/peers/package.json'))('react') as {
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
}
const world: World = { ImageResponse: Response as unknown as Responder, drawn: [], fileFor: imagePlaceholder };
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
    onLoad({ filter: /^og$/, namespace: 'examples' }, () => ({ contents: RESPONSE }));
    onLoad({ filter: /^files$/, namespace: 'examples' }, () => ({ contents: FILES }));
  },
};

/** @returns the path of a module to import. @throws NotRunnable */
export async function bundleExample({ code, folder }: Example, file: string): Promise<string> {
  const { outputFiles, errors } = await build({
    stdin: { contents: code, resolveDir: folder, loader: 'tsx' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    nodePaths: [join(ROOT, 'node_modules')],
    loader: { '.ttf': 'binary' },
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
  const { default: main, GET, options: own } = (await import(url)) as Readonly<Record<string, unknown>>;
  const handler = GET ?? main;
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

function requestOf(): Request {
  const url = new URL('http://localhost/api?username=vercel&title=A%20title');
  return Object.assign(new Request(url), { nextUrl: url, params: Promise.resolve(PARAMS), id: Promise.resolve('a') });
}
