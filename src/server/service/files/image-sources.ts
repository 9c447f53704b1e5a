// Reads images that are not uploads: from `data:` URIs, and from the network through the outbound guard.

import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import { nearestName } from '#core/nearest-name.ts';
import { isDataUri, readImageUri } from '#draw/images/data-uri.ts';
import { MAX_IMAGE_BYTES } from '#draw/images/limits.ts';
import type { ImageSources } from '#draw/renderer/load-resources.ts';
import { OutboundClient } from '#server/net/outbound-client.ts';
import { UrlNotAllowed } from '#server/net/outbound-url.ts';
import { type OutsideOptions, outboundGuard } from '../pages/outbound-guard.ts';

/** The Accept header, for servers that negotiate the format. */
const ACCEPT = 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/svg+xml,*/*;q=0.1';

const refused = (explanation: string) => new AppError('url_not_allowed', explanation);

/** Describes a source that is invalid by its text alone; null where it may be valid. */
function mistakeIn(source: string): string | null {
  const shown = quoted(source);
  const give = 'give an https:// URL, a data: URI or the id of an uploaded image';
  if (/^img_/.test(source))
    return `${shown} is not the id of an uploaded image: upload it under Images, or with POST /v1/images.`;
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(source) ?? [];
  // A host with a port (`localhost:3000/a.png`) and a drive letter (`C:\\a.png`) are no schemes either.
  if (scheme === undefined || scheme.length === 1 || /^[\w.-]+:\d+(\/|$)/.test(source)) {
    const upload = 'a file beside the template is uploaded by "platen template push", or by POST /v1/images';
    return `${shown} is a path, not a URL; ${give}. ${upload.replace(/^a/, 'A')}.`;
  }
  if (/^(https?|data|screenshot)$/i.test(scheme)) return null;
  const near = nearestName(scheme, ['https', 'http', 'data', 'screenshot']);
  const hint = near === null ? give : `did you mean ${JSON.stringify(`${near}:`)}?`;
  return `${JSON.stringify(`${scheme.slice(0, 40)}:`)} is not a scheme of an image source; ${hint}${near === null ? '.' : ''}`;
}

/** Refuses everything but `data:`, `http:` and `https:`: files, relative paths, other schemes. */
export function outsideImages(client: OutboundClient): ImageSources {
  return {
    async read(source, signal) {
      if (source === '') throw new AppError('invalid_request', 'There is no source.');
      if (isDataUri(source)) return readImageUri(source);
      const mistake = mistakeIn(source);
      if (mistake !== null) throw refused(mistake);
      try {
        return (await client.get(source, { maxBytes: MAX_IMAGE_BYTES, accept: ACCEPT, signal })).bytes;
      } catch (error) {
        throw error instanceof UrlNotAllowed
          ? new AppError('url_not_allowed', error.explanation, { cause: error.cause })
          : error;
      }
    },
  };
}

/** `outsideImages` with a client of its own, whose connections are closed on disposal. */
export function openOutside(options: OutsideOptions): ImageSources & AsyncDisposable {
  const client = new OutboundClient(outboundGuard(options), { userAgent: 'Platen' });
  return { ...outsideImages(client), [Symbol.asyncDispose]: () => client.close() };
}
