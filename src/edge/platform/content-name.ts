// Names a file by the object that holds it: at the edge there is no synchronous digest, so only an object that is
// passed again is recognised.

let files = 0;

/** Returns a new name at each call; `fileDigest` remembers it by object. */
export function contentName(_bytes: Uint8Array): string {
  files += 1;
  return `file ${files}`;
}
