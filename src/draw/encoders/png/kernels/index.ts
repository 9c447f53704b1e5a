// The inner loops of the PNG encoder, in AssemblyScript: pixel conversion, filters, matches and prefix codes for a band
// of rows.
//
// The caller lays out the memory; the functions keep no state, and the memory below the caller's addresses is scratch
// space. `npm run kernel` compiles this folder to kernels.wasm beside it.

export { adler32 } from './adler32';
export { chooseBlock, writeBlock } from './deflate';
export { filterRows, findRuns } from './filtered';
export { chooseCodes } from './huffman';
export { findMatches } from './matches';
export { packOpaque, packRows } from './pack';
export { indexColors, spreadRows } from './palette';
export { findRepeats } from './repeats';
