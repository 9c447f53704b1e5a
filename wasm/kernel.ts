// The loops of the pixel room that a byte of every pixel goes through, in AssemblyScript: sixteen bytes at a time.
//
// Works on addresses in its own memory that the caller lays out, and keeps no state. `npm run kernel` compiles it to
// src/pixels/kernel.wasm; a test holds that file to this source.
//
// A row to be filtered has sixteen zero bytes on either side, so that sixteen bytes may be read anywhere in it, and
// what lies left of the first pixel is 0, as PNG has it.

/** RGBA of opaque pixels → RGB. Returns the bits that all alphas have: 255 when every pixel was opaque. */
export function packOpaque(rgba: usize, count: usize, row: usize): u32 {
  let all = i32x4.splat(-1);
  let i: usize = 0;
  for (; i + 4 <= count; i += 4) {
    const four = v128.load(rgba + 4 * i);
    all = v128.and(all, four);
    v128.store(
      row + 3 * i,
      v128.shuffle<u8>(four, i32x4.splat(0), 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 16, 16, 16),
    );
  }
  let alpha =
    (i32x4.extract_lane(all, 0) &
      i32x4.extract_lane(all, 1) &
      i32x4.extract_lane(all, 2) &
      i32x4.extract_lane(all, 3)) >>>
    24;
  for (; i < count; i++) {
    const pixel = load<u32>(rgba + 4 * i);
    alpha &= pixel >>> 24;
    store<u8>(row + 3 * i, <u8>pixel);
    store<u16>(row + 3 * i + 1, <u16>(pixel >>> 8));
  }
  return alpha;
}

/** Premultiplied RGBA → straight RGBA, rounded. */
function packTranslucent(rgba: usize, count: usize, row: usize): void {
  for (let i: usize = 0; i < count; i++) {
    const pixel = load<u32>(rgba + 4 * i);
    const alpha = pixel >>> 24;
    if (alpha === 255 || alpha === 0) {
      store<u32>(row + 4 * i, alpha === 0 ? 0 : pixel);
      continue;
    }
    const half = alpha >> 1;
    const r = min<u32>(255, ((pixel & 255) * 255 + half) / alpha);
    const g = min<u32>(255, (((pixel >> 8) & 255) * 255 + half) / alpha);
    const b = min<u32>(255, (((pixel >> 16) & 255) * 255 + half) / alpha);
    store<u32>(row + 4 * i, r | (g << 8) | (b << 16) | (alpha << 24));
  }
}

/**
 * Rows of RGBA → rows of the file's pixels, each with sixteen zero bytes behind it.
 *
 * @param channels 3 takes every pixel to be opaque, 4 takes the alpha out of the colours
 * @param stride from one row to the next, in bytes: what stands behind a row may be overwritten by the next
 * @returns the bits that all alphas have, as packOpaque does; 255 with 4 channels
 */
export function packRows(rgba: usize, width: usize, rows: u32, channels: usize, to: usize, stride: usize): u32 {
  let alpha: u32 = 255;
  for (; rows > 0; rows--, rgba += 4 * width, to += stride) {
    if (channels === 3) alpha &= packOpaque(rgba, width, to);
    else packTranslucent(rgba, width, to);
    v128.store(to + channels * width, i32x4.splat(0));
  }
  return alpha;
}

// ---- blending

/** Eight channels times their factors / 255, rounded. */
function scaled(channels: v128, factors: v128): v128 {
  const product = i16x8.add(i16x8.mul(channels, factors), i16x8.splat(128));
  return i16x8.shr_u(i16x8.add(product, i16x8.shr_u(product, 8)), 8);
}

