// The loops of the JPEG encoder, in AssemblyScript: colours, cosine transform, quantization and Huffman codes of rows.
//
// Works on addresses in its own memory that the caller lays out, and keeps nothing from call to call. `npm run kernel`
// compiles it to src/encoders/jpeg/jpeg.wasm; a test holds that file to this source.
//
// A unit (MCU) is 16 × 16 px: four blocks of luma and one each of the two colour differences, 4:2:0.

// ---- what the caller lays out, bytes from `tables`

/** For each of the eight rows of a block, and each set of values in it that are not 0, where those stand in zigzag. */
const POSITIONS: usize = 0;
/** Where the n-th value in zigzag stands in a block as it is stored here, in bytes. */
const OFFSETS: usize = 16_384;
/** 1 / what each value of a block is divided by, luma and then chroma. */
const FACTORS: usize = 16_512;
/** Codes of luma and then chroma, each 16 for DC and 256 for AC: bits << 8 | length. */
const CODES: usize = 17_024;
const CODES_OF_ONE: usize = 4 * (16 + 256);
/** Room for six blocks, and for a unit at the edge. */
const BLOCKS: usize = CODES + 2 * CODES_OF_ONE;
const BLOCK: usize = 128;
const EDGE: usize = BLOCKS + 6 * BLOCK;

// ---- the coded data, in which nothing is stuffed yet

let end: usize = 0;
/** Bits that do not fill a word yet, at the bottom. */
let bits: u64 = 0;
let held: u32 = 0;

/** Writes up to 32 bits. */
function append(value: u64, length: u32): void {
  bits = (bits << length) | value;
  held += length;
  if (held < 32) return;
  held -= 32;
  store<u32>(end, bswap(<u32>(bits >>> held)));
  end += 4;
}

/** Writes bits that stand elsewhere, from the one of that number on to before the other. */
function copyBits(data: usize, from: u32, to: u32): void {
  for (let at = from; at < to; at += 32) {
    const length = min<u32>(32, to - at);
    append((bswap(load<u64>(data + (at >>> 3))) << (at & 7)) >>> (64 - length), length);
  }
}

/** Fills up the last byte with ones (T.81, F.1.2.3). */
function finishByte(): void {
  const length = -held & 7;
  append((1 << length) - 1, length);
  store<u32>(end, bswap(<u32>(bits << (32 - held))));
  end += held >>> 3;
}

/** How many bits a value's size needs: 0 has none. */
function sizeOf(value: i32): u32 {
  return 32 - clz(<u32>abs(value));
}

/** The value's own bits: a negative one as one less, so that its first is 0 (T.81, F.1.2.1). */
function ownBits(value: i32, size: u32): u64 {
  return <u64>((value + (value >> 31)) & ((1 << size) - 1));
}

// ---- blocks

/** A value times a factor below 1, rounded. */
function times(value: v128, factor: f64): v128 {
  return i16x8.q15mulr_sat_s(value, i16x8.splat(<i16>(factor * 32768)));
}

/**
 * Transforms, quantizes and codes a block of samples that were doubled, for a little more precision in 16 bits. The
 * transform is that of Arai, Agui and Nakajima, whose scale is part of the factors; it leaves rows and columns exchanged.
 *
 * @returns its DC, from which that of the next is told
 */
