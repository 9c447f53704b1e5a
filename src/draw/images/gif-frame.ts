// Reads where on its canvas a GIF's first frame lies (GIF 89a, sections 18 to 20).

import type { Size } from '#core/geometry.ts';

/** Bytes before the first frame that are searched: a colour table, comments, application data. */
const MOST = 1 << 16;

/** null: it covers the canvas, the file is no GIF, or its beginning is damaged. */
export function gifFrameOf(file: Uint8Array): (Size & { readonly left: number; readonly top: number }) | null {
  if (file[0] !== 0x47 || file[1] !== 0x49 || file[2] !== 0x46 || file.length < 13) return null;
  const view = new DataView(file.buffer, file.byteOffset, Math.min(file.length, MOST));
  const [canvasWidth, canvasHeight, flags] = [view.getUint16(6, true), view.getUint16(8, true), view.getUint8(10)];
  let at = 13 + ((flags & 0x80) !== 0 ? 3 << ((flags & 7) + 1) : 0);
  while (at + 10 <= view.byteLength && view.getUint8(at) === 0x21) {
    at += 2;
    while (at < view.byteLength && view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
    at += 1;
  }
  if (at + 10 > view.byteLength || view.getUint8(at) !== 0x2c) return null;
  const [left, top] = [view.getUint16(at + 1, true), view.getUint16(at + 3, true)];
  const [width, height] = [view.getUint16(at + 5, true), view.getUint16(at + 7, true)];
  if (left === 0 && top === 0 && width >= canvasWidth && height >= canvasHeight) return null;
  // The part of the frame that is beyond the canvas is not shown.
  return { left: Math.min(left, canvasWidth), top: Math.min(top, canvasHeight), width, height };
}
