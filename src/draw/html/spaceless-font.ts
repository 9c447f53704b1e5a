// Removes the space from the cmap of a font file.
//
// Satori takes a space after an emoji from the emoji's face, where it is as wide as a picture. Browsers and Platen's
// layout take it from the text's face. Without a space in the emoji's face, satori does too.

const SPACE = 0x20;

/**
 * Returns a copy of the file. The space is removed only if it has its own entry, as in faces that skip most of ASCII.
 */
export function withoutSpace(file: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(file);
  const view = new DataView(bytes.buffer);
  const table = findTable(view, 'cmap');
  if (table === null) return bytes;
  for (let i = 0; i < view.getUint16(table + 2); i += 1) {
    const subtable = table + view.getUint32(table + 8 + i * 8);
    const format = view.getUint16(subtable);
    if (format === 4) hideInSegments(view, subtable);
    else if (format === 12) hideInGroups(view, subtable);
  }
  return bytes;
}

function findTable(view: DataView, tag: string): number | null {
  for (let i = 0; i < view.getUint16(4); i += 1) {
    const record = 12 + i * 16;
    if ([...tag].every((letter, at) => view.getUint8(record + at) === letter.charCodeAt(0))) {
      return view.getUint32(record + 8);
    }
  }
  return null;
}

/** OpenType `cmap`, format 4: segments of start, end, and the delta from character to glyph. */
function hideInSegments(view: DataView, at: number): void {
  const size = view.getUint16(at + 6);
  const [ends, starts, deltas, offsets] = [at + 14, at + 16 + size, at + 16 + 2 * size, at + 16 + 3 * size];
  for (let i = 0; i < size; i += 2) {
    if (view.getUint16(starts + i) !== SPACE || view.getUint16(ends + i) !== SPACE) continue;
    view.setUint16(deltas + i, 0x10000 - SPACE);
    view.setUint16(offsets + i, 0);
  }
}

/** Format 12: groups of start, end and the first character's glyph. */
function hideInGroups(view: DataView, at: number): void {
  for (let i = 0; i < view.getUint32(at + 12); i += 1) {
    const group = at + 16 + i * 12;
    if (view.getUint32(group) === SPACE && view.getUint32(group + 4) === SPACE) view.setUint32(group + 8, 0);
  }
}
