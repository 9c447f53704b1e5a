// Parses `data:` URIs (RFC 2397) to media type and bytes.
//
// Strict where a lenient parser would guess: base64 may contain only its alphabet and white space, and every escape has
// two digits.

import { AppError } from '#base/errors.ts';
import { bytesOfBase64 } from '#base/runtime.ts';
import { quoted } from '#core/diagnostics.ts';
import { MAX_IMAGE_BYTES } from './limits.ts';

export interface DataUri {
  /** Lower case, without parameters; '' when absent. It is the sender's claim and is not verified. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export const isDataUri = (source: string): boolean => /^data:/i.test(source);

/**
 * The file in a `data:` URI whose media type is any image, absent or unspecific, but not that of a page or script.
 *
 * @throws AppError as `parseDataUri`, and `url_not_allowed` for another media type
 */
export function readImageUri(uri: string): Uint8Array {
  const { mediaType, bytes } = parseDataUri(uri);
  if (/^(image\/[\w.+-]+|application\/octet-stream|)$/.test(mediaType)) return bytes;
  throw new AppError('url_not_allowed', `It is a data: URI of ${quoted(mediaType)}, which is not an image.`);
}

function refuse(message: string): never {
  throw new AppError('invalid_request', message);
}

function decodeBase64(text: string): Uint8Array {
  const body = text.replace(/[ \t\r\n\f]+/g, '').replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(body) || body.length % 4 === 1) refuse('The data: URI is not valid base64.');
  return bytesOfBase64(body);
}

function decodePercent(text: string): Uint8Array {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) refuse('The data: URI has a "%" that no two hexadecimal digits follow.');
  const utf8 = new TextEncoder().encode(text);
  let length = 0;
  for (let at = 0; at < utf8.length; at += 1) {
    const byte = utf8[at] ?? 0;
    const escaped = byte === 0x25;
    utf8[length] = escaped ? Number.parseInt(String.fromCharCode(utf8[at + 1] ?? 0, utf8[at + 2] ?? 0), 16) : byte;
    if (escaped) at += 2;
    length += 1;
  }
  return utf8.subarray(0, length);
}

/**
 * Reads a `data:` URI.
 *
 * @throws AppError `invalid_request` when it is malformed or its content is over 15 MiB
 */
export function parseDataUri(uri: string): DataUri {
  const comma = uri.indexOf(',');
  if (!isDataUri(uri) || comma < 0 || comma > 1024) refuse('The data: URI has no "," before its content.');
  const [mediaType = '', ...parameters] = uri
    .slice(5, comma)
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const base64 = parameters.at(-1) === 'base64';
  const content = uri.slice(comma + 1).trim();
  // Four base64 characters are three bytes; escapes only shrink.
  const ceiling = base64 ? (content.length / 4) * 3 : content.length / 3;
  if (ceiling > MAX_IMAGE_BYTES + 3) refuse(`The file is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB.`);
  const bytes = base64
    ? decodeBase64(content.includes('%') ? unescapeBase64(content) : content)
    : decodePercent(content);
  if (bytes.length > MAX_IMAGE_BYTES) refuse(`The file is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB.`);
  return { mediaType, bytes };
}

/** In a URL, base64 characters may themselves be escaped: `%2B`, `%2F`, `%3D`. */
function unescapeBase64(text: string): string {
  return new TextDecoder('latin1').decode(decodePercent(text));
}
