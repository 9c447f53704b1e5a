// The loops of the pixel room that a byte of every pixel goes through, in AssemblyScript: sixteen bytes at a time. And
// what a band of a PNG file needs between them, so that it is made in a few calls.
//
// Works on addresses in its own memory that the caller lays out, and keeps no state: below them is room to work in, of
// which no call expects anything. `npm run kernel` compiles it to src/encoders/kernel.wasm; a test holds that to this.

export { blendFaded, blendOver } from './pixels/blend';
export { packOpaque, packRows } from './pixels/pack';
export { adler32 } from './png/adler32';
export { writeBlock } from './png/deflate';
export { filterRows, findRuns } from './png/filtered';
export { chooseCodes } from './png/huffman';
export { findMatches } from './png/matches';
