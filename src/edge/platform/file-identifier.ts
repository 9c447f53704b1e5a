// Digests the contents of a file for its identifier, which only has to differ from those of other files: four FNV-1a
// hashes from different starts, as there is no synchronous digest at the edge.

const PRIME = 0x01000193;

export function fileIdentifier(parts: Iterable<Uint8Array | string>): Uint8Array {
  const hashes = Uint32Array.of(0x811c9dc5, 0x5bd1e995, 0x9e3779b9, 0x85ebca6b);
  let place = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) {
      const byte = typeof part === 'string' ? part.charCodeAt(i) : (part[i] as number);
      const own = place & 3;
      place += 1;
      hashes[own] = Math.imul((hashes[own] as number) ^ byte, PRIME);
    }
  }
  // Each hash has a quarter of the bytes; mixed, each depends on all.
  for (let i = 0; i < 8; i++) {
    const before = hashes[(i + 3) & 3] as number;
    hashes[i & 3] = Math.imul((hashes[i & 3] as number) ^ before ^ (before >>> 15), PRIME);
  }
  return new Uint8Array(hashes.buffer);
}