function codeBlock(block: usize, tables: usize, isChroma: u32, before: i32): i32 {
  let r0 = v128.load(block, 0);
  let r1 = v128.load(block, 16);
  let r2 = v128.load(block, 32);
  let r3 = v128.load(block, 48);
  let r4 = v128.load(block, 64);
  let r5 = v128.load(block, 80);
  let r6 = v128.load(block, 96);
  let r7 = v128.load(block, 112);

  for (let pass = 0; pass < 2; pass++) {
    const s0 = i16x8.add(r0, r7);
    const s1 = i16x8.add(r1, r6);
    const s2 = i16x8.add(r2, r5);
    const s3 = i16x8.add(r3, r4);
    const d4 = i16x8.sub(r3, r4);
    const d5 = i16x8.sub(r2, r5);
    const d6 = i16x8.sub(r1, r6);
    const d7 = i16x8.sub(r0, r7);

    const e0 = i16x8.add(s0, s3);
    const e1 = i16x8.add(s1, s2);
    const e2 = i16x8.sub(s1, s2);
    const e3 = i16x8.sub(s0, s3);
    const z1 = times(i16x8.add(e2, e3), Math.SQRT1_2);
    const f0 = i16x8.add(e0, e1);
    const f4 = i16x8.sub(e0, e1);
    const f2 = i16x8.add(e3, z1);
    const f6 = i16x8.sub(e3, z1);

    const o0 = i16x8.add(d4, d5);
    const o1 = i16x8.add(d5, d6);
    const o2 = i16x8.add(d6, d7);
    const z5 = times(i16x8.sub(o0, o2), 0.382683433);
    const z2 = i16x8.add(times(o0, 0.5411961), z5);
    const z4 = i16x8.add(i16x8.add(o2, times(o2, 0.306562965)), z5);
    const z3 = times(o1, Math.SQRT1_2);
    const z11 = i16x8.add(d7, z3);
    const z13 = i16x8.sub(d7, z3);
    const f5 = i16x8.add(z13, z2);
    const f3 = i16x8.sub(z13, z2);
    const f1 = i16x8.add(z11, z4);
    const f7 = i16x8.sub(z11, z4);

    if (pass === 1) {
      r0 = f0;
      r1 = f1;
      r2 = f2;
      r3 = f3;
      r4 = f4;
      r5 = f5;
      r6 = f6;
      r7 = f7;
      break;
    }
    // Rows become columns.
    const a0 = v128.shuffle<u16>(f0, f1, 0, 8, 1, 9, 2, 10, 3, 11);
    const a1 = v128.shuffle<u16>(f0, f1, 4, 12, 5, 13, 6, 14, 7, 15);
    const a2 = v128.shuffle<u16>(f2, f3, 0, 8, 1, 9, 2, 10, 3, 11);
    const a3 = v128.shuffle<u16>(f2, f3, 4, 12, 5, 13, 6, 14, 7, 15);
    const a4 = v128.shuffle<u16>(f4, f5, 0, 8, 1, 9, 2, 10, 3, 11);
    const a5 = v128.shuffle<u16>(f4, f5, 4, 12, 5, 13, 6, 14, 7, 15);
    const a6 = v128.shuffle<u16>(f6, f7, 0, 8, 1, 9, 2, 10, 3, 11);
    const a7 = v128.shuffle<u16>(f6, f7, 4, 12, 5, 13, 6, 14, 7, 15);
    const b0 = v128.shuffle<u32>(a0, a2, 0, 4, 1, 5);
    const b1 = v128.shuffle<u32>(a0, a2, 2, 6, 3, 7);
    const b2 = v128.shuffle<u32>(a1, a3, 0, 4, 1, 5);
    const b3 = v128.shuffle<u32>(a1, a3, 2, 6, 3, 7);
    const b4 = v128.shuffle<u32>(a4, a6, 0, 4, 1, 5);
    const b5 = v128.shuffle<u32>(a4, a6, 2, 6, 3, 7);
    const b6 = v128.shuffle<u32>(a5, a7, 0, 4, 1, 5);
    const b7 = v128.shuffle<u32>(a5, a7, 2, 6, 3, 7);
    r0 = v128.shuffle<u64>(b0, b4, 0, 2);
    r1 = v128.shuffle<u64>(b0, b4, 1, 3);
    r2 = v128.shuffle<u64>(b1, b5, 0, 2);
    r3 = v128.shuffle<u64>(b1, b5, 1, 3);
    r4 = v128.shuffle<u64>(b2, b6, 0, 2);
    r5 = v128.shuffle<u64>(b2, b6, 1, 3);
    r6 = v128.shuffle<u64>(b3, b7, 0, 2);
    r7 = v128.shuffle<u64>(b3, b7, 1, 3);
  }

  const factors = tables + FACTORS + 256 * isChroma;
  let found = quantize(r0, factors, block, tables + POSITIONS);
  found |= quantize(r1, factors + 32, block + 16, tables + POSITIONS + 2048);
  found |= quantize(r2, factors + 64, block + 32, tables + POSITIONS + 4096);
  found |= quantize(r3, factors + 96, block + 48, tables + POSITIONS + 6144);
  found |= quantize(r4, factors + 128, block + 64, tables + POSITIONS + 8192);
  found |= quantize(r5, factors + 160, block + 80, tables + POSITIONS + 10240);
  found |= quantize(r6, factors + 192, block + 96, tables + POSITIONS + 12288);
  found |= quantize(r7, factors + 224, block + 112, tables + POSITIONS + 14336);

  const codes = tables + CODES + CODES_OF_ONE * isChroma;
  const dc = <i32>load<i16>(block);
  codeValues(block, tables + OFFSETS, codes, dc - before, found & ~1);
  return dc;
}

