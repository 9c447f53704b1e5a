// All painter kernels, in AssemblyScript, in one memory that the caller lays out. `npm run kernel` compiles them to
// src/draw/output/raster/kernels.wasm; a test checks that file against these sources.

export { indexColors } from '../../../encoders/png/kernels/palette';
export { layPicture } from './affine-picture';
export { blend } from './blend-modes';
export { recolor } from './color-matrix';
export { cover, coverLetter } from './coverage';
export { digestRows } from './digest-rows';
export {
  convolveColumns,
  layBlurredMask,
  layBlurredPixels,
  shrinkMask,
  shrinkPixels,
  transpose,
  transposePixels,
} from './gaussian-blur';
export { fillGradient, fillLinear } from './gradient';
export { addMask, intersectMasks } from './masks';
export { packOnWhite } from './pack-on-white';
export { fillRect, layColor, layMasks, layPixels } from './source-over';