/** Lays premultiplied pixels over others, src-over, four at a time: `count` is rounded up to a multiple of four. */
export function blendOver(below: usize, above: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i += 4, below += 16, above += 16) {
    const over = v128.load(above);
    const under = v128.load(below);
    const seen = v128.not(v128.shuffle<u8>(over, over, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    const low = scaled(i16x8.extend_low_i8x16_u(under), i16x8.extend_low_i8x16_u(seen));
    const high = scaled(i16x8.extend_high_i8x16_u(under), i16x8.extend_high_i8x16_u(seen));
    // No sum exceeds 255: a premultiplied colour is never more than its alpha.
    v128.store(below, v128.add<u8>(over, v128.narrow<u16>(low, high)));
  }
}

// ---- filters (PNG 3, §9)

/** Whichever of left, above and upper left is nearest to left + above − upper left. */
function paeth(left: v128, above: v128, corner: v128): v128 {
  const byLeft = distance(above, corner);
  const byAbove = distance(left, corner);
  // |left + above − 2 corner|: where both differ from the corner to the same side the distances add up, else they cancel.
  const opposite = v128.xor(v128.ge<u8>(left, corner), v128.ge<u8>(above, corner));
  const byCorner = v128.bitselect(distance(byLeft, byAbove), v128.add_sat<u8>(byLeft, byAbove), opposite);
  const other = v128.bitselect(above, corner, v128.le<u8>(byAbove, byCorner));
  return v128.bitselect(left, other, v128.and(v128.le<u8>(byLeft, byAbove), v128.le<u8>(byLeft, byCorner)));
}

function distance(a: v128, b: v128): v128 {
  return v128.or(v128.sub_sat<u8>(a, b), v128.sub_sat<u8>(b, a));
}

function mean(a: v128, b: v128): v128 {
  // The instruction rounds up, PNG down.
  return v128.sub<u8>(v128.avgr<u8>(a, b), v128.and(v128.xor(a, b), i8x16.splat(1)));
}

function magnitudes(sum: v128, residue: v128): v128 {
  return i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v128.abs<i8>(residue))));
}

function total(sum: v128): u32 {
  return (
    i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3)
  );
}

/** The filter (1 to 4) that leaves the least, judged on every other sixteen bytes. */
function bestFilter(row: usize, above: usize, length: usize, pixel: usize): u32 {
  let sub = i32x4.splat(0);
  let up = i32x4.splat(0);
  let average = i32x4.splat(0);
  let nearest = i32x4.splat(0);
  for (let i: usize = 0; i < length; i += 32) {
    const x = v128.load(row + i);
    const a = v128.load(row + i - pixel);
    const b = v128.load(above + i);
    const c = v128.load(above + i - pixel);
    sub = magnitudes(sub, v128.sub<u8>(x, a));
    up = magnitudes(up, v128.sub<u8>(x, b));
    average = magnitudes(average, v128.sub<u8>(x, mean(a, b)));
    nearest = magnitudes(nearest, v128.sub<u8>(x, paeth(a, b, c)));
  }
  let best: u32 = 2;
  let least = total(up);
  if (total(sub) < least) {
    least = total(sub);
    best = 1;
  }
  if (total(average) < least) {
    least = total(average);
    best = 3;
  }
  if (total(nearest) < least) best = 4;
  return best;
}

/**
 * Writes rows with the filter that suits each, which the byte before it names.
 *
 * @param row the first row; the one above it lies `stride` bytes before
 */
export function filterRows(row: usize, stride: usize, rows: u32, length: usize, pixel: usize, out: usize): void {
  for (let y: u32 = 0; y < rows; y++, row += stride) {
    const above = row - stride;
    const filter = bestFilter(row, above, length, pixel);
    store<u8>(out++, <u8>filter);
    if (filter === 1) {
      for (let i: usize = 0; i < length; i += 16) {
        v128.store(out + i, v128.sub<u8>(v128.load(row + i), v128.load(row + i - pixel)));
      }
    } else if (filter === 2) {
      for (let i: usize = 0; i < length; i += 16) {
        v128.store(out + i, v128.sub<u8>(v128.load(row + i), v128.load(above + i)));
      }
    } else if (filter === 3) {
      for (let i: usize = 0; i < length; i += 16) {
        v128.store(out + i, v128.sub<u8>(v128.load(row + i), mean(v128.load(row + i - pixel), v128.load(above + i))));
      }
    } else {
      for (let i: usize = 0; i < length; i += 16) {
        const guess = paeth(v128.load(row + i - pixel), v128.load(above + i), v128.load(above + i - pixel));
        v128.store(out + i, v128.sub<u8>(v128.load(row + i), guess));
      }
    }
    out += length;
  }
}

