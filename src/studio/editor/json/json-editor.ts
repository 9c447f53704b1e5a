// Sets up CodeMirror for JSON, with completion from the schema and errors at their position. Only this file imports
// CodeMirror's JSON packages.

import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { syntaxTree } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { highlightSelectionMatches } from '@codemirror/search';
import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { ValidationError } from '#core/diagnostics.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { texts } from '../../texts/editor.ts';
import type { RawDocument } from '../core/document/document.ts';
import { openCode } from './code-look.ts';
import { templateSchema } from './template-schema.ts';

/** Typed text that is no template, and why. */
export interface Unfinished {
  readonly text: string;
  readonly problem: string;
}

export interface JsonEditor {
  /** Shows a document that was changed elsewhere, unless there is unfinished text. */
  show(document: RawDocument): void;
  /** Gives unfinished text up for a document. */
  reset(document: RawDocument): void;
  /** Scrolls to a layer. */
  reveal(layer: string): void;
  close(): void;
}

/** ms after a key press before the typed document is drawn. */
const PAUSE = 250;

/** @param onUnfinished called with typed text that is no template; with null once it is one */
export function openJsonEditor(
  host: HTMLElement,
  document: RawDocument,
  unfinished: Unfinished | null,
  onDocument: (document: RawDocument) => void,
  onUnfinished: (unfinished: Unfinished | null) => void,
): JsonEditor {
  let isUnfinished = unfinished !== null;
  let shown: RawDocument = document;
  let isShowing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (view: EditorView) => {
    clearTimeout(timer);
    timer = undefined;
    const text = view.state.doc.toString();
    const read = readJson(text);
    let problem: string | null = null;
    if (!read.isObject) problem = texts.value.json.line(text.slice(0, read.at).split('\n').length, read.message);
    try {
      if (problem === null) parseAnyTemplate(read.value);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    isUnfinished = problem !== null;
    onUnfinished(problem === null ? null : { text, problem });
    if (problem !== null) return;
    shown = read.value as RawDocument;
    onDocument(shown);
  };
  const view = openCode(host, {
    doc: unfinished?.text ?? written(document),
    label: texts.value.json.templateAsJson,
    extensions: [
      ...[highlightSelectionMatches(), json(), linter(findErrors, { delay: 200 }), lintGutter()],
      autocompletion({ override: [complete], positionInfo: () => ({ style: 'top: 100%; left: 0; right: 0' }) }),
    ],
    onText: () => {
      if (isShowing) return;
      clearTimeout(timer);
      timer = setTimeout(() => send(view), PAUSE);
    },
  });
  const show = (next: RawDocument) => {
    shown = next;
    const text = written(next);
    const before = view.state.doc.toString();
    if (before === text) return;
    // Replaces only the differing range, so that the caret and the folds stay.
    let start = 0;
    while (start < before.length && before[start] === text[start]) start++;
    let end = 0;
    const most = Math.min(before.length, text.length) - start;
    while (end < most && before[before.length - 1 - end] === text[text.length - 1 - end]) end++;
    isShowing = true;
    view.dispatch({ changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) } });
    isShowing = false;
  };
  return {
    show(next) {
      if (next !== shown && !isUnfinished) show(next);
    },
    reset(next) {
      isUnfinished = false;
      onUnfinished(null);
      show(next);
    },
    reveal(layer) {
      const at = view.state.doc.toString().indexOf(`"name": ${JSON.stringify(layer)}`);
      if (at >= 0 && !view.hasFocus)
        view.dispatch({
          selection: { anchor: at },
          effects: EditorView.scrollIntoView(at, { y: 'start', yMargin: 48 }),
        });
    },
    close() {
      if (timer !== undefined) send(view);
      view.destroy();
    },
  };
}

const written = (document: RawDocument) => JSON.stringify(document, null, 2);

function readJson(text: string): {
  readonly isObject: boolean;
  readonly value: unknown;
  readonly message: string;
  readonly at: number;
} {
  try {
    const value: unknown = JSON.parse(text);
    return {
      isObject: typeof value === 'object' && value !== null && !Array.isArray(value),
      value,
      message: texts.value.json.mustBeObject,
      at: 0,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { isObject: false, value: null, message, at: Number(/position (\d+)/.exec(message)?.[1] ?? text.length) };
  }
}

function findErrors(view: EditorView): readonly Diagnostic[] {
  const text = view.state.doc.toString();
  const read = readJson(text);
  if (!read.isObject) {
    const at = Math.min(read.at, text.length);
    return [{ from: Math.max(0, at - 1), to: at, severity: 'error', message: texts.value.json.notJson(read.message) }];
  }
  try {
    parseAnyTemplate(read.value);
    return [];
  } catch (error) {
    const path = error instanceof ValidationError ? error.path : '';
    const { from, to } = rangeOf(view, pathParts(path));
    return [{ from, to, severity: 'error', message: error instanceof Error ? error.message : String(error) }];
  }
}

/** `layers[3].font` → layers, 3, font. */
function pathParts(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(([, index, quoted, plain]) =>
    index === undefined ? (quoted ?? plain ?? '') : Number(index),
  );
}

type Node = ReturnType<typeof syntaxTree>['topNode'];

/** The range of the value at a path, or of the innermost existing value around it. */
function rangeOf(view: EditorView, path: readonly (string | number)[]): { readonly from: number; readonly to: number } {
  let node: Node | null = syntaxTree(view.state).topNode.firstChild;
  let range: { from: number; to: number } = { from: 0, to: Math.min(1, view.state.doc.length) };
  for (const key of path) {
    const next: Node | null = typeof key === 'number' ? itemOf(node, key) : propertyOf(view, node, key);
    if (!next) break;
    range = { from: next.from, to: next.to };
    node = next.name === 'Property' ? (next.lastChild ?? null) : next;
    if (next.name === 'Property' && next.firstChild) range = { from: next.firstChild.from, to: next.to };
  }
  return range;
}

function itemOf(node: Node | null, index: number): Node | null {
  if (node?.name !== 'Array') return null;
  const items: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (!/^[[\],]$/.test(child.name)) items.push(child);
  return items[index] ?? null;
}

function propertyOf(view: EditorView, node: Node | null, key: string): Node | null {
  if (node?.name !== 'Object') return null;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name === 'Property' && nameOf(view.state, child) === key) return child;
  }
  return null;
}

