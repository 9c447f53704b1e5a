// The images of a job as its renderer reads them: data: URIs here, uploads from memory where they have been seen before,
// all else from whoever supplies it.

import { isDataUri, readImageUri } from '#images/data-uri.ts';
import { keptMemory } from '#output/kept-memory.ts';
import type { ImageSources } from './load-resources.ts';
import type { Subject, Supplies } from './renderer.ts';

/** By id, which never names other bytes; whether an owner may use them is another question. */
const uploads = keptMemory.of<Uint8Array>('uploaded files');

export function suppliedImages({ uploads: known }: Subject, supplies: Supplies): ImageSources {
  return {
    async read(source, signal) {
      if (isDataUri(source)) return readImageUri(source);
      const found = knownId(known, source) ?? (await supplies.image(source, signal));
      if (typeof found !== 'string') return found;
      const kept = uploads.get(found);
      if (kept) return kept;
      const bytes = await supplies.upload(found, signal);
      uploads.set(found, bytes, bytes.length);
      return bytes;
    },
  };
}

const knownId = (known: Subject['uploads'], source: string) =>
  Object.hasOwn(known, source) ? known[source] : undefined;