/** Rounds a row of values to whole steps. Returns where those that are not 0 stand in zigzag, a bit each. */
function quantize(row: v128, factors: usize, to: usize, positions: usize): u64 {
  // A float of this size has no room for a fraction: what is added to it is rounded, and stands in its lowest bits.
  const rounder = f32x4.splat(12_582_912);
  const low = f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(row)), v128.load(factors));
  const high = f32x4.mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(row)), v128.load(factors, 16));
  const rounded = i16x8.narrow_i32x4_s(
    i32x4.sub(f32x4.add(low, rounder), rounder),
    i32x4.sub(f32x4.add(high, rounder), rounder),
  );
  // No value may have more than ten bits (T.81, F.1.2.2).
  const steps = i16x8.max_s(i16x8.min_s(rounded, i16x8.splat(1023)), i16x8.splat(-1023));
  v128.store(to, steps);
  const set = i16x8.bitmask(i16x8.ne(steps, i64x2.splat(0)));
  return load<u64>(positions + ((<usize>set) << 3));
}

/** Writes a block: how its DC differs from the one before, then each value with the zeros in front of it. */
function codeValues(block: usize, offsets: usize, codes: usize, difference: i32, found: u64): void {
  const ac = codes + 4 * 16;
  put(codes, sizeOf(difference), 0, difference);
  let last: i32 = 0;
  while (found !== 0) {
    const position = <i32>ctz(found);
    found &= found - 1;
    let run = position - last - 1;
    last = position;
    for (; run > 15; run -= 16) put(ac, 0, 0xf0, 0);
    const value = <i32>load<i16>(block + <usize>load<u16>(offsets + 2 * <usize>position));
    const size = sizeOf(value);
    put(ac, size, run << 4, value);
  }
  // The rest is 0.
  if (last < 63) put(ac, 0, 0, 0);
}

/** Writes the code of a symbol, then as many of the value's own bits as it has. */
function put(codes: usize, size: u32, run: u32, value: i32): void {
  const code = load<u32>(codes + 4 * <usize>(run | size));
  append(((<u64>(code >>> 8)) << size) | ownBits(value, size), (code & 255) + size);
}

// ---- colours (JFIF): what is transparent turns white

/** A sum of red, green and blue, each times 128: doubled. The factors are 8192ths. */
function mixed(r: v128, g: v128, b: v128, ofRed: i16, ofGreen: i16, ofBlue: i16): v128 {
  const sum = i16x8.add(
    i16x8.q15mulr_sat_s(r, i16x8.splat(ofRed)),
    i16x8.add(i16x8.q15mulr_sat_s(g, i16x8.splat(ofGreen)), i16x8.q15mulr_sat_s(b, i16x8.splat(ofBlue))),
  );
  return i16x8.shr_s(i16x8.add(sum, i16x8.splat(8)), 4);
}

function writeLuma(to: usize, r: v128, g: v128, b: v128): void {
  const luma = mixed(i16x8.shl(r, 7), i16x8.shl(g, 7), i16x8.shl(b, 7), 2449, 4809, 934);
  v128.store(to, i16x8.sub(luma, i16x8.splat(256)));
}

