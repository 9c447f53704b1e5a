// What a JPEG file's tables say: steps of quantization for a quality, and Huffman codes, both of T.81's annex K.
//
// The steps are libjpeg's of the same quality, to the number.

/** Where the n-th value of a block in zigzag stands in it, row by row (T.81, figure A.6). */
export const ZIGZAG: readonly number[] = zigzag();

function zigzag(): number[] {
  const places = Array.from({ length: 64 }, (_, place) => ({ place, x: place & 7, y: place >> 3 }));
  // Diagonal after diagonal, upward on the even ones.
  const along = ({ x, y }: { x: number; y: number }) => ((x + y) % 2 === 0 ? x : y);
  return places.sort((a, b) => a.x + a.y - (b.x + b.y) || along(a) - along(b)).map(({ place }) => place);
}

/** Tables K.1 and K.2. */
const STEPS = [
  [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
    87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ],
  [17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66].concat(
    Array(38).fill(99),
  ),
] as const;

/**
 * Steps of luma and of the colour differences, 64 each, row by row.
 *
 * @param quality 1 to 100
 */
export function quantization(quality: number): readonly [luma: readonly number[], chroma: readonly number[]] {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  const scaled = (step: number) => Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100)));
  return [STEPS[0].map(scaled), STEPS[1].map(scaled)];
}

export interface HuffmanTable {
  /** How many codes there are of each length, 1 to 16. */
  readonly lengths: readonly number[];
  /** What they stand for, by code. */
  readonly symbols: readonly number[];
}

const hex = (text: string) => [...Buffer.from(text, 'hex')];

/** Tables K.3 and K.4: how many bits the difference has. */
const DC_SYMBOLS = hex('000102030405060708090a0b');
/** Tables K.5 and K.6: zeros before a value in the high digit, its bits in the low one. */
const AC_LUMA =
  '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a' +
  '434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9' +
  'aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa';
const AC_CHROMA =
  '0001020311040521310612415107617113223281081442' +
  '91a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a' +
  '434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8' +
  'a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa';

/** Of luma and of the colour differences. */
export const HUFFMAN: readonly { readonly dc: HuffmanTable; readonly ac: HuffmanTable }[] = [
  {
    dc: { lengths: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: DC_SYMBOLS },
    ac: { lengths: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], symbols: hex(AC_LUMA) },
  },
  {
    dc: { lengths: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: DC_SYMBOLS },
    ac: { lengths: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], symbols: hex(AC_CHROMA) },
  },
];

/** Each symbol with its code and the code's length in bits (T.81, C.2). */
export function codesOf({ lengths, symbols }: HuffmanTable): { symbol: number; code: number; length: number }[] {
  let code = 0;
  let taken = 0;
  return lengths.flatMap((count, index) => {
    const codes = symbols
      .slice(taken, taken + count)
      .map((symbol, n) => ({ symbol, code: code + n, length: index + 1 }));
    taken += count;
    code = (code + count) << 1;
    return codes;
  });
}
