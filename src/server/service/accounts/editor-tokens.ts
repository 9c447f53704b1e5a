// Tokens with which a page of another site shows the editor: whose they are, for which template, and what they allow.
//
// A token is a JSON Web Token (RFC 7519) that the account's signing secret signs with HS256, so any library makes one.
// Its first characters, `eyJ`, are never those of a signed URL's message, which begins with `v1`: neither signature can
// stand for the other. Tokens are not stored; what revokes them is.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import { isId } from '#base/ids.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { parse } from '#core/template/validation.ts';
import { EDIT_RIGHTS, type EditRights } from '#design/edit-rights.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { type Permit, unrestricted } from '../people/permit.ts';
import { requireActive } from './accounts.ts';
import { record } from './audit.ts';

/** What becomes of the work: it is handed to the page, or also saved as the template's draft, or also published. */
export const SAVES = ['hand-back', 'draft', 'publish'] as const;

/** How long a token may be valid, s. */
const MAX_TOKEN_LASTS = 7 * 24 * 60 * 60;
/** Tolerated difference of clocks, s. */
const TOLERANCE = 60;
/** Longest token, characters. */
const MAX_TOKEN = 8_192;
export const MAX_ORIGINS = 50;
export const MAX_USER = 200;

const Seconds = z.int().min(0).max(99_999_999_999);
const Side = z.int().min(1).max(8_192);
/** The claims; others are ignored, as RFC 7519 asks. */
const Claims = z.object({
  iss: z.string(),
  aud: z.literal('platen-editor', 'must be "platen-editor"'),
  sub: z.string().min(1).max(MAX_USER),
  name: z.string().max(200).optional(),
  iat: Seconds,
  exp: Seconds,
  origin: z.string().max(300),
  template: z.string().max(100).optional(),
  blank: z.strictObject({ width: Side, height: Side, name: z.string().min(1).max(200).default('Untitled') }).optional(),
  rights: z.enum(EDIT_RIGHTS).default('all'),
  locked: z.array(z.string().min(1).max(100)).max(100).default([]),
  save: z.enum(SAVES).default('hand-back'),
  uploads: z.boolean().default(false),
});

/** What a valid token says. */
export interface EditorToken extends EditRights {
  readonly accountId: string;
  readonly plan: string;
  /** As the other site knows them. */
  readonly user: { readonly id: string; readonly name: string | null };
  /** The page that may show it. */
  readonly origin: string;
  readonly expires: Date;
  /** Null: it begins with an empty canvas. */
  readonly template: string | null;
  /** px; null: it is for a stored template. */
  readonly blank: { readonly width: number; readonly height: number; readonly name: string } | null;
  readonly save: (typeof SAVES)[number];
  /** Whether pictures may be uploaded into the account. */
  readonly uploads: boolean;
}

export class EditorTokens {
  readonly #storage: Storage;
  readonly #clock: () => Date;

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** The origins whose pages may show the account's editor; none for an account that there is not. */
  async origins(accountId: string): Promise<readonly string[]> {
    return isId('acc', accountId) ? this.#storage.embedding.origins(accountId) : [];
  }

