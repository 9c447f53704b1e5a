// Signs people in through an identity provider: OpenID Connect Core, authorization code with PKCE, state and nonce.
//
// The provider vouches for the e-mail address of the person who signed in there. Which person that is here, and what
// they may do, is decided here. ID tokens are accepted only with a valid signature, although they come straight from
// the provider.

import type { Configuration, IDToken } from 'openid-client';
import { AppError } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import { quoted } from '#core/diagnostics.ts';
import { configuredFetch } from '#server/net/configured-fetch.ts';
import type { MemberRole, Person } from '#server/storage/people.ts';
import type { Ceremonies } from './ceremonies.ts';
import { joinOrRaise, recordMember } from './members.ts';
import { normalEmail, type PeopleContext, recordOwn, recordRefusedSignIn, signInDetail } from './people.ts';
import type { NewSession, Origin, Whence } from './sessions.ts';

export interface Provider {
  /** Such as `https://id.example.com`; `.well-known/openid-configuration` is below it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which relies on PKCE alone. */
  readonly clientSecret: string | null;
  /** Shown on the sign-in button. */
  readonly name: string;
  /** Domains whose people join without an invitation, with their role. */
  readonly join: ReadonlyMap<string, Exclude<MemberRole, 'owner'>>;
}

/** Values kept until the browser comes back. */
interface Expected {
  readonly verifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
  /** When a fresh sign-in at the provider was requested, ms since 1970; null = not required. */
  readonly againSince: number | null;
}

export interface SignInStart {
  /** The URL that the browser is to open. */
  readonly url: string;
  /** For a cookie, so that the answer is accepted from this browser only. */
  readonly token: string;
}

/** Tolerated clock difference, s. */
const TOLERANCE = 60;
/** How long the provider's metadata is kept, ms. */
const METADATA_LASTS = 60 * 60 * 1000;
const library = () => import('openid-client');

export class SingleSignOn {
  readonly provider: Provider;
  readonly #ctx: PeopleContext;
  readonly #ceremonies: Ceremonies;
  #discovered: { readonly until: number; readonly configuration: Promise<Configuration> } | null = null;

  constructor(provider: Provider, ctx: PeopleContext, ceremonies: Ceremonies) {
    this.provider = provider;
    this.#ctx = ctx;
    this.#ceremonies = ceremonies;
  }