/** Takes a unit apart into its six blocks, at twice their values and around 0. */
function readUnit(rgba: usize, stride: usize, blocks: usize): void {
  for (let y: usize = 0; y < 16; y += 2) {
    let reds = i64x2.splat(0);
    let greens = reds;
    let blues = reds;
    for (let line: usize = 0; line < 2; line++) {
      const from = rgba + (y + line) * stride;
      const p0 = v128.load(from);
      const p1 = v128.load(from, 16);
      const p2 = v128.load(from, 32);
      const p3 = v128.load(from, 48);
      const rg0 = v128.shuffle<u8>(p0, p1, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
      const rg1 = v128.shuffle<u8>(p2, p3, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
      const ba0 = v128.shuffle<u8>(p0, p1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
      const ba1 = v128.shuffle<u8>(p2, p3, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
      const white = v128.not(v128.shuffle<u64>(ba0, ba1, 1, 3));
      const red = v128.add_sat<u8>(v128.shuffle<u64>(rg0, rg1, 0, 2), white);
      const green = v128.add_sat<u8>(v128.shuffle<u64>(rg0, rg1, 1, 3), white);
      const blue = v128.add_sat<u8>(v128.shuffle<u64>(ba0, ba1, 0, 2), white);

      const row = blocks + (y >> 3) * (2 * BLOCK) + ((y & 7) + line) * 16;
      writeLuma(row, i16x8.extend_low_i8x16_u(red), i16x8.extend_low_i8x16_u(green), i16x8.extend_low_i8x16_u(blue));
      writeLuma(
        row + BLOCK,
        i16x8.extend_high_i8x16_u(red),
        i16x8.extend_high_i8x16_u(green),
        i16x8.extend_high_i8x16_u(blue),
      );
      reds = i16x8.add(reds, i16x8.extadd_pairwise_i8x16_u(red));
      greens = i16x8.add(greens, i16x8.extadd_pairwise_i8x16_u(green));
      blues = i16x8.add(blues, i16x8.extadd_pairwise_i8x16_u(blue));
    }
    // Sums of four.
    const r = i16x8.shl(reds, 5);
    const g = i16x8.shl(greens, 5);
    const b = i16x8.shl(blues, 5);
    const row = blocks + 4 * BLOCK + (y >> 1) * 16;
    v128.store(row, mixed(r, g, b, -1382, -2714, 4096));
    v128.store(row + BLOCK, mixed(r, g, b, 4096, -3430, -666));
  }
}

/** Copies a unit of which the last columns or rows are missing, and repeats those that are there. */
function fillEdge(rgba: usize, stride: usize, columns: u32, rows: u32, to: usize): void {
  for (let y: u32 = 0; y < 16; y++) {
    const from = rgba + <usize>min(y, rows - 1) * stride;
    for (let x: u32 = 0; x < 16; x++) {
      store<u32>(to + 4 * <usize>(16 * y + x), load<u32>(from + 4 * <usize>min(x, columns - 1)));
    }
  }
}

// ---- strips

/**
 * What is told of each unit, and behind the last of their end: the number of its first bit, 4 bytes; the DCs before it, of
 * luma and both colour differences, 2 each; and 2 for whether it is covered, at the end for how many are. Their bits stand
 * behind all of this.
 */
const MARK: usize = 12;

/**
 * Codes premultiplied RGBA rows as one restart interval. A unit's bits follow from its pixels and the DCs before it: those
 * that show the ground, here and where it is known, are copied if these DCs are equal.
 *
 * @param covered a byte for each unit, 1 if it may show anything but the ground, else 0
 * @param known what was written of these rows of another picture on the same ground, or 0
 * @param out for a mark of each unit and the coded data
 * @returns where the data ends, on a whole byte
 */
export function codeRows(
  rgba: usize,
  width: u32,
  height: u32,
  tables: usize,
  covered: usize,
  known: usize,
  out: usize,
): usize {
  const stride: usize = 4 * width;
  const blocks = tables + BLOCKS;
  const marks = MARK * (<usize>((width + 15) >>> 4) * ((height + 15) >>> 4) + 1);
  end = out + marks;
  bits = 0;
  held = 0;
  let luma = 0;
  let blueness = 0;
  let redness = 0;
  let count: u32 = 0;
  let mark = out;
  let before = known;
  for (let y: u32 = 0; y < height; y += 16) {
    for (let x: u32 = 0; x < width; x += 16) {
      const isCovered: u32 = load<u8>(covered++);
      count += isCovered;
      writeMark(mark, out + marks, luma, blueness, redness, isCovered);
      if (known !== 0 && isCovered === 0 && load<u64>(mark, 4) === load<u64>(before, 4)) {
        copyBits(known + marks, load<u32>(before), load<u32>(before, MARK));
        luma = load<i16>(before, MARK + 4);
        blueness = load<i16>(before, MARK + 6);
        redness = load<i16>(before, MARK + 8);
      } else {
        const at = rgba + <usize>y * stride + 4 * <usize>x;
        if (x + 16 <= width && y + 16 <= height) readUnit(at, stride, blocks);
        else {
          fillEdge(at, stride, min<u32>(16, width - x), min<u32>(16, height - y), tables + EDGE);
          readUnit(tables + EDGE, 64, blocks);
        }
        luma = codeBlock(blocks, tables, 0, luma);
        luma = codeBlock(blocks + BLOCK, tables, 0, luma);
        luma = codeBlock(blocks + 2 * BLOCK, tables, 0, luma);
        luma = codeBlock(blocks + 3 * BLOCK, tables, 0, luma);
        blueness = codeBlock(blocks + 4 * BLOCK, tables, 1, blueness);
        redness = codeBlock(blocks + 5 * BLOCK, tables, 1, redness);
      }
      mark += MARK;
      before += MARK;
    }
  }
  writeMark(mark, out + marks, luma, blueness, redness, count);
  finishByte();
  return end;
}

function writeMark(mark: usize, data: usize, luma: i32, blueness: i32, redness: i32, covered: u32): void {
  store<u32>(mark, ((<u32>(end - data)) << 3) + held);
  store<i16>(mark, <i16>luma, 4);
  store<i16>(mark, <i16>blueness, 6);
  store<i16>(mark, <i16>redness, 8);
  store<u16>(mark, <u16>covered, 10);
}

/** Copies coded data with a zero behind each byte that is FF (T.81, F.1.2.3). Returns where the copy ends. */
export function stuff(from: usize, to: usize, out: usize): usize {
  while (from < to) {
    const bytes = v128.load(from);
    v128.store(out, bytes);
    const whole = <usize>ctz(i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(-1))) | 0x10000);
    const length = min<usize>(to - from, min<usize>(whole + 1, 16));
    from += length;
    out += length;
    if (whole < length) store<u8>(out++, 0);
  }
  return out;
}