/** Adler-32 (RFC 1950, §8.2), going on from `sum`. */
export function adler32(sum: u32, bytes: usize, length: usize): u32 {
  let a: u32 = sum & 0xffff;
  let b: u32 = sum >>> 16;
  // As many bytes as 32 bits can add up.
  const most: usize = 5552;
  const highWeights = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const lowWeights = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (length > 0) {
    let part = min(length, most);
    length -= part;
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    b += a * <u32>(part & ~15);
    for (; part >= 16; part -= 16, bytes += 16) {
      const x = v128.load(bytes);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(x)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(x), highWeights));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(x), lowWeights));
    }
    b += 16 * total(before) + total(weighted);
    a += total(sums);
    for (; part > 0; part--) {
      a += load<u8>(bytes++);
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return (b << 16) | a;
}

// ---- tokens: pairs of u32, literal bytes, then a match as length | distance << 9; a match of 0 ends them.
// ---- counts: u32 by symbol, 286 for literals, the end of the block and lengths, 30 for distances; then 3 × 256 of use
// ---- only within.

const END_OF_BLOCK: usize = 4 * 256;
const LENGTHS: usize = 4 * 257;
const DISTANCES: usize = 4 * 286;
const SPARE: usize = 4 * 316;
const COUNTS_BYTES: usize = 4 * (316 + 3 * 256);
const LONGEST: u32 = 258;
const WINDOW: u32 = 32768;

function increment(counter: usize): void {
  store<u32>(counter, load<u32>(counter) + 1);
}

function countLiterals(counts: usize, bytes: usize, length: usize): void {
  for (; length > 0; length--) increment(counts + ((<usize>load<u8>(bytes++)) << 2));
}

/** Of a photo's band, one byte in so many is counted: channels, and the blocks of a JPEG, come round in other numbers. */
const SAMPLED: u32 = 5;
/** Of a smaller band, all are. */
const LEAST_SAMPLED: usize = 65536;

/** Counts into four tables, for equal neighbours would wait for each other's count. */
function sampleLiterals(counts: usize, bytes: usize, length: usize): void {
  const spare = counts + SPARE;
  const end = bytes + length;
  for (; bytes + 4 * SAMPLED <= end; bytes += 4 * SAMPLED) {
    increment(counts + ((<usize>load<u8>(bytes)) << 2));
    increment(spare + ((<usize>load<u8>(bytes, SAMPLED)) << 2));
    increment(spare + 1024 + ((<usize>load<u8>(bytes, 2 * SAMPLED)) << 2));
    increment(spare + 2048 + ((<usize>load<u8>(bytes, 3 * SAMPLED)) << 2));
  }
  for (; bytes < end; bytes += SAMPLED) increment(counts + ((<usize>load<u8>(bytes)) << 2));
}

/** Estimates how often each literal occurs from a sample, in which any may be missing. */
function estimateLiterals(counts: usize): void {
  const spare = counts + SPARE;
  for (let i: usize = 0; i < 1024; i += 16) {
    const first = i32x4.add(v128.load(counts + i), v128.load(spare + i));
    const second = i32x4.add(v128.load(spare + 1024 + i), v128.load(spare + 2048 + i));
    const sum = i32x4.add(first, second);
    v128.store(counts + i, i32x4.add(i32x4.mul(sum, i32x4.splat(SAMPLED)), i32x4.splat(1)));
  }
}

/** RFC 1951, §3.2.5: the symbol of a length, less 257. */
function lengthSymbol(length: u32): u32 {
  if (length < 11) return length - 3;
  if (length === LONGEST) return 28;
  const power: u32 = 31 - clz(length - 3);
  return 4 * (power - 1) + (((length - 3) >> (power - 2)) & 3);
}

function distanceSymbol(distance: u32): u32 {
  const before = distance - 1;
  if (before < 4) return before;
  const power: u32 = 31 - clz(before);
  return 2 * power + ((before >> (power - 1)) & 1);
}

