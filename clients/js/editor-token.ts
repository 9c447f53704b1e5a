// Signs tokens with which a page of your own shows the editor: a JSON Web Token (RFC 7519), signed with HS256.

import { hmac, hmacKey } from './hmac.ts';

export interface EditorToken {
  /** The account's id, `acc_…`. */
  readonly account: string;
  /** The account's signing secret, `sgn_…`, as it is printed. Keep it on a server. */
  readonly secret: string;
  /** Your own id of the user. It stands in the audit log, and their tokens can be revoked by it. */
  readonly user: string;
  readonly userName?: string;
  /** The page that shows the editor: `https://app.example.com`. The account must allow it. */
  readonly origin: string;
  /** The template to edit; absent: an empty canvas of the size of `blank`. */
  readonly template?: string;
  /** An empty canvas, px. */
  readonly blank?: { readonly width: number; readonly height: number; readonly name?: string };
  /** `all` (default), or only the words of texts and which pictures are shown. */
  readonly rights?: 'all' | 'texts-and-pictures';
  /** Names of layers that nobody may change, besides those that the template locks. */
  readonly locked?: readonly string[];
  /** Whether the work is only handed to the page (default), or also saved as the draft, or also published. */
  readonly save?: 'hand-back' | 'draft' | 'publish';
  /** Whether the user may upload pictures into the account; default false. */
  readonly uploads?: boolean;
  /** When the token expires, at most seven days from now; default: in an hour. */
  readonly expires?: Date;
  /** When it is issued; default: now. */
  readonly issued?: Date;
}

export async function signEditorToken(token: EditorToken): Promise<string> {
  const { account, secret, user, userName, issued = new Date(), expires, ...claims } = token;
  const iat = seconds(issued);
  const payload = {
    ...{ iss: account, aud: 'platen-editor', sub: user, name: userName },
    ...{ iat, exp: expires === undefined ? iat + 3_600 : seconds(expires) },
    ...claims,
  };
  const message = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(payload)}`;
  return `${message}.${base64Url(await hmac(await hmacKey(secret), message))}`;
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);
const encoded = (value: object) => base64Url(new TextEncoder().encode(JSON.stringify(value)));

/** RFC 4648, section 5, without padding. */
function base64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
