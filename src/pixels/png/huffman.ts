// How often each symbol occurs in, a canonical prefix code of bounded length out (RFC 1951 §3.2.2).
//
// Codes are stored the way a deflate stream takes them: first bit lowest, with their length above them, so that writing
// a symbol is one look-up, one shift and one addition.

/** `length | code << 8` by symbol; 0 for a symbol that does not occur. */
export type CodeTable = Int32Array<ArrayBuffer>;

/** Lengths in bits, each at most `longest`; 0 for a symbol that does not occur. At least two symbols get a code. */
export function codeLengths(counts: Uint32Array, longest: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const rising = byCount(counts);
  const ofLength = fitted(leavesByDepth(rising, longest), longest);
  let rarest = 0;
  for (let length = longest; length > 0; length--) {
    for (let count = ofLength[length] ?? 0; count > 0; count--) {
      lengths[(rising[rarest++] ?? 0) % SYMBOLS] = length;
    }
  }
  return lengths;
}

/** More than any alphabet of deflate has. */
const SYMBOLS = 512;

/** `count * SYMBOLS + symbol` of the symbols that occur, rising: numbers sort faster than anything with a comparison. */
function byCount(counts: Uint32Array): Float64Array {
  const keys = new Float64Array(counts.length + 2);
  let used = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const count = counts[symbol] ?? 0;
    if (count > 0) keys[used++] = count * SYMBOLS + symbol;
  }
  // Decoders differ over a code of one symbol or none, so there are always two.
  for (let symbol = 0; used < 2; symbol++) if (counts[symbol] === 0) keys[used++] = symbol;
  return keys.subarray(0, used).sort();
}

/** How many of the leaves lie at each depth of Huffman's tree; those below `longest` are counted there. */
function leavesByDepth(rising: Float64Array, longest: number): Uint32Array {
  const leaves = rising.length;
  const nodes = 2 * leaves - 1;
  // Leaves, then inner nodes in the order in which they are made, which is also that of their weights.
  const weights = new Float64Array(nodes);
  for (let leaf = 0; leaf < leaves; leaf++) weights[leaf] = Math.floor((rising[leaf] ?? 0) / SYMBOLS);
  const parents = new Uint16Array(nodes);
  let leaf = 0;
  let inner = leaves;
  for (let made = leaves; made < nodes; made++) {
    for (let child = 0; child < 2; child++) {
      const takesLeaf = leaf < leaves && (inner >= made || (weights[leaf] ?? 0) <= (weights[inner] ?? 0));
      const lightest = takesLeaf ? leaf++ : inner++;
      weights[made] = (weights[made] ?? 0) + (weights[lightest] ?? 0);
      parents[lightest] = made;
    }
  }
  const depths = new Uint16Array(nodes);
  const byDepth = new Uint32Array(longest + 1);
  for (let node = nodes - 2; node >= 0; node--) {
    depths[node] = (depths[parents[node] ?? 0] ?? 0) + 1;
    if (node >= leaves) continue;
    const depth = Math.min(depths[node] ?? 0, longest);
    byDepth[depth] = (byDepth[depth] ?? 0) + 1;
  }
  return byDepth;
}

/** Leaves cut to the longest length oversubscribe the code: shorter ones are lengthened until Kraft's sum is 1. */
function fitted(ofLength: Uint32Array, longest: number): Uint32Array {
  let sum = 0;
  for (let length = 1; length <= longest; length++) sum += (ofLength[length] ?? 0) * 2 ** (longest - length);
  for (; sum > 2 ** longest; sum--) {
    let length = longest - 1;
    while (ofLength[length] === 0) length--;
    // One leaf moves down, and takes one of the longest to its side.
    ofLength[length] = (ofLength[length] ?? 0) - 1;
    ofLength[length + 1] = (ofLength[length + 1] ?? 0) + 2;
    ofLength[longest] = (ofLength[longest] ?? 0) - 1;
  }
  return ofLength;
}

export function codeTable(lengths: Uint8Array): CodeTable {
  // One place further on, so that the sum over shorter codes is already shifted.
  const next = new Uint32Array(17);
  for (const length of lengths) if (length > 0) next[length + 1] = (next[length + 1] ?? 0) + 1;
  for (let length = 1, code = 0; length < next.length; length++) {
    code = (code + (next[length] ?? 0)) << 1;
    next[length] = code;
  }
  const table = new Int32Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    table[symbol] = length | (reversed(code, length) << 8);
  }
  return table;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}