function countMatch(counts: usize, length: u32, distance: u32): void {
  increment(counts + LENGTHS + 4 * lengthSymbol(length));
  increment(counts + DISTANCES + 4 * distanceSymbol(distance));
}

function token(tokens: usize, literals: u32, match: u32): usize {
  store<u32>(tokens, literals);
  store<u32>(tokens, match, 4);
  return tokens + 8;
}

/** Which of 64 bytes repeat the one before them, a bit each. */
function repeats(at: usize): u64 {
  let bits: u64 = 0;
  for (let i: usize = 0; i < 64; i += 16) {
    const same = v128.eq<u8>(v128.load(at + i), v128.load(at + i - 1));
    bits |= (<u64>i8x16.bitmask(same)) << i;
  }
  return bits;
}

/**
 * Runs of one byte as matches at distance 1, all else as literals: what pays for filtered photos. How often a literal
 * occurs is estimated.
 */
export function findRuns(bytes: usize, length: usize, tokens: usize, counts: usize): void {
  memory.fill(counts, 0, COUNTS_BYTES);
  const isSampled = length >= LEAST_SAMPLED;
  const end = bytes + length;
  let literals = bytes;
  let at = bytes + 1;
  while (at < end) {
    // Behind the end, nothing repeats.
    let eight = repeats(at) & (at + 64 <= end ? -1 : ((<u64>1) << (<u64>(end - at))) - 1);
    eight &= eight >> 1;
    eight &= eight >> 2;
    eight &= eight >> 4;
    if (eight === 0) {
      // A run of eight that starts in the last seven bytes is found from there.
      at += 57;
      continue;
    }
    let start = at + <usize>ctz(eight);
    while (start - 1 > literals && load<u8>(start - 1) === load<u8>(start - 2)) start--;
    at = start + 8;
    const value = i8x16.splat(load<u8>(start));
    while (at + 16 <= end && v128.all_true<u8>(v128.eq<u8>(v128.load(at), value))) at += 16;
    while (at < end && load<u8>(at) === load<u8>(start)) at++;
    while (at - start >= 3) {
      const part = min<u32>(<u32>(at - start), LONGEST);
      if (isSampled) sampleLiterals(counts, literals, start - literals);
      else countLiterals(counts, literals, start - literals);
      countMatch(counts, part, 1);
      tokens = token(tokens, <u32>(start - literals), part | (1 << 9));
      start += part;
      literals = start;
    }
    at = start + 1;
  }
  if (isSampled) {
    sampleLiterals(counts, literals, end - literals);
    estimateLiterals(counts);
  } else {
    countLiterals(counts, literals, end - literals);
  }
  token(tokens, <u32>(end - literals), 0);
  store<u32>(counts, 1, END_OF_BLOCK);
}

function matchLength(a: usize, b: usize, most: u32): u32 {
  for (let length: u32 = 0; length < most; length += 16) {
    const same = i8x16.bitmask(v128.eq<u8>(v128.load(a + length), v128.load(b + length)));
    if (same !== 0xffff) return min(most, length + <u32>ctz(~same));
  }
  return most;
}

/** Bits of the hash of two pixels. */
const HASH: u32 = 12;
/** In the table of `findMatches`: four distances to places nearby, four to the latest places of a hash. */
const FAR: usize = 16;
const BUCKETS: usize = 32;
const TABLE_BYTES: u32 = <u32>BUCKETS + (16 << HASH);

/** A match as long as this is taken without a look at what else there is. */
const ENOUGH: u32 = 128;
/** Of a longer match only its start is remembered: the rest of it is found where it came from. */
const REMEMBERED: u32 = 24;

/** Where the four latest places of two pixels are kept. */
function bucketOf(table: usize, at: usize, pixel: u32): usize {
  const two = load<u64>(at) << (<u64>(64 - 16 * pixel));
  return table + BUCKETS + ((<usize>((two * 0x1e3779b97f4a7d) >> (64 - HASH))) << 4);
}

