// Reads the English texts of the studio out of their sources, as translators get them: sentences with values as messages
// (src/studio/texts/message.ts), each with its comment.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import type { z } from 'zod';
import { TemplateProperties } from '#core/template/document-properties.ts';
import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import { humanized, propertyOf } from '../../src/studio/editor/inspector/schema.ts';

const ENGLISH = join(import.meta.dirname, '../../src/studio/texts/en');
const ROOMS = ['shell', 'pages', 'editor', 'data'] as const;

export interface EnglishText {
  /** Room, groups and name, such as `pages.templates.chosen`. */
  readonly id: string;
  readonly path: readonly string[];
  /** The names of its values in their order; null = a text without values. */
  readonly values: readonly string[] | null;
  readonly message: string;
  /** What the source says of it; '' = nothing. */
  readonly note: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  // biome-ignore lint/suspicious/noExplicitAny: nodes of ESTree, told apart by their type.
  readonly [key: string]: any;
}

/** @throws Error naming a text that no message can say */
export function englishTexts(): readonly EnglishText[] {
  return ROOMS.flatMap((room) => {
    const code = readFileSync(join(ENGLISH, `${room}.ts`), 'utf8');
    const { program, comments } = parseSync(`${room}.ts`, code);
    const noteBefore = (at: number) => {
      const found = comments.find(({ end, start }) => start < at && code.slice(end, at).trim() === '');
      const lines = (found?.value ?? '').split('\n').map((line) => line.trim().replace(/^\*+/, '').trim());
      return lines.join(' ').trim();
    };
    const walk = (node: Node, path: readonly string[], note: string): readonly EnglishText[] => {
      if (/^TS(As|Satisfies)Expression$|^ParenthesizedExpression$/.test(node.type))
        return walk(node.expression, path, note);
      if (node.type === 'ObjectExpression') {
        return node.properties.flatMap((property: Node) =>
          walk(property.value, [...path, String(property.key.name ?? property.key.value)], noteBefore(property.start)),
        );
      }
      const id = path.join('.');
      if (node.type !== 'ArrowFunctionExpression') return [{ id, path, values: null, message: node.value, note }];
      const values = node.params.map((param: Node) => (param.left ?? param).name as string);
      return [{ id, path, values, message: new Writer(id).write(node.body), note }];
    };
    const texts = program.body.find(({ type }) => type === 'ExportNamedDeclaration') as unknown as Node;
    return walk(texts.declaration.declarations[0].init, [room], '');
  });
}

/** Writes an expression of the English texts as a message. */
class Writer {
  readonly #id: string;
  constructor(id: string) {
    this.#id = id;
  }

  write(node: Node): string {
    switch (node.type) {
      case 'ParenthesizedExpression':
        return this.write(node.expression);
      case 'Literal':
        return this.#plain(String(node.value));
      case 'Identifier':
        return `{${node.name}}`;
      case 'TemplateLiteral':
        return node.quasis
          .map((quasi: Node, at: number) => {
            const inner = node.expressions[at];
            return this.#plain(quasi.value.cooked) + (inner ? this.write(inner) : '');
          })
          .join('');
      case 'LogicalExpression': {
        const value = this.#name(node.left);
        const without = this.write(node.right);
        return without === '' ? `{${value}}` : `{${value}, select, none {${without}} other {{${value}}}}`;
      }
      case 'ConditionalExpression': {
        const value = this.#name(node.test.left);
        const [yes, no] = [this.write(node.consequent), this.write(node.alternate)];
        const { value: is } = node.test.right;
        return typeof is === 'number'
          ? `{${value}, plural, =${is} {${yes}} other {${no}}}`
          : `{${value}, select, none {${yes}} other {${no}}}`;
      }
      case 'CallExpression':
        return this.#call(node);
      default:
        throw this.#wrong(`has ${node.type}`);
    }
  }

