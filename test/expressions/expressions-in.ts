// Finds the regular expressions of the sources with a parser: literals, and those that are built from texts.

import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

export interface FoundExpression {
  readonly source: string;
  readonly flags: string;
  /** `src/base/ids.ts:18` */
  readonly place: string;
}

/**
 * The values of names that only a call knows, by file: of each set an expression is built.
 */
export type Values = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) yield* nodesIn(child);
}

interface Source {
  readonly text: string;
  readonly program: Node;
}

const sources = new Map<string, Source>();

function sourceOf(file: string): Source {
  let source = sources.get(file);
  if (!source) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const { program, errors } = parseSync(file, text);
    if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
    source = { text, program: program as unknown as Node };
    sources.set(file, source);
  }
  return source;
}

/** Names of variables in an expression. */
const namesIn = (node: Node): readonly string[] =>
  [...nodesIn(node)].flatMap((each) =>
    each.type === 'Identifier' && each.name !== 'RegExp' ? [each.name as string] : [],
  );

/** What a name means at the top of a file: a constant there, or one that it imports. @throws Error for anything else */
function constant(file: string, name: string): unknown {
  const { text, program } = sourceOf(file);
  for (const statement of program.body as Node[]) {
    if (statement.type === 'ImportDeclaration') {
      const found = (statement.specifiers as { local: Node; imported?: Node }[]).find(
        (each) => each.local.name === name,
      );
      const from = String((statement.source as Node).value);
      if (found?.imported && /^[.#]/.test(from)) {
        const target = from.startsWith('#') ? `src/${from.slice(1)}` : join(dirname(file), from);
        return constant(target, String(found.imported.name));
      }
    }
    const declaration = (statement.declaration ?? statement) as Node;
    if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    const found = (declaration.declarations as { id: Node; init: Node }[]).find(({ id }) => id.name === name);
    if (found) return evaluated(file, text.slice(found.init.start, found.init.end), namesIn(found.init), {});
  }
  throw new Error(`${file}: the value of ${name} is not known: add it to the values of expressions that are built`);
}

/** Evaluates an expression, whose other names are constants of its file. */
function evaluated(file: string, text: string, names: readonly string[], values: Readonly<Record<string, unknown>>) {
  const own = [...new Set(names)].filter((name) => !['source', 'flags', 'name'].includes(name) || name in values);
  const given = own.map((name) => (name in values ? values[name] : constant(file, name)));
  return new Function(...own, `return (${text})`)(...given);
}

/** Every expression of `src`. @throws Error for one that is built from something unknown */
export async function expressionsOfSources(values: Values): Promise<readonly FoundExpression[]> {
  const found: FoundExpression[] = [];
  const files: string[] = [];
  for await (const file of glob('src/**/*.{ts,tsx,js,cjs,mjs}', { cwd: ROOT })) files.push(file);
  for (const file of files.sort()) {
    const { text, program } = sourceOf(file);
    for (const node of nodesIn(program)) {
      const place = () => `${file}:${text.slice(0, node.start).split('\n').length}`;
      if (node.type === 'Literal' && node.regex) {
        const { pattern, flags } = node.regex as { pattern: string; flags: string };
        found.push({ source: pattern, flags, place: place() });
      }
      const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
      if (!isCall || (node.callee as Node).name !== 'RegExp') continue;
      for (const set of values[file] ?? [{}]) {
        const names = (node.arguments as Node[]).flatMap(namesIn);
        const { source, flags } = evaluated(file, text.slice(node.start, node.end), names, set) as RegExp;
        found.push({ source, flags, place: place() });
      }
    }
  }
  return found;
}
