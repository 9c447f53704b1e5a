// Finds where a text stops being JSON (RFC 8259), and says what was expected there. `JSON.parse` names the position of
// some errors only.

import { quoted } from '#core/diagnostics.ts';

export interface JsonFault {
  /** Index in the text, in UTF-16 units. */
  readonly at: number;
  /** What is wrong, as part of a sentence. */
  readonly problem: string;
}

const NUMBER = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WORD = /[\p{L}\p{N}_$-]{1,30}/uy;
const SPACE = /[ \t\n\r]*/y;
const LITERALS = new Set(['true', 'false', 'null']);

/** The first fault, or null if the text is JSON. Takes linear time; nesting must be limited by the caller. */
export function findJsonFault(text: string): JsonFault | null {
  if (text.startsWith('\ufeff')) return { at: 0, problem: 'it begins with a byte order mark, which JSON may not have' };
  try {
    new Reader(text).document();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Line and column of an index, both from 1; columns count UTF-16 units. */
export function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  let [line, begin] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', begin)) {
    line += 1;
    begin = end + 1;
  }
  return { line, column: at - begin + 1 };
}

class Fault extends Error implements JsonFault {
  readonly at: number;
  readonly problem: string;

  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
    this.problem = problem;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#skipSpace();
    this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#fault(`expected the end of the text, not ${this.#here()}`);
  }

  #value(): void {
    const first = this.#text[this.#at];
    if (first === '{') this.#list('}', () => this.#member());
    else if (first === '[') this.#list(']', () => this.#value());
    else if (first === '"') this.#string();
    else if (!this.#match(NUMBER) && !this.#literal()) throw this.#fault(this.#noValue());
  }

  /** An object or a list: entries with commas between, up to `end`. */
  #list(end: string, entry: () => void): void {
    const opened = this.#at;
    this.#at += 1;
    this.#skipSpace();
    if (this.#take(end)) return;
    for (;;) {
      entry();
      this.#skipSpace();
      if (this.#take(end)) return;
      const comma = this.#at;
      if (!this.#take(',')) throw this.#fault(this.#noComma(end, opened));
      this.#skipSpace();
      if (this.#text[this.#at] === end) throw new Fault(comma, `a comma may not stand before ${quoted(end)}`);
    }
  }

  #member(): void {
    if (this.#text[this.#at] !== '"') throw this.#fault(`expected a name in double quotes, not ${this.#here()}`);
    this.#string();
    this.#skipSpace();
    if (!this.#take(':')) throw this.#fault(`expected a colon after the name, not ${this.#here()}`);
    this.#skipSpace();
    this.#value();
  }

  #string(): void {
    const opened = this.#at;
    for (let at = opened + 1; at < this.#text.length; at += 1) {
      const unit = this.#text.charCodeAt(at);
      if (unit === 0x22) {
        this.#at = at + 1;
        return;
      }
      if (unit < 0x20)
        throw new Fault(at, `a string has a ${CONTROL[unit] ?? 'control character'}; ${MEND[unit] ?? 'escape it'}`);
      if (unit !== 0x5c) continue;
      const escaped = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(this.#text.slice(at + 1, at + 6));
      if (!escaped) throw new Fault(at, 'a backslash in a string begins no escape; write \\\\ for a backslash');
      at += escaped[0].length;
    }
    throw new Fault(opened, 'a string begins here and is never closed');
  }

  #literal(): boolean {
    const begin = this.#at;
    const [word = ''] = this.#match(WORD) ?? [];
    if (LITERALS.has(word)) return true;
    this.#at = begin;
    return false;
  }

  #noValue(): string {
    if (this.#text[this.#at] === "'") return "strings stand in double quotes, not '";
    return `expected a value, not ${this.#here()}`;
  }

  #noComma(end: string, opened: number): string {
    if (this.#at < this.#text.length) return `expected a comma or ${quoted(end)}, not ${this.#here()}`;
    const { line, column } = placeOf(this.#text, opened);
    return `the text ends before the ${quoted(end)} of line ${line}, column ${column}`;
  }

  /** What stands here, to be shown. */
  #here(): string {
    const at = this.#at;
    if (at >= this.#text.length) return 'the end of the text';
    if (/^\/[/*]/.test(this.#text.slice(at, at + 2))) return 'a comment, which JSON does not have';
    const [word] = this.#match(WORD) ?? [String.fromCodePoint(this.#text.codePointAt(at) ?? 0)];
    this.#at = at;
    return JSON.stringify(word);
  }

  #skipSpace(): void {
    this.#match(SPACE);
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found;
  }

  #fault(problem: string): Fault {
    return new Fault(this.#at, problem);
  }
}

/** Control characters that are pasted into strings, and what to write instead. */
const CONTROL: Readonly<Record<number, string>> = { 9: 'tab', 10: 'line break', 13: 'line break' };
const MEND: Readonly<Record<number, string>> = { 9: 'write \\t', 10: 'write \\n', 13: 'write \\r' };