  #call({ callee, arguments: [first, second, third] }: Node): string {
    if (callee.property?.name === 'toLowerCase') return `{${this.#name(callee.object)}, lower}`;
    if (callee.property?.name === 'join') return `{${this.#name(callee.object)}}`;
    const value = this.#name(first);
    switch (callee.name) {
      case 'count':
        return `{${value}, number}`;
      case 'decimal':
        return `{${value}, number, ::.0}`;
      case 'plural': {
        const one = this.write(second);
        return `{${value}, plural, one {# ${one}} other {# ${third ? this.write(third) : `${one}s`}}}`;
      }
      case 'form': {
        const forms = second.properties.map((form: Node) => `${form.key.name} {${this.write(form.value)}}`);
        return `{${value}, plural, ${forms.join(' ')}}`;
      }
      default:
        throw this.#wrong(`calls ${callee.name}`);
    }
  }

  /** Of a value, or of how many a list has. */
  #name(node: Node): string {
    const { name } = node.property?.name === 'length' ? node.object : node;
    if (typeof name !== 'string') throw this.#wrong('chooses by something else than a value');
    return name;
  }

  #plain(text: string): string {
    if (/#|'[{}]/.test(text)) throw this.#wrong('has “#” beside values');
    return text.replaceAll(/[{}]/g, "'$&'");
  }

  #wrong(problem: string): Error {
    return new Error(`The text ${this.#id} ${problem}: write it so that translators can (CONTRIBUTING.md).`);
  }
}

/** The warnings of renders, which are messages in English too: the server writes the sentences. */
export function warningMessages(): readonly EnglishText[] {
  const messages = JSON.parse(readFileSync(join(ENGLISH, 'warnings.json'), 'utf8')) as Readonly<Record<string, string>>;
  return Object.entries(messages).map(([key, message]) => {
    const [name = '', values = ''] = key.slice(0, -1).split('(');
    const path = ['warnings', name];
    return { id: path.join('.'), path, values: values.split(', '), message, note: '' };
  });
}

/** Names of codes and of colour spaces, and levels of error correction: the same in every language. */
const CODES =
  /^(?:[LMQH]|[a-z]+\d[\d-]*|upc[ae]|datamatrix|azteccode|qr|gs1-(?:128|qr)|srgb|srgb-linear|oklab|oklch|hsl)$/;

/**
 * The words that English has by itself: names of properties and keywords of layers, kinds of starters and of layers.
 * Other languages have them under `names`, `starterKinds` and `layerTypes`.
 */
export function namedWords(): readonly EnglishText[] {
  const words = (path: readonly string[], all: Iterable<string>, say: (word: string) => string = (word) => word) =>
    Array.from(all, (word): EnglishText => {
      const id = [...path, word].join('.');
      return { id, path: [...path, word], values: null, message: say(word), note: '' };
    });
  const kinds = JSON.parse(readFileSync(join(ENGLISH, '../../../../starters/kinds.json'), 'utf8')) as object;
  return [
    ...words(['editor', 'names'], namesOfLayers(), (word) => humanized(word.replaceAll('-', ' '))),
    ...words(['pages', 'starterKinds'], Object.keys(kinds)),
    ...words(['pages', 'layerTypes'], [...Object.keys(LAYER_SCHEMAS), 'template']),
  ];
}

/** Names that the inspector shows beside those of the schemas. */
const OTHER_NAMES = ['textStyle', 'version', 'modifications', 'min-content', 'max-content', 'fit-content'];

function namesOfLayers(): ReadonlySet<string> {
  const names = new Set(OTHER_NAMES);
  const seen = new Set<z.ZodType>();
  const visit = (schema: z.ZodType) => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const { control } = propertyOf(schema);
    if (control.kind === 'choice' || control.kind === 'choices') for (const word of control.options) names.add(word);
    if (control.kind === 'object') {
      for (const [name, property] of Object.entries(control.properties)) {
        names.add(name);
        visit(property);
      }
    }
    if (control.kind === 'list') visit(control.item);
    if (control.kind === 'record') visit(control.value);
    if (control.kind === 'tuple') control.items.forEach(visit);
    if (control.kind === 'union') control.options.forEach(visit);
  };
  Object.values(LAYER_SCHEMAS).forEach(visit);
  // What the panel of the PDF shows without fields of its own.
  visit(TemplateProperties.omit({ conforms: true, invoice: true, attachments: true, outputIntent: true }));
  return new Set([...names].filter((word) => !CODES.test(word)));
}
