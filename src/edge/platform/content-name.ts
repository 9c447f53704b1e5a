// Names a file by the object that holds it: where no digest can be had at once, what is handed in again is kept.

let files = 0;

/** Another name at each call: `fileDigest` remembers it by the object. */
export function contentName(_bytes: Uint8Array): string {
  files += 1;
  return `file ${files}`;
}
