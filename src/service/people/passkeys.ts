// Passkeys: WebAuthn credentials used instead of a password (W3C Web Authentication Level 3).
//
// Each belongs to one host and requires user verification by fingerprint, face or PIN. Attestation is not requested:
// which device somebody uses does not matter here.

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { AppError } from '#errors';
import type { Passkey } from '#storage/passkeys.ts';
import { newId } from '../../ids.ts';
import type { Ceremonies } from './ceremonies.ts';
import { normalName, type PeopleContext } from './people.ts';
import type { NewSession, SessionHolder, Whence } from './sessions.ts';

export type { Passkey };

/** The requesting page: a passkey works for its host alone. */
export interface AskingPage {
  /** WebAuthn's relying party id, such as `img.example.com`. */
  readonly host: string;
  /** Such as `https://img.example.com`. */
  readonly origin: string;
}

/** The options for the browser's WebAuthn call, and the token of the ceremony. */
export interface Asked<T> {
  readonly token: string;
  readonly options: T;
}

/** A browser's answer: the token, and a credential as `PublicKeyCredential.toJSON()` writes it. */
export interface PasskeyAnswer {
  readonly token: string;
  readonly credential: Readonly<Record<string, unknown>>;
}

/** Accepted signature algorithms: EdDSA, ES256, RS256 (IANA's COSE algorithms). */
const ALGORITHMS = [-8, -7, -257];
/** Maximum passkeys per person. */
const MOST = 50;
const library = () => import('@simplewebauthn/server');

export class Passkeys {
  readonly #ctx: PeopleContext;
  readonly #ceremonies: Ceremonies;

  constructor(ctx: PeopleContext, ceremonies: Ceremonies) {
    this.#ctx = ctx;
    this.#ceremonies = ceremonies;
  }

  /** Oldest first. */
  async list(personId: string): Promise<Passkey[]> {
    return this.#ctx.storage.passkeys.list(personId);
  }

