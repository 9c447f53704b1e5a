// Lists where an outline crosses each sample row: recorded in any order, read from left to right.
//
// A crossing is inserted in order as it comes, if its place is near the left end of its row. Rows where it is not,
// which only a zigzag has, are merge-sorted before they are read, so that n crossings take n log n steps for any
// outline. Of those at the same position, the one recorded last comes first.

/**
 * Bytes of a crossing: its position, 1 where the outline goes down or -1 where up, and the next one to the right; i32
 * each.
 */
const CROSSING: usize = 12;
/** How many crossings of a row are passed to insert another one in order. */
const MOST_PASSED: i32 = 32;

/** Table of the addresses of each row's leftmost crossing, or 0. */
let first: usize = 0;
let rows: i32 = 0;
let begin: usize = 0;
let end: usize = 0;
let isInOrder: bool = true;
/** The rest of a list after the crossings that `sorted` took. */
let rest: usize = 0;

export function ensure(bytes: usize): void {
  const missing = <i32>bytes - (memory.size() << 16);
  if (missing > 0) memory.grow((missing + 0xffff) >> 16);
}

/**
 * @param lists zeros, four bytes per row
 * @param free address from which memory is free
 */
export function openCrossings(lists: usize, count: i32, free: usize): void {
  first = lists;
  rows = count;
  begin = end = free;
  isInOrder = true;
  ensure(free);
}

/** Bytes of all recorded crossings. */
export function noted(): usize {
  return end - begin;
}

/** Makes room for this many more crossings. */
export function expect(crossings: i32): void {
  ensure(end + CROSSING * <usize>crossings);
}

/**
 * @param at samples from the left, 16.16, so that crossings in the same sample stay distinct
 * @param turn 1 where the outline goes down and -1 where up
 */
export function note(row: i32, at: i32, turn: i32): void {
  const crossing = end;
  end += CROSSING;
  let before = first + ((<usize>row) << 2);
  let after = <usize>load<u32>(before);
  let left = MOST_PASSED;
  while (after !== 0 && load<i32>(after) < at) {
    if (--left === 0) {
      isInOrder = false;
      break;
    }
    before = after + 8;
    after = <usize>load<u32>(before);
  }
  store<i32>(crossing, at);
  store<i32>(crossing, turn, 4);
  store<u32>(crossing, <u32>after, 8);
  store<u32>(before, <u32>crossing);
}

/** Must be called after the last crossing and before the first row is read. */
export function finishCrossings(): void {
  if (isInOrder) return;
  for (let list = first; list < first + ((<usize>rows) << 2); list += 4) {
    let count = 0;
    for (let crossing = <usize>load<u32>(list); crossing !== 0; crossing = nextOf(crossing)) count++;
    if (count > 0) store<u32>(list, <u32>sorted(<usize>load<u32>(list), count));
  }
}

/** The leftmost crossing of a row, or 0. */
export function firstOf(row: i32): usize {
  return <usize>load<u32>(first + ((<usize>row) << 2));
}

/** Samples from the left, 16.16. */
export function placeOf(crossing: usize): i32 {
  return load<i32>(crossing);
}

export function turnOf(crossing: usize): i32 {
  return load<i32>(crossing, 4);
}

/** The next to the right, or 0. */
export function nextOf(crossing: usize): usize {
  return <usize>load<u32>(crossing, 8);
}

/** Sorts the first `count` crossings of a list, at least one. */
function sorted(list: usize, count: i32): usize {
  if (count === 1) {
    rest = nextOf(list);
    store<u32>(list, 0, 8);
    return list;
  }
  const half = count >> 1;
  const left = sorted(list, half);
  return merged(left, sorted(rest, count - half));
}

function merged(a: usize, b: usize): usize {
  const start = isBefore(a, b) ? a : b;
  let tail: usize = 0;
  while (a !== 0 && b !== 0) {
    const crossing = isBefore(a, b) ? a : b;
    if (crossing === a) a = nextOf(a);
    else b = nextOf(b);
    if (tail !== 0) store<u32>(tail, <u32>crossing, 8);
    tail = crossing;
  }
  store<u32>(tail, <u32>(a | b), 8);
  return start;
}

/** Crossings recorded later have higher addresses. */
function isBefore(a: usize, b: usize): bool {
  return placeOf(a) < placeOf(b) || (placeOf(a) === placeOf(b) && a > b);
}
