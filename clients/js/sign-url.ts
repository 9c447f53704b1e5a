// Signs URLs that render a template without a key, for an `<img>` or a social preview.
//
// The message and its canonical parameters follow the API: RFC 3986 escapes in upper case, sorted by escaped name.

import type { RenderResult } from './contract.generated.ts';
import { hmac, hmacKey, toHex } from './hmac.ts';

export interface SignedUrl {
  /** The server's address, without a path. */
  readonly baseUrl: string;
  /** The account's signing secret, `sgn_…`, as it is printed. Keep it on a server. */
  readonly secret: string;
  /** A template's id, or `id@3` for a version. */
  readonly template: string;
  readonly extension: RenderResult['output'] | 'jpg';
  /** Values by name: of layers or `layer.property`, and `scale` (0.1 to 3) and `q` (0 to 100). */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  /** When the URL expires; absent: never. */
  readonly expires?: Date;
}

export async function signUrl({
  baseUrl,
  secret,
  template,
  extension,
  parameters = {},
  expires,
}: SignedUrl): Promise<string> {
  const query = Object.entries(parameters)
    .map(([name, value]) => [escaped(name), escaped(String(value))] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const end = expires === undefined ? '' : String(Math.floor(expires.getTime() / 1_000));
  const message = [end === '' ? 'v1' : `v1.${end}`, template, extension, query].join('\n');
  const signature = toHex(await hmac(await hmacKey(secret), message));
  const sig = end === '' ? signature : `${end}.${signature}`;
  const path = `/v1/templates/${encodeURIComponent(template).replace('%40', '@')}/render.${extension}`;
  return `${baseUrl.replace(/\/+$/, '')}${path}?${query}${query === '' ? '' : '&'}sig=${sig}`;
}

/** encodeURIComponent does not escape these five characters, but RFC 3986 does. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