  /** Replaces them. Takes effect with the next request. @throws ValidationError; what `permit` throws */
  async setOrigins(
    accountId: string,
    origins: readonly string[],
    permit: Permit = unrestricted,
  ): Promise<readonly string[]> {
    if (origins.length > MAX_ORIGINS) throw new ValidationError('origins', `must name at most ${MAX_ORIGINS}`);
    const normal = [...new Set(origins.map((origin, i) => normalOrigin(origin, `origins[${i}]`)))];
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await stores.embedding.setOrigins(accountId, normal);
      const subject = { id: null, name: normal.join(', ').slice(0, 500) || 'none' };
      await record(stores, actor, { accountId, action: 'embedding.change', subject }, this.#clock());
    });
    return normal;
  }

  /**
   * Refuses tokens that were issued before a moment. Takes effect with the next request.
   *
   * @param user whose; null = everybody's
   * @param before null = now
   * @returns the moment
   * @throws ValidationError for a moment in the future; what `permit` throws
   */
  async revoke(
    accountId: string,
    user: string | null,
    before: Date | null,
    permit: Permit = unrestricted,
  ): Promise<Date> {
    const now = this.#clock();
    // A token's `iat` is in whole seconds: what was issued in this second is revoked too.
    const moment = before ?? new Date(Math.floor(now.getTime() / 1_000) * 1_000 + 1_000);
    if (before !== null && before > now) throw new ValidationError('before', 'must not be in the future');
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await stores.embedding.forgetRevocations(accountId, new Date(now.getTime() - MAX_TOKEN_LASTS * 1_000));
      await stores.embedding.revoke(accountId, { user: user ?? '', before: moment });
      const subject = { id: null, name: user ?? 'all users' };
      const act = { accountId, action: 'embedding.revoke', subject, detail: moment.toISOString() } as const;
      await record(stores, actor, act, now);
    });
    return moment;
  }

  /**
   * Checks a token.
   *
   * @param origin of the page that shows the editor
   * @throws AppError `unauthorized` when it is malformed, altered, expired or revoked; `forbidden` for another origin;
   *   `suspended`
   */
  async verify(token: string, origin: string, stores: Stores = this.#storage): Promise<EditorToken> {
    const now = this.#clock();
    const { message, signature, claims } = read(token);
    const account = isId('acc', claims.iss) ? await stores.accounts.find(claims.iss) : null;
    const secrets = account ? await stores.secrets.active(account.id, 'signing') : [];
    // Every secret is tried, so the time taken does not tell which one fits.
    const fits = secrets.map((secret) => isSignature(secret, message, signature));
    if (!account || !fits.includes(true)) throw refused('was not signed with a valid secret of the account');
    const issued = claims.iat * 1_000;
    if (claims.exp * 1_000 <= now.getTime()) throw refused('has expired');
    if (issued > now.getTime() + TOLERANCE * 1_000) throw refused('says that it was issued in the future (iat)');
    if (claims.exp - claims.iat > MAX_TOKEN_LASTS) throw refused('is valid for longer than seven days (exp, iat)');
    const revocations = await stores.embedding.revocations(account.id, claims.sub);
    if (revocations.some(({ before }) => issued < before.getTime())) throw refused('was revoked');
    requireActive(account.suspendedBy);
    const allowed = await stores.embedding.origins(account.id);
    if (!allowed.includes(claims.origin)) {
      throw new AppError(
        'forbidden',
        `The account does not allow the editor in pages of ${quote(claims.origin)}: add it in the studio, under Settings, Embedded editors.`,
      );
    }
    if (origin !== claims.origin) {
      throw new AppError(
        'forbidden',
        `This editor’s token is for pages of ${claims.origin}, not of ${quote(origin) || 'none'}.`,
      );
    }
    const { name = null, template = null, blank = null, rights, locked, save, uploads } = claims;
    const user = { id: claims.sub, name };
    const ends = { origin, expires: new Date(claims.exp * 1_000) };
    return { accountId: account.id, plan: account.plan, user, ...ends, template, blank, rights, locked, save, uploads };
  }

  /** Whether a token is still valid, asked in the transaction that does what was asked with it. */
  permit(token: string, origin: string): Permit {
    return async (stores) => {
      const { user } = await this.verify(token, origin, stores);
      return { kind: 'embedded-editor', id: user.id, name: user.name };
    };
  }
}

interface ReadToken {
  readonly message: string;
  readonly signature: Buffer;
  readonly claims: z.output<typeof Claims>;
}

/** Parses a token. Its claims mean nothing until the signature is checked. @throws AppError `unauthorized` */
function read(token: string): ReadToken {
  const [header = '', payload = '', signature = '', ...more] = token.length > MAX_TOKEN ? [] : token.split('.');
  const head = jsonOf(header) as { alg?: unknown; crit?: unknown } | null;
  const body = jsonOf(payload);
  if (more.length > 0 || head === null || body === null) throw refused('is not a JSON Web Token');
  // The algorithm is ours to choose, not the token's (RFC 8725, 3.1).
  if (head.alg !== 'HS256' || head.crit !== undefined) throw refused('must be signed with HS256');
  try {
    const claims = parse(Claims, body);
    if ((claims.template === undefined) === (claims.blank === undefined))
      throw refused('must name a template, or blank');
    if (claims.blank && claims.save !== 'hand-back') throw refused('for a blank canvas can only hand back (save)');
    return { message: `${header}.${payload}`, signature: Buffer.from(signature, 'base64url'), claims };
  } catch (error) {
    if (error instanceof ValidationError) throw refused(`is malformed: ${error.message}`);
    throw error;
  }
}

function jsonOf(part: string): object | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

function isSignature(secret: string, message: string, given: Buffer): boolean {
  const made = createHmac('sha256', secret).update(message).digest();
  return given.length === made.length && timingSafeEqual(given, made);
}

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** `https://App.example.com/` → `https://app.example.com`. @throws ValidationError */
function normalOrigin(text: string, path: string): string {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  const isBare =
    url !== null && url.pathname === '/' && `${url.search}${url.hash}${url.username}${url.password}` === '';
  // Punycode that stands for no name (UTS #46) passes as a URL.
  const isName = url !== null && !/(^|\.)xn--/.test(domainToUnicode(url.hostname));
  if (!url || !isSafe || !isBare || !isName || /[*\s;,]/.test(text)) {
    const mend = 'must be an origin such as "https://app.example.com", or of this machine "http://localhost:3000"';
    throw new ValidationError(path, mend);
  }
  return url.origin;
}

const quote = (text: string) => text.slice(0, 100);
const refused = (problem: string) =>
  new AppError('unauthorized', `This editor’s token ${problem}: have the page ask its server for a new one.`);