function remember(bucket: usize, places: v128, at: usize): void {
  v128.store(bucket, v128.shuffle<u32>(places, i32x4.splat(<i32>at), 4, 0, 1, 2));
}

/** The longest of the matches at eight distances, the first of equals, as length | distance << 9. */
function longestMatch(distances: usize, bytes: usize, at: usize, most: u32): u32 {
  const seen = min<u32>(<u32>(at - bytes), WINDOW);
  const here = v128.load(at);
  let longest: u32 = 0;
  let whole: u32 = 0;
  // Sixteen bytes at each distance, without a branch: no processor could foresee it.
  for (let i: u32 = 0; i < 8; i++) {
    const distance = load<u32>(distances + 4 * i);
    const same = select<u32>(i8x16.bitmask(v128.eq<u8>(v128.load(at - distance), here)), 0, distance <= seen);
    whole |= u32(same === 0xffff) << i;
    longest = max<u32>(longest, ((<u32>ctz(~same)) << 3) | (7 - i));
  }
  let best = longest >> 3;
  let far = load<u32>(distances + 4 * (7 - (longest & 7)));
  for (; whole !== 0 && best < ENOUGH; whole &= whole - 1) {
    const distance = load<u32>(distances + ((<usize>ctz(whole)) << 2));
    const found = matchLength(at, at - distance, most);
    if (found > best) {
      best = found;
      far = distance;
    }
  }
  return best | (far << 9);
}

/**
 * Matches for drawn pictures, from pixel to pixel: what repeats there repeats the pixel before, comes from the last
 * distance, from the row above or a pixel beside that, or from a place that began with the same two pixels. Takes the
 * longest at once, without looking for a better one a pixel later.
 *
 * @param bytes further than a row from the start of the memory
 * @param from the filter byte of the first row; what lies before it, from `bytes` on, may be matched
 * @param rowLength with the filter byte
 * @param table TABLE_BYTES bytes for its own use
 * @returns how many bytes no match covers
 */
export function findMatches(
  bytes: usize,
  from: usize,
  length: usize,
  rowLength: u32,
  pixel: u32,
  table: usize,
  tokens: usize,
  counts: usize,
): u32 {
  memory.fill(counts, 0, COUNTS_BYTES);
  memory.fill(table, 0, TABLE_BYTES);
  let near = i32x4(pixel, rowLength, rowLength - pixel, pixel);
  const end = from + length;
  let literals = from;
  let nextRow = from + rowLength;
  let at = from;
  let best: u32 = 0;
  let distance: u32 = pixel;
  let misses: u32 = 0;
  let uncovered: u32 = 0;
  for (;;) {
    while (at >= nextRow) nextRow += rowLength;
    // On to a whole pixel: pixels end with their row.
    const rest = <u32>(nextRow - at);
    at += pixel === 3 ? rest % 3 : rest & 3;
    if (at === nextRow) continue;
    if (at + 16 > end) break;

    const most = min<u32>(<u32>(end - at), LONGEST);
    if (best === LONGEST) {
      // A surface goes on as it did, unless it has become flat, which is told in fewer bits.
      best = matchLength(at, at - pixel, most);
      if (best >= ENOUGH) distance = pixel;
      else best = matchLength(at, at - distance, most);
    } else {
      best = 0;
    }
    if (best < ENOUGH) {
      const bucket = bucketOf(table, at, pixel);
      const places = v128.load(bucket);
      remember(bucket, places, at);
      v128.store(table, near);
      v128.store(table, i32x4.sub(i32x4.splat(<i32>at), places), FAR);
      const match = longestMatch(table, bytes, at, most);
      best = match & 511;
      distance = match >> 9;
    }
    if (best < pixel) {
      misses++;
      at += pixel * (1 + (misses >> 6));
      continue;
    }
    misses = 0;
    near = i32x4.replace_lane(near, 3, <i32>distance);
    let start = at;
    for (; start > literals && start - distance > bytes; start--) {
      if (load<u8>(start - 1) !== load<u8>(start - 1 - distance)) break;
      best = min(best + 1, LONGEST);
    }
    countLiterals(counts, literals, start - literals);
    countMatch(counts, best, distance);
    tokens = token(tokens, <u32>(start - literals), best | (distance << 9));
    uncovered += <u32>(start - literals);
    literals = start + best;
    if (best <= REMEMBERED) {
      for (at += pixel; at < literals && at + 8 <= end; at += pixel) {
        const inside = bucketOf(table, at, pixel);
        remember(inside, v128.load(inside), at);
      }
    }
    at = literals;
  }
  countLiterals(counts, literals, end - literals);
  token(tokens, <u32>(end - literals), 0);
  store<u32>(counts, 1, END_OF_BLOCK);
  return uncovered + <u32>(end - literals);
}

