// Bytes wanted in, shared memory out that other threads can read and a kernel can work in: pixels from its start on, and
// room behind them for what a kernel is handed. So pixels are worked on where they stand.

const PAGE = 65_536;
/** Bytes of room, at the end of the memory. */
export const ROOM = 2 * PAGE;

const memories = new WeakMap<ArrayBufferLike, WebAssembly.Memory>();

/** How long memory for so many bytes of pixels is: whole pages, and the room. */
export function pixelMemoryLength(bytes: number): number {
  return PAGE * Math.ceil(bytes / PAGE) + ROOM;
}

/** Memory for pixels, all zeros: one that no kernel can work in where the system refuses what such a one takes. */
export function makePixelMemory(bytes: number): SharedArrayBuffer {
  try {
    const memory = makeKernelMemory(bytes);
    const { buffer } = memory;
    if (!(buffer instanceof SharedArrayBuffer)) throw new TypeError('shared memory is shared');
    memories.set(buffer, memory);
    return buffer;
  } catch (error) {
    // Gigabytes of addresses, though not of memory, which a limit may forbid.
    if (!(error instanceof RangeError)) throw error;
    return new SharedArrayBuffer(pixelMemoryLength(bytes));
  }
}

/** @throws RangeError when the system refuses it */
export function makeKernelMemory(bytes: number): WebAssembly.Memory {
  const pages = pixelMemoryLength(bytes) / PAGE;
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** What a kernel imports to work in memory for pixels; undefined where none can. */
export function kernelMemoryOf(buffer: ArrayBufferLike): WebAssembly.Memory | undefined {
  return memories.get(buffer);
}
