// Tests that what the interface says stands in src/studio/texts, and that its German is complete.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import { propertyOf } from '../../src/studio/editor/inspector/schema.ts';
import { editor as german } from '../../src/studio/texts/de/editor.ts';

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

/** Names of codes and of colour spaces, and levels of error correction. */
const CODES =
  /^(?:[LMQH]|[a-z]+\d[\d-]*|upc[ae]|datamatrix|azteccode|qr|gs1-(?:128|qr)|srgb|srgb-linear|oklab|oklch|hsl)$/;

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

test('every property and keyword of a layer has a German name', () => {
  const missing = new Set<string>();
  const seen = new Set<z.ZodType>();
  const need = (word: string) => {
    if (!(word in german.names) && !CODES.test(word)) missing.add(word);
  };
  const visit = (schema: z.ZodType) => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const { control } = propertyOf(schema);
    if (control.kind === 'choice' || control.kind === 'choices') control.options.forEach(need);
    if (control.kind === 'object') {
      for (const [name, property] of Object.entries(control.properties)) {
        need(name);
        visit(property);
      }
    }
    if (control.kind === 'list') visit(control.item);
    if (control.kind === 'record') visit(control.value);
    if (control.kind === 'tuple') control.items.forEach(visit);
    if (control.kind === 'union') control.options.forEach(visit);
  };
  Object.values(LAYER_SCHEMAS).forEach(visit);
  expect(seen.size).toBeGreaterThan(100);
  expect([...missing]).toEqual([]);
});
