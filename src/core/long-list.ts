// Reads a long JSON list piece by piece: the text stays, and entries are parsed as they are read. All entries of a long
// table, parsed at once, would take ten times the memory of the text.

import { ValidationError } from './diagnostics.ts';

/** Entries that are parsed together. */
const TOGETHER = 64;
/** How deep the values of a list may nest. */
const MAX_DEPTH = 32;

/** Entries in order; each time that they are read, they are parsed again. */
export class LongList implements Iterable<unknown> {
  readonly #text: string;
  readonly #path: string;

  /** @param text of a JSON list, which has an entry @param path where it is in the input, for messages */
  constructor(text: string, path: string) {
    this.#text = text;
    this.#path = path;
  }

  /** @throws ValidationError when the text is no list, once its entries up to there have been read */
  *[Symbol.iterator](): Generator<unknown> {
    for (const part of partsOf(this.#text)) yield* part === null ? parseList(this.#text, this.#path) : this.#in(part);
  }

  #in(part: string): readonly unknown[] {
    let entries: readonly unknown[];
    try {
      entries = JSON.parse(`[${part}]`);
    } catch {
      entries = [];
    }
    // The whole says where in it the fault is: a part without entries follows a comma.
    if (entries.length === 0) return parseList(this.#text, this.#path);
    checkDepth(entries, this.#path);
    return entries;
  }
}

export const isList = (value: unknown): value is readonly unknown[] | LongList =>
  Array.isArray(value) || value instanceof LongList;

/** @throws ValidationError naming `path`, when the text is no JSON, or nests too deep */
export function parseList(text: string, path: string): readonly unknown[] {
  let list: readonly unknown[];
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw new ValidationError(path, `begins like a list, but is no JSON: ${(error as Error).message}`);
  }
  checkDepth(list, path);
  return list;
}

function checkDepth(list: unknown, path: string): void {
  if (isDeeper(list, MAX_DEPTH)) throw new ValidationError(path, `nests deeper than ${MAX_DEPTH} levels`);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/**
 * The texts of `TOGETHER` entries each. A fault of brackets or quotes ends with null: then the text is no list. Other faults
 * are in one of the parts.
 */
function* partsOf(text: string): Generator<string | null> {
  let from = text.indexOf('[') + 1;
  let [depth, commas] = [1, 0];
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      if (at === -1) break;
    } else if (unit === BRACE || unit === BRACKET) depth += 1;
    else if (unit === BRACE_END || unit === BRACKET_END) {
      depth -= 1;
      if (depth > 0) continue;
      yield text.slice(from, at);
      if (unit !== BRACKET_END || text.slice(at + 1).trim() !== '') yield null;
      return;
    } else if (unit === COMMA && depth === 1) {
      commas += 1;
      if (commas % TOGETHER > 0) continue;
      yield text.slice(from, at);
      from = at + 1;
    }
  }
  yield null;
}

/** @returns the place of the quote that ends the string which begins at `start`; -1 = none does */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return -1;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d];
