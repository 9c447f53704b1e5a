// Joins files in a ZIP file in the page, stored uncompressed, since pictures do not shrink (PKWARE APPNOTE 6.3.10). The
// server's writer streams files of any number; this one has those of one download.

/** One row of the table for each byte: the reversed polynomial of CRC-32. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** Little-endian numbers, each with its length in bytes. */
function record(...fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

const shorts = (...values: readonly number[]) => values.map((value) => [value, 2] as const);
const longs = (...values: readonly number[]) => values.map((value) => [value, 4] as const);

/** General purpose bit 11: names are UTF-8. */
const UTF8 = 0x0800;
/** 1980-01-01: the same files give the same bytes. */
const DATE = 0x0021;

/** @param files with different names, below 4 GiB together */
export async function zipOf(files: readonly { readonly name: string; readonly blob: Blob }[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let [offset, length] = [0, 0];
  for (const { name, blob } of files) {
    const encoded = new TextEncoder().encode(name);
    const sum = crc32(new Uint8Array(await blob.arrayBuffer()));
    // Version needed, flags, method, time, date, checksum, both sizes, length of the name, no extra field.
    const about = [...shorts(20, UTF8, 0, 0, DATE), ...longs(sum, blob.size, blob.size), ...shorts(encoded.length, 0)];
    parts.push(record(...longs(0x04034b50), ...about), encoded, blob);
    // No comment, first disk, no attributes.
    directory.push(
      record(...longs(0x02014b50), ...shorts(20), ...about, ...shorts(0, 0, 0), ...longs(0, offset)),
      encoded,
    );
    offset += 30 + encoded.length + blob.size;
    length += 46 + encoded.length;
  }
  const count = files.length;
  const end = record(...longs(0x06054b50), ...shorts(0, 0, count, count), ...longs(length, offset), ...shorts(0));
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}
