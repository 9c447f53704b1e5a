// All kernels of the painter, in AssemblyScript, in one memory that the caller lays out. `npm run kernel` compiles them to
// src/output/raster/kernels.wasm; a test holds that file to these sources.

import { ensure } from './crossings';

export { layPicture } from './affine-picture';
export { blend } from './blend-modes';
export { recolor } from './color-matrix';
export { cover, coverLetter } from './coverage';
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
export { fillRect, layColor, layMasks, layPixels } from './source-over';

/** Grows the memory to so many bytes, if it is smaller. */
export function reserve(bytes: usize): void {
  ensure(bytes);
}
