// Looks up the Unicode 15.0 properties of a code point, with two array reads.
//
// The packed data is expanded once, when this module loads (a few milliseconds), into a two-stage table: blocks of 128
// code points, where equal blocks of one value are stored once. Every number 0..0x10FFFF has a record, surrogates too.

import { BRACKET_PAIRS, DIGITS, LENGTHS, RECORDS, RUNS, SCRIPT_SETS, SCRIPT_TAGS } from './unicode-data.generated.ts';

/** Index of a character's record; characters with equal properties share one. */
export function recordOf(codePoint: number): number {
  return BLOCKS[(BLOCK_OF[codePoint >> BLOCK_BITS]! << BLOCK_BITS) | (codePoint & BLOCK_MASK)]!;
}

const records = numbersIn(RECORDS);
const RECORD_COUNT = records.length / 5;
const columnOf = (index: number) => Uint8Array.from(records.slice(index * RECORD_COUNT, (index + 1) * RECORD_COUNT));

/** By record: a number of BIDI_CLASS. */
export const BIDI_CLASS_OF: Uint8Array = columnOf(0);
/** By record: a number of LINE_BREAK_CLASS. */
export const LINE_BREAK_CLASS_OF: Uint8Array = columnOf(1);
/** By record: an index into SCRIPT_EXTENSIONS. */
export const SCRIPT_SET_OF: Uint8Array = columnOf(2);
/** By record: bits of TRAIT. */
export const TRAITS_OF: Uint8Array = columnOf(3);
/** By record: a number of VERTICAL_ORIENTATION. */
export const VERTICAL_ORIENTATION_OF: Uint8Array = columnOf(4);

const tags = SCRIPT_TAGS.split(' ');
/**
 * ISO 15924 tags of the scripts that use a character, the preferred one first; `Zyyy`, `Zinh` and `Zzzz` stand alone.
 */
export const SCRIPT_EXTENSIONS: readonly (readonly string[])[] = SCRIPT_SETS.split(' ').map((set) =>
  set.split(',').map((index) => tags[Number(index)] ?? 'Zzzz'),
);

/** Opening bracket → closing bracket, as UTF-16 units: no bracket lies beyond U+FFFF. */
export const CLOSING_BRACKET: ReadonlyMap<number, number> = new Map(
  Array.from({ length: BRACKET_PAIRS.length / 2 }, (_, pair) => [
    BRACKET_PAIRS.charCodeAt(2 * pair),
    BRACKET_PAIRS.charCodeAt(2 * pair + 1),
  ]),
);

const BLOCK_BITS = 7;
const BLOCK_SIZE = 1 << BLOCK_BITS;
const BLOCK_MASK = BLOCK_SIZE - 1;
const CODE_POINTS = 0x110000;
const [BLOCK_OF, BLOCKS] = unpack(numbersIn(LENGTHS), numbersIn(RUNS));

function numbersIn(packed: string): readonly number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of packed) {
    const digit = DIGITS.indexOf(character);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit >= 32) continue;
    numbers.push(value);
    [value, shift] = [0, 0];
  }
  return numbers;
}

/** Expands runs of records into the block number of each 128 code points, and the blocks one after another. */
function unpack(lengths: readonly number[], places: readonly number[]): [Uint16Array, Uint16Array] {
  const recent = Array.from({ length: RECORD_COUNT }, (_, record) => record);
  const blockOf = new Uint16Array(CODE_POINTS >> BLOCK_BITS);
  const blocks = new Uint16Array(CODE_POINTS);
  const uniform = new Map<number, number>();
  let used = 0;
  let codePoint = 0;
  for (const [run, place] of places.entries()) {
    let left = lengths[run]! + 1;
    const record = recent[place]!;
    recent.splice(place, 1);
    recent.unshift(record);
    while (left > 0) {
      const index = codePoint >> BLOCK_BITS;
      const isBlockStart = (codePoint & BLOCK_MASK) === 0;
      let length = Math.min(left, BLOCK_SIZE - (codePoint & BLOCK_MASK));
      if (isBlockStart && left >= BLOCK_SIZE && uniform.has(record)) {
        length = left & ~BLOCK_MASK;
        blockOf.fill(uniform.get(record)!, index, (codePoint + length) >> BLOCK_BITS);
      } else {
        if (isBlockStart) blockOf[index] = used >> BLOCK_BITS;
        if (length === BLOCK_SIZE) uniform.set(record, used >> BLOCK_BITS);
        blocks.fill(record, used, used + length);
        used += length;
      }
      codePoint += length;
      left -= length;
    }
  }
  return [blockOf, blocks.slice(0, used)];
}
