// A small OpenID Connect provider for tests: discovery, keys and signed tokens, with any error that a test wants.

import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { serve } from '../../../listen.ts';

/** What the next ID token contains in addition to the correct values, or instead of them. */
export interface Told {
  readonly claims?: JWTPayload & Readonly<Record<string, unknown>>;
  /** Whether the token is signed with a key that the provider does not publish. */
  readonly isForged?: boolean;
  /** Claims that the userinfo endpoint returns besides `sub`. */
  readonly userinfo?: Readonly<Record<string, unknown>>;
}

export interface TestIssuer extends AsyncDisposable {
  readonly url: string;
  /** Signs in at the authorization URL, and returns the query of the redirect back. */
  authorize(address: string, told?: Told): string;
  /** What the tokens contain for a browser that opens `/authorize`. */
  next: Told;
  /** The issuer that its metadata names instead of itself. */
  claimedIssuer: string | null;
  /** What its metadata contain instead of the correct values; undefined leaves a value out. */
  metadata: Readonly<Record<string, string | undefined>>;
}

export const CLIENT = { id: 'platen', secret: 'a secret of the client' } as const;

export async function testIssuer(): Promise<TestIssuer> {
  const [published, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const jwk = { ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const codes = new Map<string, { readonly asked: URLSearchParams; readonly told: Told }>();
  let count = 0;
  const issuer = {
    claimedIssuer: null as string | null,
    metadata: {} as Readonly<Record<string, string | undefined>>,
    next: {} as Told,
    authorize(address: string, told: Told = {}) {
      const { searchParams: asked } = new URL(address);
      count += 1;
      codes.set(`code-${count}`, { asked, told });
      return `?${new URLSearchParams({ code: `code-${count}`, state: asked.get('state') ?? '' })}`;
    },
  };
  let userinfo: object = {};

  async function tokens(form: URLSearchParams, authorization: string): Promise<object | null> {
    const code = form.get('code') ?? '';
    const found = codes.get(code);
    codes.delete(code);
    if (!found) return null;
    const { asked, told } = found;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const expected = [CLIENT.id, CLIENT.secret]
      .map((part) => encodeURIComponent(part).replaceAll('%20', '+'))
      .join(':');
    const isClient = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString() === expected;
    if (challenge !== asked.get('code_challenge') || !isClient) return null;
    if (form.get('redirect_uri') !== asked.get('redirect_uri')) return null;
    userinfo = { sub: 'user-1', ...told.userinfo };
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: url, aud: CLIENT.id, sub: 'user-1', iat: seconds, exp: seconds + 300, nonce: asked.get('nonce') },
      ...(told.userinfo ? {} : { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' }),
      ...told.claims,
    };
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' });
    const id_token = await token.sign((told.isForged ? other : published).privateKey);
    return { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token };
  }

  const server = await serve(async (request, response) => {
    const answer = (body: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration') {
      return answer({
        issuer: issuer.claimedIssuer ?? url,
        ...{ authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token`, jwks_uri: `${url}/keys` },
        ...{ userinfo_endpoint: `${url}/userinfo`, id_token_signing_alg_values_supported: ['ES256'] },
        ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
        ...issuer.metadata,
      });
    }
    if (request.url?.startsWith('/authorize?')) {
      const asked = `${url}${request.url}`;
      const location = new URL(asked).searchParams.get('redirect_uri') + issuer.authorize(asked, issuer.next);
      return response.writeHead(302, { location }).end();
    }
    if (request.url === '/keys') return answer({ keys: [jwk] });
    if (request.url === '/userinfo') return answer(userinfo);
    let body = '';
    for await (const chunk of request) body += chunk;
    const made = await tokens(new URLSearchParams(body), request.headers.authorization ?? '');
    return made ? answer(made) : answer({ error: 'invalid_grant' }, 400);
  });
  const { url } = server;
  return Object.assign(issuer, server);
}