  /**
   * @param redirectUri the studio's page that the provider redirects browsers to
   * @param again whether the person must sign in anew at the provider
   * @param origin of the request
   * @throws AppError `sign_in_refused` when the provider cannot be reached, `rate_limited`
   */
  async start(redirectUri: string, again: boolean, origin: Origin): Promise<SignInStart> {
    const oidc = await library();
    const configuration = await this.#configuration();
    const verifier = oidc.randomPKCECodeVerifier();
    const nonce = oidc.randomNonce();
    const againSince = again ? this.#ctx.clock().getTime() : null;
    const expected: Expected = { verifier, nonce, redirectUri, againSince };
    const token = await this.#ceremonies.begin('oidc', { personId: null, expected, origin });
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: token,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(again ? { prompt: 'login', max_age: '0' } : {}),
    });
    return { url: url.href, token };
  }

  /**
   * @param query the query with which the provider redirected the browser
   * @param cookie the token that `start` gave this browser; null = it has none
   * @param signedIn the id of the person who is signed in in this browser; null = nobody
   * @throws AppError `sign_in_refused` saying why
   */
  async finish(query: string, cookie: string | null, signedIn: string | null, whence: Whence): Promise<NewSession> {
    const parameters = new URLSearchParams(query);
    const state = parameters.get('state') ?? '';
    if (cookie === null || cookie !== state) {
      throw refused('This answer is for a sign-in that was begun in another browser or tab. Start again from here.');
    }
    const ceremony = await this.#ceremonies.finish('oidc', state);
    if (!ceremony) throw refused('This sign-in was finished already, or took more than ten minutes. Start again.');
    const expected = ceremony.expected as Expected;
    const { storage, clock, sessions } = this.#ctx;
    const detail = signInDetail('single sign-on', whence);
    try {
      const claims = await this.#claims(parameters, state, expected);
      const confirmedAt = this.#confirmedAt(claims, expected.againSince);
      const person = await this.#personOf(claims, signedIn);
      return await storage.transaction(async (stores) => {
        await recordOwn(stores, person.id, 'person.sign-in', clock(), detail);
        return sessions.begin(person.id, whence, stores, confirmedAt);
      });
    } catch (error) {
      await recordRefusedSignIn(storage, null, detail, clock());
      throw error;
    }
  }

  async #configuration(): Promise<Configuration> {
    const now = this.#ctx.clock().getTime();
    if (this.#discovered === null || this.#discovered.until <= now) {
      const configuration = this.#discover();
      this.#discovered = { until: now + METADATA_LASTS, configuration };
      configuration.catch(() => {
        this.#discovered = null;
      });
    }
    return this.#discovered.configuration;
  }

  async #discover(): Promise<Configuration> {
    const oidc = await library();
    const { issuer, clientId, clientSecret, name } = this.provider;
    const server = new URL(issuer);
    // Plain http is for trials on one machine: the configuration accepts it nowhere else.
    const isPlain = server.protocol === 'http:';
    let configuration: Configuration;
    try {
      configuration = await oidc.discovery(
        server,
        clientId,
        { [oidc.clockTolerance]: TOLERANCE },
        clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
        {
          [oidc.customFetch]: configuredFetch,
          execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
        },
      );
    } catch (cause) {
      throw refused(
        `${name} cannot be asked at ${issuer}: it is not reached, or says that it is another issuer. Try again, or sign in another way; "platen doctor" and the log say more.`,
        cause,
      );
    }
    requireEndpoints(configuration, name, isPlain);
    return configuration;
  }

  /** The claims of a valid ID token; those about the address may come from the userinfo endpoint. */
  async #claims(parameters: URLSearchParams, state: string, expected: Expected): Promise<IDToken> {
    const oidc = await library();
    const configuration = await this.#configuration();
    const url = new URL(expected.redirectUri);
    url.search = parameters.toString();
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: expected.verifier,
        expectedState: state,
        expectedNonce: expected.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('no ID token');
      if (claims.email !== undefined || !configuration.serverMetadata().userinfo_endpoint) return claims;
      const { email, email_verified, name } = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { ...claims, ...{ email, email_verified, name: claims.name ?? name } } as IDToken;
    } catch (error) {
      throw refused(reasonOf(error, this.provider), error);
    }
  }

  /** When the person signed in at the provider, if it says so; otherwise now, as the redirect has just happened. */
  #confirmedAt({ auth_time: at }: IDToken, againSince: number | null): Date {
    const now = this.#ctx.clock().getTime();
    if (at === undefined) return new Date(now);
    if (againSince !== null && at * 1000 < againSince - TOLERANCE * 1000) {
      throw refused(`${this.provider.name} did not ask you to sign in again. Sign out there, then try again.`);
    }
    return new Date(Math.min(now, at * 1000));
  }

  /** The person with the verified address; a new one where an invitation or the domain admits them. */
  async #personOf(claims: IDToken, signedIn: string | null): Promise<Person> {
    const { storage, clock } = this.#ctx;
    const { name } = this.provider;
    if (typeof claims.email !== 'string') {
      throw refused(`${name} told no e-mail address. Its client must be allowed the scope "email".`);
    }
    // Otherwise anybody who can choose an address freely at the provider could become anybody here.
    if (claims.email_verified !== true) {
      throw refused(`${name} has not verified the address ${claims.email}. Have it verified there, then try again.`);
    }
    const email = addressOf(claims.email, name);
    if (await storage.people.isEmpty()) {
      throw refused('This server has no owner yet: use the set-up link that it printed, then sign in this way.');
    }
    const [oldest] = await storage.accounts.list(1);
    const role = this.provider.join.get(email.slice(email.lastIndexOf('@') + 1));
    return storage.transaction(async (stores) => {
      const now = clock();
      const known = await stores.people.findByEmail(email);
      const invitations = await stores.links.invitationsOf(email, now);
      if (!known && invitations.length === 0 && (!role || !oldest)) {
        throw refused(`Nobody is known here by ${email}. Ask an owner for an invitation to this address.`);
      }
      // Somebody else may have typed this address before: only who can sign in as that person too may connect the two.
      if (known && known.verifiedAt === null) {
        if (signedIn !== known.id) throw refused(unverified(email, name));
        await stores.people.verify(known.id, now);
      }
      const about = { name: nameOf(claims, email), createdAt: now, verifiedAt: now, suspendedAt: null };
      const fresh = { id: newId('per'), email, ...about, password: null };
      const person = known ?? fresh;
      // Only for new people: somebody who was removed from an account must not come back by their domain.
      if (!known) {
        if (!(await stores.people.insert(fresh))) throw refused('Somebody signed in at the same time. Start again.');
        if (role && oldest) {
          await stores.people.join(oldest.id, person.id, role, now);
          await recordMember(stores, null, 'member.join', { accountId: oldest.id, personId: person.id, role }, now);
        }
      }
      for (const link of invitations) {
        if (!link.accountId || !link.role || !(await stores.links.use(link.id, now))) continue;
        await joinOrRaise(stores, { accountId: link.accountId, personId: person.id, role: link.role }, now);
      }
      return person;
    });
  }
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;
/** Without it no sign-in can begin; others may be left out of the metadata. */
const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'];