// ---- bits

/**
 * Writes tokens with their codes, then the end of the block, and zeros to the end of a byte and beyond.
 *
 * @param codes u32 by symbol, length | code << 8: 286 literals and lengths, then 30 distances; no code longer than 14
 * @param position in bits from `out`; what stands in the byte there is kept
 * @returns the position behind them
 */
export function writeTokens(tokens: usize, literals: usize, codes: usize, out: usize, position: u32): u32 {
  const distances = codes + 4 * 286;
  let at = out + (position >> 3);
  let count: u64 = position & 7;
  let bits: u64 = <u64>load<u8>(at) & ((1 << count) - 1);
  for (;;) {
    let run = load<u32>(tokens);
    const match = load<u32>(tokens, 4);
    tokens += 8;
    for (; run >= 4; run -= 4, literals += 4) {
      const first: u64 = load<u32>(codes + ((<usize>load<u8>(literals)) << 2));
      const second: u64 = load<u32>(codes + ((<usize>load<u8>(literals, 1)) << 2));
      const third: u64 = load<u32>(codes + ((<usize>load<u8>(literals, 2)) << 2));
      const fourth: u64 = load<u32>(codes + ((<usize>load<u8>(literals, 3)) << 2));
      // A shift goes by the lowest six bits, where entries have their lengths; those of four add up to less than 64.
      const low = (first >> 8) | ((second >> 8) << first);
      const high = (third >> 8) | ((fourth >> 8) << third);
      bits |= (low | (high << (first + second))) << count;
      count += (first + second + third + fourth) & 63;
      store<u64>(at, bits);
      at += <usize>(count >> 3);
      bits >>= count & 56;
      count &= 7;
    }
    for (; run > 0; run--, literals++) {
      const entry: u64 = load<u32>(codes + ((<usize>load<u8>(literals)) << 2));
      bits |= (entry >> 8) << count;
      count += entry & 63;
      store<u64>(at, bits);
      at += <usize>(count >> 3);
      bits >>= count & 56;
      count &= 7;
    }
    if (match === 0) break;

    const length = match & 511;
    const distance = match >> 9;
    literals += length;
    const symbol = lengthSymbol(length);
    let entry: u64 = load<u32>(codes + 4 * (257 + symbol));
    bits |= (entry >> 8) << count;
    count += entry & 63;
    // Four symbols for each power of two; the bits below its three highest follow as they are.
    if (symbol >= 8 && symbol < 28) {
      const extra: u32 = (symbol >> 2) - 1;
      bits |= (<u64>((length - 3) & ((1 << extra) - 1))) << count;
      count += extra;
    }
    const far = distanceSymbol(distance);
    entry = load<u32>(distances + 4 * far);
    bits |= (entry >> 8) << count;
    count += entry & 63;
    if (far >= 4) {
      const extra = (far >> 1) - 1;
      bits |= (<u64>((distance - 1) & ((1 << extra) - 1))) << count;
      count += extra;
    }
    store<u64>(at, bits);
    at += <usize>(count >> 3);
    bits >>= count & 56;
    count &= 7;
  }
  const entry: u64 = load<u32>(codes + END_OF_BLOCK);
  bits |= (entry >> 8) << count;
  count += entry & 63;
  store<u64>(at, bits);
  return ((<u32>(at - out)) << 3) + <u32>count;
}
