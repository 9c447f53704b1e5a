// Writes translations as XLIFF 1.2, and reads them from 1.2 and 2.0 (OASIS).
//
// The reader knows as much of XML as these files have. It refuses document types, so no entity is ever expanded, and
// bounds length and depth.

import { quoted, ValidationError } from '#core/diagnostics.ts';
import type { TextTable, Translated } from './text-table.ts';

/** Characters of a file. */
const MAX_LENGTH = 4_000_000;
/** Elements within each other. */
const MAX_DEPTH = 32;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 does not have are left out. */
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML has no characters for.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

/** @param name of the template. @param targets languages, a `<file>` each */
export function writeXliff({ lang, rows }: TextTable, name: string, targets: readonly string[]): string {
  const files = targets.map((target) => {
    const units = rows.map(({ name: id, source, texts }) => {
      const said = texts[target];
      const state = said === undefined ? '' : `\n        <target xml:space="preserve">${escaped(said)}</target>`;
      return `      <trans-unit id="${escaped(id)}" resname="${escaped(id)}" xml:space="preserve">
        <source>${escaped(source)}</source>${state}
      </trans-unit>`;
    });
    return `  <file original="${escaped(name)}" datatype="plaintext" source-language="${escaped(lang ?? 'und')}" target-language="${escaped(target)}">
    <body>
${units.join('\n')}
    </body>
  </file>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
${files.join('\n')}
</xliff>
`;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
}

/**
 * The targets of all units; a unit without one was not translated.
 *
 * @throws ValidationError naming the line of what is wrong
 */
export function readXliff(text: string): readonly Translated[] {
  if (text.length > MAX_LENGTH) {
    throw new ValidationError('', `the file has more than ${MAX_LENGTH / 1e6} million characters; import it in parts`);
  }
  const found: Translated[] = [];
  const open: Element[] = [];
  let root: Element | null = null;
  let words: string | null = null;
  const lang = () => within(open, 'file')?.attributes['target-language'] ?? root?.attributes.trgLang;
  for (const part of parts(text)) {
    if (part.kind === 'text') {
      if (words !== null) words += part.text;
      continue;
    }
    if (part.kind === 'open') {
      root ??= part.element;
      if (root.name !== 'xliff') throw wrong(part.element.line, 'is no XLIFF: it begins with another element');
      if (open.length >= MAX_DEPTH) throw wrong(part.element.line, `elements nest at most ${MAX_DEPTH} deep`);
      open.push(part.element);
      const isUnit = within(open, 'trans-unit') ?? within(open, 'unit');
      // Not of suggestions, which some tools add to a unit.
      if (part.element.name === 'target' && isUnit && !within(open, 'alt-trans') && !within(open, 'matches'))
        words ??= '';
      if (!part.isEmpty) continue;
    }
    const closed = open.pop();
    if (!closed || closed.name !== (part.kind === 'close' ? part.name : closed.name)) {
      throw wrong(part.kind === 'close' ? part.line : 1, `</${part.kind === 'close' ? part.name : ''}> closes nothing`);
    }
    if (closed.name !== 'target' || words === null) continue;
    const unit = within(open, 'trans-unit') ?? within(open, 'unit');
    const name = unit?.attributes.resname ?? unit?.attributes.name ?? unit?.attributes.id;
    const target = lang();
    if (name === undefined) throw wrong(closed.line, 'is a target of a unit without id');
    if (target === undefined)
      throw wrong(closed.line, 'has no language: the file names none (target-language, trgLang)');
    const last = found.at(-1);
    // A unit of 2.0 may have several segments.
    if (unit?.name === 'unit' && last?.name === name && last.lang === target) {
      found[found.length - 1] = { ...last, text: last.text + words };
    } else if (words !== '') found.push({ name, lang: target, text: words });
    words = null;
  }
  const left = open.at(-1);
  if (left) throw wrong(left.line, `<${left.name}> is not closed`);
  if (!root) throw wrong(1, 'is no XLIFF: it has no elements');
  return found;
}

const within = (open: readonly Element[], name: string) => open.findLast((element) => element.name === name);

const wrong = (line: number, problem: string) => new ValidationError(`line ${line}`, problem);

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly element: Element; readonly isEmpty: boolean }
  | { readonly kind: 'close'; readonly name: string; readonly line: number };

/** An element's name without its prefix. */
const local = (name: string) => name.slice(name.indexOf(':') + 1);

function* parts(text: string): Generator<Part> {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let line = 1;
  const pass = (to: number) => {
    line += linesIn(text.slice(at, to));
    at = to;
  };
  const until = (end: string, from: number, what: string) => {
    const found = text.indexOf(end, from);
    if (found < 0) throw wrong(line, `${what} does not end`);
    return found;
  };
  while (at < text.length) {
    if (text[at] !== '<') {
      const end = text.indexOf('<', at);
      const to = end < 0 ? text.length : end;
      yield { kind: 'text', text: unescaped(text.slice(at, to), line) };
      pass(to);
    } else if (text.startsWith('<!--', at)) pass(until('-->', at + 4, 'a comment') + 3);
    else if (text.startsWith('<![CDATA[', at)) {
      const end = until(']]>', at + 9, 'a CDATA section');
      yield { kind: 'text', text: text.slice(at + 9, end) };
      pass(end + 3);
    } else if (text.startsWith('<?', at)) pass(until('?>', at + 2, 'an instruction') + 2);
    else if (text.startsWith('<!', at)) throw wrong(line, 'has a document type, which XLIFF does not need: remove it');
    else if (text.startsWith('</', at)) {
      const end = until('>', at, 'an element');
      yield { kind: 'close', name: local(text.slice(at + 2, end).trim()), line };
      pass(end + 1);
    } else {
      const begins = line;
      const end = endOfTag(text, at);
      if (end < 0) throw wrong(line, 'an element does not end');
      const inside = text.slice(at + 1, end);
      const isEmpty = inside.endsWith('/');
      const [, name = ''] = /^([^\s/>="']+)/.exec(inside) ?? [];
      if (name === '') throw wrong(line, '"<" must be written as "&lt;"');
      const attributes: Record<string, string> = Object.create(null);
      for (const [, key = '', , double, single] of inside.matchAll(/\s([^\s=/>"']+)\s*=\s*("([^"]*)"|'([^']*)')/g)) {
        attributes[local(key)] = unescaped(double ?? single ?? '', begins);
      }
      yield { kind: 'open', element: { name: local(name), attributes, line: begins }, isEmpty };
      pass(end + 1);
    }
  }
}

const linesIn = (text: string) => text.split('\n').length - 1;

/** The next ">" outside quotes; -1 = there is none. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return -1;
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string, line: number): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;\s&]{0,12});?/g, (whole, entity: string, at: number) => {
    const [, hex, digits] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(entity) ?? [];
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
    if (Number.isInteger(code) && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
    const known = Object.hasOwn(NAMED, entity) ? NAMED[entity] : undefined;
    if (known === undefined || !whole.endsWith(';')) {
      throw wrong(
        line + linesIn(text.slice(0, at)),
        `${quoted(whole)} is not an XML character; "&" is written as "&amp;"`,
      );
    }
    return known;
  });
}