  /** Options for creating a passkey. @throws AppError `conflict` when there are too many, `rate_limited` */
  async askForNew(
    holder: SessionHolder,
    { host }: AskingPage,
    address: string,
  ): Promise<Asked<PublicKeyCredentialCreationOptionsJSON>> {
    const known = await this.list(holder.personId);
    if (known.length >= MOST) throw new AppError('conflict', `At most ${MOST} passkeys: remove one first.`);
    const options = await (await library()).generateRegistrationOptions({
      rpName: 'Platen Studio',
      rpID: host,
      userID: Buffer.from(holder.personId),
      userName: holder.email,
      userDisplayName: holder.name,
      excludeCredentials: known
        .filter((passkey) => passkey.host === host)
        .map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] })),
      supportedAlgorithmIDs: ALGORITHMS,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const about = { personId: holder.personId, expected: options.challenge, address };
    return { token: await this.#ceremonies.begin('new-passkey', about), options };
  }

  /** @throws AppError `sign_in_refused`, `conflict` when it is known already, `invalid_request` */
  async add(
    holder: SessionHolder,
    page: AskingPage,
    { token, credential }: PasskeyAnswer,
    name: string,
  ): Promise<Passkey> {
    const ceremony = await this.#ceremonies.finish('new-passkey', token);
    if (ceremony?.personId !== holder.personId) throw tooOld();
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verified(() =>
      verifyRegistrationResponse({
        response: credential as unknown as RegistrationResponseJSON,
        expectedChallenge: String(ceremony.expected),
        expectedOrigin: page.origin,
        expectedRPID: page.host,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    );
    if (!registrationInfo) throw refused();
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const passkey: Passkey = {
      ...{ id: newId('psk'), personId: holder.personId, name: normalName(name) },
      ...{ credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, host: page.host },
      transports: transports.slice(0, 10).map((transport) => transport.slice(0, 20)),
      createdAt: this.#ctx.clock(),
      lastUsedAt: null,
    };
    if (await this.#ctx.storage.passkeys.insert(passkey)) return passkey;
    throw new AppError('conflict', 'This passkey is known already.');
  }

  /** @throws AppError `not_found`, `invalid_request` */
  async rename(personId: string, id: string, name: string): Promise<Passkey> {
    const done = await this.#ctx.storage.passkeys.rename(personId, id, normalName(name));
    const passkey = done ? (await this.list(personId)).find((one) => one.id === id) : undefined;
    if (!passkey) throw new AppError('not_found', 'passkey not found');
    return passkey;
  }

  /** It can no longer sign in; sessions stay. @throws AppError `not_found` */
  async remove(personId: string, id: string): Promise<void> {
    if (!(await this.#ctx.storage.passkeys.delete(personId, id))) throw new AppError('not_found', 'passkey not found');
  }

  /** Options for signing in with any passkey that the browser has for the host. @throws AppError `rate_limited` */
  async askToSignIn({ host }: AskingPage, address: string): Promise<Asked<PublicKeyCredentialRequestOptionsJSON>> {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({ rpID: host, userVerification: 'required' });
    const about = { personId: null, expected: options.challenge, address };
    return { token: await this.#ceremonies.begin('passkey', about), options };
  }

  /** @throws AppError `sign_in_refused` */
  async signIn(page: AskingPage, { token, credential }: PasskeyAnswer, whence: Whence): Promise<NewSession> {
    const ceremony = await this.#ceremonies.finish('passkey', token);
    if (!ceremony) throw tooOld();
    const { personId } = await this.#check(page, credential, String(ceremony.expected));
    return this.#ctx.sessions.begin(personId, whence);
  }

  /**
   * Options for confirming with a passkey that a signed-in person is still present.
   *
   * @throws AppError `conflict` when they have no passkey here, `rate_limited`
   */
  async askAgain(
    holder: SessionHolder,
    { host }: AskingPage,
    address: string,
  ): Promise<Asked<PublicKeyCredentialRequestOptionsJSON>> {
    const own = (await this.list(holder.personId)).filter((passkey) => passkey.host === host);
    if (own.length === 0) throw new AppError('conflict', 'You have no passkey for this address: type your password.');
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: host,
      userVerification: 'required',
      allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] })),
    });
    const about = { personId: holder.personId, expected: options.challenge, address };
    return { token: await this.#ceremonies.begin('passkey-again', about), options };
  }

  /** Counts as typing the password again. @throws AppError `sign_in_refused` */
  async confirm(holder: SessionHolder, page: AskingPage, { token, credential }: PasskeyAnswer): Promise<void> {
    const ceremony = await this.#ceremonies.finish('passkey-again', token);
    if (ceremony?.personId !== holder.personId) throw tooOld();
    const { personId } = await this.#check(page, credential, String(ceremony.expected));
    if (personId !== holder.personId) throw new AppError('sign_in_refused', 'This passkey is another person’s.');
    await this.#ctx.storage.sessions.confirm(holder.id, this.#ctx.clock());
  }

  /** The passkey that gave this answer; records its use. @throws AppError `sign_in_refused` */
  async #check(page: AskingPage, credential: PasskeyAnswer['credential'], challenge: string): Promise<Passkey> {
    const { passkeys } = this.#ctx.storage;
    const response = credential as unknown as AuthenticationResponseJSON;
    const passkey = typeof credential.id === 'string' ? await passkeys.findByCredential(credential.id) : null;
    if (passkey?.host !== page.host) {
      throw new AppError(
        'sign_in_refused',
        'This passkey is not known here, or was removed: sign in with your password, then add a new one.',
      );
    }
    const { verifyAuthenticationResponse } = await library();
    const { verified: isRight, authenticationInfo } = await verified(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: page.origin,
        expectedRPID: passkey.host,
        credential: {
          id: passkey.credentialId,
          publicKey: Buffer.from(passkey.publicKey, 'base64url'),
          counter: passkey.counter,
        },
      }),
    );
    if (!isRight || !(await passkeys.use(passkey, authenticationInfo.newCounter, this.#ctx.clock()))) throw refused();
    return passkey;
  }
}

/** The library throws plain errors for everything that is wrong with an answer. */
async function verified<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    throw refused(cause);
  }
}

const tooOld = () =>
  new AppError('sign_in_refused', 'This was answered already, or took more than ten minutes: try again.');
const refused = (cause?: unknown) =>
  new AppError(
    'sign_in_refused',
    'The passkey’s answer is not right: it must be made on this very page, by a device that checks who you are. Try again.',
    cause === undefined ? {} : { cause },
  );
