// Tests that what the interface says stands in src/studio/texts, and is read when it is shown.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const STUDIO = join(import.meta.dirname, '../../src/studio');
const FILES = ['editor', 'embed', 'parts', 'shell', 'pages'].flatMap((room) =>
  globSync(`${room}/**/*.{ts,tsx}`, { cwd: STUDIO }),
);

/** Attributes and properties that are shown or read out. */
const SHOWN =
  /^(?:aria-label|aria-roledescription|aria-valuetext|title|label|placeholder|alt|hint|aside|action|choose|header|prefix)$/;

/** The same in every language. */
const ALIKE: readonly (readonly [text: RegExp, reason: string])[] = [
  [/^(?:HTML|CSS|JSON|URL|PDF|ID|webhook-id)$/, 'names of formats and of fields'],
  [/^(?:platen|npm run platen) /, 'a command to type'],
  [/^(?:curl|JavaScript|Python)$/, 'names of languages'],
  [
    /^https:\/\/example\.com|^(?:de, fr, pt-BR|en-IE|en|EUR)$|^item,quantity,amount|^title\t|^https:\/\/app\.example\.com/,
    'examples of values',
  ],
  [/^(?:[XYRKOv]|F2)$|^plt_/, 'a sign, a key, the start of an id'],
  [/^(?:px|mm|[•\s,×:]*(?:px|mm))$/, 'numbers with their unit'],
];

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Calls back for each node, with the nodes around it, the nearest last. */
function walk(node: unknown, visit: (node: Node, around: readonly Node[]) => void, around: readonly Node[] = []): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit, around);
  else if (typeof node === 'object' && node !== null && 'type' in node) {
    visit(node as Node, around);
    for (const [key, inner] of Object.entries(node))
      if (key !== 'parent') walk(inner, visit, [...around, node as Node]);
  }
}

const parsed = FILES.map((file) => {
  const code = readFileSync(join(STUDIO, file), 'utf8');
  return { file, code, program: parseSync(file, code).program };
});

/** The words of a literal, with `•` for what is inserted; null for other nodes. */
function wordsOf(node: Node): string | null {
  if (node.type === 'JSXText') return String(node.value).trim();
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral') return null;
  return (node.quasis as readonly { value: { raw: string } }[]).map(({ value }) => value.raw).join('•');
}

/** Whether the value of a node is shown: it is between tags, or that of such an attribute or property, or a message. */
function isShown(node: Node, around: readonly Node[]): boolean {
  if (node.type === 'JSXText') return true;
  // What chooses between texts, and what a text is compared with, are not shown.
  let inner = node;
  for (const outer of around.toReversed()) {
    if (outer.type === 'ConditionalExpression' && outer.test === inner) return false;
    if (outer.type === 'JSXExpressionContainer') {
      const parent = around[around.indexOf(outer) - 1];
      return parent?.type !== 'JSXAttribute' || SHOWN.test(nameOf(parent.name));
    }
    if (outer.type === 'JSXAttribute') return SHOWN.test(nameOf(outer.name));
    if (outer.type === 'Property') return outer.value === inner && SHOWN.test(nameOf(outer.key));
    if (outer.type === 'VariableDeclarator') return SHOWN.test(nameOf(outer.id));
    if (outer.type === 'CallExpression') {
      return nameOf(outer.callee) === 'toast' && (outer.arguments as readonly Node[])[0] === inner;
    }
    if (!/^(?:ConditionalExpression|LogicalExpression|TemplateLiteral|TSAsExpression)$/.test(outer.type)) return false;
    inner = outer;
  }
  return false;
}

const nameOf = (node: unknown) => {
  const { name, value } = node as { readonly name?: unknown; readonly value?: unknown };
  return String(name ?? value ?? '');
};

test('no text of the interface stands in a component', () => {
  const found: string[] = [];
  const excused = new Set<unknown>();
  for (const { file, code, program } of parsed) {
    walk(program, (node, around) => {
      const words = wordsOf(node);
      if (words === null || !isShown(node, around) || !/\p{L}/u.test(words)) return;
      const alike = ALIKE.find(([text]) => text.test(words));
      if (alike) excused.add(alike);
      else found.push(`${file}:${code.slice(0, node.start).split('\n').length} ${words}`);
    });
  }
  expect(found).toEqual([]);
  // The walk sees texts, and no exception outlives what it is for.
  expect(ALIKE.filter((one) => !excused.has(one))).toEqual([]);
});

test('texts are read when something is shown, not while a module loads', () => {
  const found: string[] = [];
  for (const { file, program } of parsed) {
    walk(program, (node, around) => {
      const isRead =
        node.type === 'MemberExpression' && nameOf(node.object) === 'texts' && nameOf(node.property) === 'value';
      if (isRead && !around.some(({ type }) => /Function/.test(type))) found.push(file);
    });
  }
  expect(found).toEqual([]);
});
