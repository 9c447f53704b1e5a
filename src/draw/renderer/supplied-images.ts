// Reads the images of a job for its renderer: data: URIs directly, uploads from the cache where possible, all others
// from the job's supplies.

import { isDataUri, readImageUri } from '#draw/images/data-uri.ts';
import { resourceCache } from '#draw/output/resource-cache.ts';
import type { ImageSources } from './load-resources.ts';
import type { Subject, Supplies } from './renderer.ts';

/** Cached by id, whose bytes never change; whether an owner may use an upload is checked elsewhere. */
const uploads = resourceCache.of<Uint8Array>('uploaded files');

export function suppliedImages({ uploads: known }: Subject, supplies: Supplies): ImageSources {
  return {
    async read(source, signal, onWarning) {
      if (isDataUri(source)) return readImageUri(source);
      const found = knownId(known, source) ?? (await supplies.image(source, signal));
      if (typeof found !== 'string') {
        for (const warning of found.warnings) onWarning?.(warning);
        return found.bytes;
      }
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
