// A font file in, the same without a space in its cmap out.
//
// Satori sets a space after an emoji in the emoji's face, where it is as wide as a picture; browsers, and our own
// layout, take it from the text's face. Without one there is nothing to take it from but that.

const SPACE = 0x20;

/** Only where the space has an entry of its own, as in faces that skip most of ASCII; else the file as it is. */
export function withoutSpace(file: Uint8Array): Uint8Array {
  const bytes = Buffer.from(file);
  const table = findTable(bytes, 'cmap');
  if (table === null) return bytes;
  for (let i = 0; i < bytes.readUInt16BE(table + 2); i += 1) {
    const subtable = table + bytes.readUInt32BE(table + 8 + i * 8);
    const format = bytes.readUInt16BE(subtable);
    if (format === 4) hideInSegments(bytes, subtable);
    else if (format === 12) hideInGroups(bytes, subtable);
  }
  return bytes;
}

function findTable(bytes: Buffer, tag: string): number | null {
  for (let i = 0; i < bytes.readUInt16BE(4); i += 1) {
    const record = 12 + i * 16;
    if (bytes.toString('latin1', record, record + 4) === tag) return bytes.readUInt32BE(record + 8);
  }
  return null;
}

/** OpenType `cmap`, format 4: segments of start, end, and what is added to a character to be its glyph. */
function hideInSegments(bytes: Buffer, at: number): void {
  const size = bytes.readUInt16BE(at + 6);
  const [ends, starts, deltas, offsets] = [at + 14, at + 16 + size, at + 16 + 2 * size, at + 16 + 3 * size];
  for (let i = 0; i < size; i += 2) {
    if (bytes.readUInt16BE(starts + i) !== SPACE || bytes.readUInt16BE(ends + i) !== SPACE) continue;
    bytes.writeUInt16BE(0x10000 - SPACE, deltas + i);
    bytes.writeUInt16BE(0, offsets + i);
  }
}

/** Format 12: groups of start, end and the first one's glyph. */
function hideInGroups(bytes: Buffer, at: number): void {
  for (let i = 0; i < bytes.readUInt32BE(at + 12); i += 1) {
    const group = at + 16 + i * 12;
    if (bytes.readUInt32BE(group) === SPACE && bytes.readUInt32BE(group + 4) === SPACE)
      bytes.writeUInt32BE(0, group + 8);
  }
}
