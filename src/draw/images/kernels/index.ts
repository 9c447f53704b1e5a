// The kernel that scales pictures, in AssemblyScript. `npm run kernel` compiles it to src/draw/images/kernels.wasm; a test
// checks that file against this source.

export { pairedBytes, scaleRows } from './scale-rows';
