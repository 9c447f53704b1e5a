// The loops of the PNG encoder, in AssemblyScript: pixels to bytes, filters, matches and prefix codes of a band of rows.
//
// They work on addresses in their own memory that the caller lays out, and keep no state: below the addresses is room to
// work in, of which no call expects anything. `npm run kernel` compiles this folder to kernels.wasm beside it.

export { adler32 } from './adler32';
export { writeBlock } from './deflate';
export { filterRows, findRuns } from './filtered';
export { chooseCodes } from './huffman';
export { findMatches } from './matches';
export { packOpaque, packRows } from './pack';
export { findRepeats } from './repeats';