function nameOf(state: EditorState, property: Node): string {
  const name = property.getChild('PropertyName');
  if (!name) return '';
  try {
    return JSON.parse(state.sliceDoc(name.from, name.to));
  } catch {
    return '';
  }
}

/** The path of the object, list or property at a position. */
function pathAt(state: EditorState, position: number): readonly (string | number)[] {
  const path: (string | number)[] = [];
  let node: Node | null = syntaxTree(state).resolveInner(position, -1);
  while (node) {
    const parent: Node | null = node.parent;
    if (node.name === 'Property') path.unshift(nameOf(state, node));
    else if (parent?.name === 'Array') {
      let index = 0;
      for (let child = parent.firstChild; child && child.from < node.from; child = child.nextSibling) {
        if (!/^[[\],]$/.test(child.name)) index++;
      }
      path.unshift(index);
    }
    node = parent;
  }
  return path;
}

function complete(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/"[^"]*|[\w-]*/);
  const before = syntaxTree(context.state).resolveInner(context.pos, -1);
  const document = readJson(context.state.doc.toString()).value;
  const line = context.state.sliceDoc(context.state.doc.lineAt(context.pos).from, context.pos);
  const isValue = /:\s*("[^"]*|[\w.-]*)$/.test(line);
  const from = word ? word.from : context.pos;
  const path = pathAt(context.state, context.pos);
  if (isValue || before.parent?.name === 'Array') {
    const values = valuesAt(path, document);
    return values.length > 0
      ? { from, options: values.map((value) => ({ label: JSON.stringify(value), type: 'enum' })) }
      : null;
  }
  if (!context.explicit && !word) return null;
  const isInName = before.name === 'PropertyName';
  const properties = propertiesAt(isInName ? path.slice(0, -1) : path, document);
  return {
    from,
    options: [...properties].map(([name, { description }]) => ({
      label: `"${name}"`,
      apply: isInName ? `"${name}"` : `"${name}": `,
      type: 'property',
      ...(description && { info: description }),
    })),
  };
}

// Queries the published JSON Schema of a template: what is allowed at a position in a document.

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const root = templateSchema as Schema;

const deref = (schema: Schema): Schema => {
  const name = schema.$ref?.replace('#/$defs/', '');
  const target = name === undefined ? undefined : root.$defs?.[name];
  return target ? { ...deref(target), ...(schema.description && { description: schema.description }) } : schema;
};

const branches = (schema: Schema): readonly Schema[] => {
  const own = deref(schema);
  const inner = own.anyOf ?? own.oneOf;
  return inner ? inner.flatMap(branches) : [own];
};

/** Compares the constants that select a branch of a union: `type`, `engine`. */
function fits(schema: Schema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return ['type', 'engine'].every((key) => {
    const said = (value as Readonly<Record<string, unknown>>)[key];
    const wanted = schema.properties?.[key];
    return said === undefined || wanted === undefined || wanted.const === undefined || wanted.const === said;
  });
}

/** The schemas that apply at a path. */
function schemasAt(path: readonly (string | number)[], document: unknown): readonly Schema[] {
  let value = document;
  let schemas = branches(root).filter((schema) => fits(schema, value));
  for (const key of path) {
    schemas = schemas.flatMap((schema) => {
      const next = typeof key === 'number' ? schema.items : schema.properties?.[key];
      return next ? branches(next) : [];
    });
    value = (value as Readonly<Record<string | number, unknown>> | null | undefined)?.[key];
    schemas = schemas.filter((schema) => fits(schema, value));
  }
  return schemas;
}

/** The properties allowed at a path, with their schemas. */
function propertiesAt(path: readonly (string | number)[], document: unknown): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema>();
  for (const { properties = {} } of schemasAt(path, document)) {
    for (const [name, schema] of Object.entries(properties)) if (!found.has(name)) found.set(name, deref(schema));
  }
  return found;
}

/** Values that a schema lists. */
function valuesAt(path: readonly (string | number)[], document: unknown): readonly unknown[] {
  const listed = schemasAt(path, document).flatMap((schema) => [
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...(schema.type === 'boolean' ? [true, false] : []),
    ...(schema.default === undefined ? [] : [schema.default]),
  ]);
  return [...new Set(listed.map((value) => JSON.stringify(value)))].map((text) => JSON.parse(text));
}
