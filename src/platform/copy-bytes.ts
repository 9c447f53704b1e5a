// Copies bytes between shared memory and WebAssembly memory: a Buffer does so several times as fast as a typed array.

/** Copies `from` to the offset `place` of a memory. */
export function copyBytes(from: Uint8Array, memory: WebAssembly.Memory, place: number): void {
  Buffer.from(from.buffer, from.byteOffset, from.byteLength).copy(Buffer.from(memory.buffer), place);
}
