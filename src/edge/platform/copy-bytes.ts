// Copies bytes into WebAssembly memory, where there is no Buffer.

export function copyBytes(from: Uint8Array, memory: WebAssembly.Memory, place: number): void {
  new Uint8Array(memory.buffer).set(from, place);
}
