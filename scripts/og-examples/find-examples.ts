// Finds published examples of pictures in JSX: whole files, code blocks of Markdown, and the cards of satori's
// playground.

import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';

export interface Example {
  /** Such as `satori/playground/cards/playground-data.ts Gradients` or `next/image-response.md:54`. */
  readonly name: string;
  /** A published module, or a single expression turned into the default export of a module. */
  readonly code: string;
  /** The folder to which its relative imports refer. */
  readonly folder: string;
  /** The size and fonts that the page around an expression states. */
  readonly options?: { readonly width: number; readonly height: number; readonly bold: boolean };
}

/** A folder of published files, and which of them are examples. */
export interface Source {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
}

/** satori's playground uses this size, and Inter in 400 and 700. */
const PLAYGROUND = { width: 800, height: 400, bold: true };
const DRAWS = /\bnew ImageResponse\(|\bsatori\(|from "takumi-js"/;

export async function findExamples({ name, folder, files }: Source): Promise<readonly Example[]> {
  const found: Example[] = [];
  for await (const file of glob(files, { cwd: folder })) {
    const path = join(folder, file);
    const code = await readFile(path, 'utf8');
    const at = { name: `${name}/${file}`, folder: join(path, '..') };
    if (file.endsWith('playground-data.ts')) found.push(...(await cardsOf(code, at)));
    else if (/\.mdx?$/.test(file)) found.push(...blocksOf(code, at));
    else found.push({ ...at, code });
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

type Place = Pick<Example, 'name' | 'folder'>;

/** Each card is the source of an expression: an element, or a component. */
async function cardsOf(source: string, { name, folder }: Place): Promise<readonly Example[]> {
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  const { default: cards } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    default: Readonly<Record<string, string>>;
  };
  return Object.entries(cards).map(([card, text]) => ({
    name: `${name} ${card}`,
    code: asModule(text),
    folder,
    options: PLAYGROUND,
  }));
}

const asModule = (expression: string) => `export default (\n${expression.trim().replace(/;$/, '')}\n);`;

/** Fills in what an author left out: options that every call has, and the elements of a picture. */
const filledIn = (code: string) =>
  code.replace(/^( *)\.\.\.,$/gm, '$1...options,').replace(/\(\s*\/\/ \.\.\.\s*\)/g, '(<div>A picture</div>)');

/** Code blocks that draw. A block of elements only is an expression; others are modules. */
function blocksOf(markdown: string, { name, folder }: Place): readonly Example[] {
  const blocks = markdown.matchAll(/^ *```(?:jsx|tsx|js|ts)\b[^\n]*\n(.*?)^ *```/gms);
  return [...blocks].flatMap(({ 1: code = '', index }): Example[] => {
    const at = { name: `${name}:${markdown.slice(0, index).split('\n').length}`, folder };
    if (/^\s*</.test(code) && name.startsWith('satori')) return [{ ...at, code: asModule(code), options: PLAYGROUND }];
    return DRAWS.test(code) && /^\s*(import|const|await|export)/m.test(code) ? [{ ...at, code: filledIn(code) }] : [];
  });
}
