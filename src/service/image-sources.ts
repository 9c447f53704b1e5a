// Where images come from when nobody uploaded them: `data:` URIs, and the network by way of the outbound guard.

import { AppError } from '#errors';
import { parseDataUri } from '#images/data-uri.ts';
import { MAX_IMAGE_BYTES } from '#images/limits.ts';
import { OutboundClient } from '#net/outbound-client.ts';
import { notAllowed } from '#net/outbound-url.ts';
import type { ImageSources } from '#renderer/load-resources.ts';
import { type OutsideOptions, outboundGuard } from './outbound-guard.ts';

/** What a server may choose among, were it to ask. */
const ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/svg+xml,*/*;q=0.1';

/** A `data:` URI may name any image, or nothing at all; a page or a script it is not. */
function readDataUri(source: string): Uint8Array {
  const { mediaType, bytes } = parseDataUri(source);
  if (!/^(image\/[\w.+-]+|application\/octet-stream|)$/.test(mediaType)) throw notAllowed(`data: of ${mediaType}`);
  return bytes;
}

/** Everything but `data:`, `http:` and `https:` is refused: files, relative paths, other schemes. */
export function outsideImages(client: OutboundClient): ImageSources {
  return {
    async read(source, signal) {
      if (source === '') throw new AppError('invalid_request', 'There is no source.');
      if (/^data:/i.test(source)) return readDataUri(source);
      const { bytes } = await client.get(source, { maxBytes: MAX_IMAGE_BYTES, accept: ACCEPT, signal });
      return bytes;
    },
  };
}

/** `outsideImages` with a client of its own; disposing closes its connections. */
export function openOutside(options: OutsideOptions): ImageSources & AsyncDisposable {
  const client = new OutboundClient(outboundGuard(options), { userAgent: 'Platen' });
  return { ...outsideImages(client), [Symbol.asyncDispose]: () => client.close() };
}