/** Browsers and this server are sent only to web addresses. @throws AppError `sign_in_refused` */
function requireEndpoints(configuration: Configuration, name: string, isPlain: boolean): void {
  const metadata = configuration.serverMetadata();
  for (const endpoint of ENDPOINTS) {
    const address = metadata[endpoint];
    if (address === undefined && !NEEDED.includes(endpoint)) continue;
    const protocol = URL.parse(String(address))?.protocol;
    if (protocol === 'https:' || (isPlain && protocol === 'http:')) continue;
    const given = address === undefined ? 'nothing' : quoted(String(address));
    throw refused(`The metadata of ${name} are not usable: ${endpoint} must be an https address, and is ${given}.`);
  }
}

/** @throws AppError `sign_in_refused` */
function addressOf(claim: string, name: string): string {
  try {
    return normalEmail(claim);
  } catch (cause) {
    throw refused(`${name} gave an e-mail address that is not valid: ${quoted(claim)}.`, cause);
  }
}

const unverified = (email: string, name: string) =>
  `Somebody here has the address ${email}, and has not shown yet that it is theirs. If it is you, sign in another way first, then connect ${name} under "Your account". If it is not, ask who runs this server: "platen user verify" gives the address to its owner.`;

function nameOf({ name }: IDToken, email: string): string {
  const given = typeof name === 'string' ? name.trim().slice(0, 100) : '';
  return given || (email.split('@')[0] ?? email).slice(0, 100);
}

/** Turns an error of openid-client into a sentence for the person who wants to sign in. */
function reasonOf(error: unknown, { name, issuer }: Provider): string {
  const { code, error: said } = error as { code?: unknown; error?: unknown };
  const claim = wrongClaim(error);
  const again = 'Start again.';
  if (said === 'access_denied') return `${name} did not let you in, or you cancelled. ${again}`;
  if (typeof said === 'string') return `${name} refused this sign-in (${said.slice(0, 60)}). ${again}`;
  if (claim === 'nonce') return `The answer of ${name} is for another sign-in: its nonce is wrong. ${again}`;
  if (claim === 'iss' || /"iss"/.test(messages(error))) {
    return `The answer is from another issuer than ${issuer}. Check PLATEN_OIDC_ISSUER.`;
  }
  if (claim === 'aud') return `The answer of ${name} is for another client. Check PLATEN_OIDC_CLIENT_ID.`;
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    return `The answer of ${name} has expired, or the clocks of the two servers differ. ${again}`;
  }
  return `The answer of ${name} is not valid. ${again} If it stays so, the server's log says why.`;
}

/** The claim of an ID token that was wrong: openid-client wraps the errors of its own library. */
function wrongClaim(error: unknown): unknown {
  for (let cause: unknown = error; typeof cause === 'object' && cause !== null; cause = (cause as Error).cause) {
    if ('claim' in cause) return cause.claim;
  }
  return null;
}

/** Messages only: errors of openid-client also carry claims, codes and answers of the provider. */
function messages(error: unknown): string {
  const found: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) found.push(cause.message);
  return found.join(': ');
}

const refused = (sentence: string, cause?: unknown) =>
  new AppError('sign_in_refused', sentence, cause === undefined ? {} : { cause: new Error(messages(cause)) });
