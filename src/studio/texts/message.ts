// Sentences with values, in the part of ICU MessageFormat that translations use: `{name}`, `{n, number}` and
// `{n, number, ::.0}`, `{text, lower}` (not of ICU), `{n, plural, =0 {…} one {# row} other {# rows}}` and
// `{who, select, none {…} other {…}}`, where `none` is null or empty. What is chosen may hold values in turn; a brace that
// is shown is quoted, `'{'`.

import { count, decimal, form } from '../shell/format.ts';

export type Part =
  | string
  | { readonly kind: 'value' | 'number' | 'decimal' | 'lower' | 'hash'; readonly name: string }
  | { readonly kind: 'plural' | 'select'; readonly name: string; readonly cases: ReadonlyMap<string, readonly Part[]> };

/** @throws Error saying what is wrong, and where */
export function parseMessage(message: string): readonly Part[] {
  let at = 0;
  const wrong = (problem: string) => new Error(`${problem} at character ${at + 1} of “${message}”`);
  const skip = () => {
    while (/\s/.test(message[at] ?? '')) at++;
  };
  const word = () => {
    skip();
    const [found = ''] = /^[^\s{},#]*/.exec(message.slice(at)) ?? [];
    at += found.length;
    skip();
    return found;
  };
  const take = (sign: string) => {
    if (message[at] !== sign) throw wrong(`“${sign}” is missing`);
    at++;
  };
  /** @param counted the value that `#` stands for; null outside of a plural */
  const parts = (counted: string | null, isInner: boolean): readonly Part[] => {
    const found: Part[] = [];
    let text = '';
    for (; at < message.length && !(isInner && message[at] === '}'); ) {
      const sign = message[at] ?? '';
      const [quotedSign, brace] = /^'([{}])'/.exec(message.slice(at, at + 3)) ?? [];
      if (quotedSign) {
        text += brace;
        at += quotedSign.length;
        continue;
      }
      if (sign === '}') throw wrong('“}” closes nothing');
      if (sign !== '{' && (sign !== '#' || counted === null)) {
        text += sign;
        at++;
        continue;
      }
      if (text !== '') found.push(text);
      text = '';
      at++;
      found.push(sign === '#' ? { kind: 'hash', name: counted ?? '' } : value(counted));
    }
    if (text !== '') found.push(text);
    return found;
  };
  const value = (counted: string | null): Part => {
    const name = word();
    if (!/^[a-z]\w*$/i.test(name)) throw wrong(`“${name}” is not the name of a value`);
    let part: Part = { kind: 'value', name };
    if (message[at] === ',') {
      at++;
      const kind = word();
      if (kind === 'plural' || kind === 'select') {
        take(',');
        part = { kind, name, cases: cases(kind === 'plural' ? name : counted) };
      } else if (kind === 'lower') part = { kind, name };
      else if (kind === 'number') {
        const isDecimal = message[at] === ',';
        if (isDecimal) at++;
        if (isDecimal && word() !== '::.0') throw wrong('of numbers there are “number” and “number, ::.0”, not this');
        part = { kind: isDecimal ? 'decimal' : 'number', name };
      } else throw wrong(`“${kind}” is not a kind of value`);
    }
    take('}');
    return part;
  };
  const cases = (counted: string | null) => {
    const found = new Map<string, readonly Part[]>();
    for (let key = word(); key !== ''; key = word()) {
      take('{');
      found.set(key, parts(counted, true));
      take('}');
    }
    if (!found.has('other')) throw wrong('the case “other” is missing');
    return found;
  };
  return parts(null, false);
}

type Values = Readonly<Record<string, unknown>>;

const isNone = (value: unknown) => value === null || value === undefined || value === '';
const numberOf = (value: unknown) => (Array.isArray(value) ? value.length : Number(value));
const textOf = (value: unknown) => (isNone(value) ? '' : Array.isArray(value) ? value.join(', ') : String(value));

function said(parts: readonly Part[], values: Values): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = values[part.name];
      switch (part.kind) {
        case 'value':
          return textOf(value);
        case 'lower':
          return textOf(value).toLowerCase();
        case 'number':
        case 'hash':
          return count(numberOf(value));
        case 'decimal':
          return decimal(numberOf(value));
        default: {
          const { cases, kind } = part;
          const exact = kind === 'plural' ? `=${numberOf(value)}` : isNone(value) ? 'none' : String(value);
          const chosen = cases.get(exact) ?? (kind === 'plural' && cases.get(form(numberOf(value), FORMS)));
          return said(chosen || (cases.get('other') ?? []), values);
        }
      }
    })
    .join('');
}

/** Each form as its own name. */
const FORMS = { zero: 'zero', one: 'one', two: 'two', few: 'few', many: 'many', other: 'other' } as const;

/** The texts of a language as its file has them, such as `de.json`. */
export interface Catalog {
  /** A text; below the name with the names of its values, `chosen(templates)`, a sentence with values; or texts. */
  readonly [key: string]: string | Catalog;
}

/** The texts as the English ones are: sentences with values are functions of these values, in their order. */
export function textsOf(catalog: Catalog): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(catalog).map(([key, text]) => {
      if (typeof text !== 'string') return [key, textsOf(text)];
      const [, name = key, names] = /^([^(]+)\(([^)]*)\)$/.exec(key) ?? [];
      return [name, names === undefined ? text : sentence(text, names.split(', '))];
    }),
  );
}

function sentence(message: string, names: readonly string[]): (...values: readonly unknown[]) => string {
  let parts: readonly Part[] | null = null;
  return (...values) => {
    parts ??= parseMessage(message);
    return said(parts, Object.fromEntries(names.map((name, at) => [name, values[at]])));
  };
}

/**
 * Says an English sentence in another language. The messages are of values alone, which are found in the sentence again;
 * what none of them says is returned as it is.
 *
 * @param english the messages by the keys that `spoken` has too
 */
export function sentenceReader(english: Catalog, spoken: Catalog): (said: string) => string {
  const known = Object.entries(english).map(([key, message]) => ({
    pieces: String(message).split(/\{\w+\}/),
    names: Array.from(String(message).matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
    other: parseMessage(String(spoken[key])),
  }));
  const more = parseMessage(String(spoken['more(more)'] ?? '+{more}'));
  return (sentence) => {
    for (const { pieces, names, other } of known) {
      // The end of a list is English too.
      const values = valuesBetween(sentence, pieces)?.map((value) =>
        value.replace(/ and (\d+) more$/, (_, rest: string) => ` ${said(more, { more: rest })}`),
      );
      if (values) return said(other, Object.fromEntries(names.map((name, at) => [name, values[at]])));
    }
    return sentence;
  };
}

/** What stands between the pieces of a sentence; null = it has other pieces. A value is as short as it can be, but the last. */
function valuesBetween(sentence: string, [first = '', ...pieces]: readonly string[]): readonly string[] | null {
  if (!sentence.startsWith(first)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [i, piece] of pieces.entries()) {
    const isLast = i === pieces.length - 1;
    const end = isLast ? sentence.length - piece.length : sentence.indexOf(piece, at);
    if (end < at || (isLast && !sentence.endsWith(piece))) return null;
    values.push(sentence.slice(at, end));
    at = end + piece.length;
  }
  return values;
}
