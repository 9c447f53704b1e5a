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
import { AppError } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import type { Passkey } from '#server/storage/passkeys.ts';
import type { Stores } from '#server/storage/storage.ts';
import { record } from '../accounts/audit.ts';
import type { Ceremonies } from './ceremonies.ts';
import { normalName, type PeopleContext, recordOwn, recordRefusedSignIn, signInDetail } from './people.ts';
import { type Permit, unrestricted } from './permit.ts';
import type { NewSession, Origin, SessionHolder, Whence } from './sessions.ts';

export type { Passkey };

/** The requesting page: a passkey works for its host alone. */
export interface AskingPage {
  /** WebAuthn's relying party id, such as `img.example.com`. */
  readonly host: string;
  /** Such as `https://img.example.com`. */
  readonly origin: string;
}

/** The options for the browser's WebAuthn call, and the token of the ceremony. */
export interface PasskeyCeremony<T> {
  readonly token: string;
  readonly options: T;
}

/** A browser's answer: the token, and a credential as `PublicKeyCredential.toJSON()` writes it. */
export interface PasskeyAnswer {
  readonly token: string;
  readonly credential: Readonly<Record<string, unknown>>;
}

/** A passkey whose answer is right, with the signature counter of the answer. */
interface CheckedPasskey {
  readonly passkey: Passkey;
  readonly counter: number;
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
    origin: Origin,
  ): Promise<PasskeyCeremony<PublicKeyCredentialCreationOptionsJSON>> {
    const known = await this.list(holder.personId);
    if (known.length >= MOST) throw tooMany();
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
    const about = { personId: holder.personId, expected: options.challenge, origin };
    return { token: await this.#ceremonies.begin('new-passkey', about), options };
  }

  /**
   * @throws AppError `sign_in_refused`, `conflict` when it is known already or there are too many, `invalid_request`;
   *   what `permit` throws
   */
  async add(
    holder: SessionHolder,
    page: AskingPage,
    { token, credential }: PasskeyAnswer,
    name: string,
    permit: Permit = unrestricted,
  ): Promise<Passkey> {
    const transports = transportsOf(credential);
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
    const { id, publicKey, counter } = registrationInfo.credential;
    const passkey: Passkey = {
      ...{ id: newId('psk'), personId: holder.personId, name: normalName(name) },
      ...{ credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, host: page.host },
      transports,
      createdAt: this.#ctx.clock(),
      lastUsedAt: null,
    };
    await this.#ctx.storage.transaction(async (stores) => {
      // Held, so that of several answers at once each counts those before it.
      await stores.people.hold(holder.personId);
      const actor = await permit(stores);
      if ((await stores.passkeys.list(holder.personId)).length >= MOST) throw tooMany();
      if (!(await stores.passkeys.insert(passkey))) throw new AppError('conflict', 'This passkey is known already.');
      const subject = { id: passkey.id, name: passkey.name };
      const act = { accountId: null, action: 'person.add-passkey', subject } as const;
      await record(stores, actor, act, passkey.createdAt);
    });
    return passkey;
  }

  /** @throws AppError `not_found`, `invalid_request`; what `permit` throws */
  async rename(personId: string, id: string, name: string, permit: Permit = unrestricted): Promise<Passkey> {
    const done = await this.#ctx.storage.transaction(async (stores) => {
      await permit(stores);
      return stores.passkeys.rename(personId, id, normalName(name));
    });
    const passkey = done ? (await this.list(personId)).find((one) => one.id === id) : undefined;
    if (!passkey) throw new AppError('not_found', 'passkey not found');
    return passkey;
  }

  /** It can no longer sign in; sessions stay. @throws AppError `not_found`; what `permit` throws */
  async remove(personId: string, id: string, permit: Permit = unrestricted): Promise<void> {
    await this.#ctx.storage.transaction(async (stores) => {
      const actor = await permit(stores);
      const passkey = (await stores.passkeys.list(personId)).find((one) => one.id === id);
      if (!passkey || !(await stores.passkeys.delete(personId, id))) {
        throw new AppError('not_found', 'passkey not found');
      }
      const act = { accountId: null, action: 'person.remove-passkey', subject: { id, name: passkey.name } } as const;
      await record(stores, actor, act, this.#ctx.clock());
    });
  }

  /** Options for signing in with any passkey that the browser has for the host. @throws AppError `rate_limited` */
  async askToSignIn(
    { host }: AskingPage,
    origin: Origin,
  ): Promise<PasskeyCeremony<PublicKeyCredentialRequestOptionsJSON>> {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({ rpID: host, userVerification: 'required' });
    const about = { personId: null, expected: options.challenge, origin };
    return { token: await this.#ceremonies.begin('passkey', about), options };
  }

  /** @throws AppError `sign_in_refused` */
  async signIn(page: AskingPage, { token, credential }: PasskeyAnswer, whence: Whence): Promise<NewSession> {
    const ceremony = await this.#ceremonies.finish('passkey', token);
    if (!ceremony) throw tooOld();
    const { storage, clock } = this.#ctx;
    const detail = signInDetail('passkey', whence);
    const answer = await this.#check(page, credential, String(ceremony.expected)).catch(async (error) => {
      await recordRefusedSignIn(storage, null, detail, clock());
      throw error;
    });
    return storage.transaction(async (stores) => {
      await this.#use(stores, answer);
      await recordOwn(stores, answer.passkey.personId, 'person.sign-in', clock(), detail);
      return this.#ctx.sessions.begin(answer.passkey.personId, whence, stores);
    });
  }

  /**
   * Options for confirming with a passkey that a signed-in person is still present.
   *
   * @throws AppError `conflict` when they have no passkey here, `rate_limited`
   */
  async askAgain(
    holder: SessionHolder,
    { host }: AskingPage,
    origin: Origin,
  ): Promise<PasskeyCeremony<PublicKeyCredentialRequestOptionsJSON>> {
    const own = (await this.list(holder.personId)).filter((passkey) => passkey.host === host);
    if (own.length === 0) throw new AppError('conflict', 'You have no passkey for this address: type your password.');
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: host,
      userVerification: 'required',
      allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] })),
    });
    const about = { personId: holder.personId, expected: options.challenge, origin };
    return { token: await this.#ceremonies.begin('passkey-again', about), options };
  }

  /** Counts as typing the password again. @throws AppError `sign_in_refused` */
  async confirm(holder: SessionHolder, page: AskingPage, { token, credential }: PasskeyAnswer): Promise<void> {
    const ceremony = await this.#ceremonies.finish('passkey-again', token);
    if (ceremony?.personId !== holder.personId) throw tooOld();
    const answer = await this.#check(page, credential, String(ceremony.expected));
    if (answer.passkey.personId !== holder.personId) {
      throw new AppError('sign_in_refused', 'This passkey is another person’s.');
    }
    await this.#ctx.storage.transaction(async (stores) => {
      await this.#use(stores, answer);
      await this.#ctx.sessions.confirm(holder, stores);
    });
  }

  /** The passkey that gave this answer, and its new counter. @throws AppError `sign_in_refused` */
  async #check(page: AskingPage, credential: PasskeyAnswer['credential'], challenge: string): Promise<CheckedPasskey> {
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
    if (!isRight) throw refused();
    return { passkey, counter: authenticationInfo.newCounter };
  }

  /**
   * Records the use, in the transaction that relies on it. @throws AppError `sign_in_refused` when the passkey was
   * removed meanwhile
   */
  async #use({ people, passkeys }: Stores, { passkey, counter }: CheckedPasskey): Promise<void> {
    // The person first, in the order in which a new password takes them.
    await people.hold(passkey.personId);
    if (!(await passkeys.use(passkey, counter, this.#ctx.clock()))) throw refused();
  }
}

/**
 * How browsers may reach the authenticator: `usb`, `internal` and so on. Nothing signs it. @throws AppError
 * `invalid_request`
 */
function transportsOf({ response }: PasskeyAnswer['credential']): readonly string[] {
  const { transports = [] } = (typeof response === 'object' && response !== null ? response : {}) as {
    transports?: unknown;
  };
  const isWord = (one: unknown) => typeof one === 'string' && /^[\w-]{1,20}$/.test(one);
  if (Array.isArray(transports) && transports.length <= 10 && transports.every(isWord)) return transports;
  const message = 'credential.response.transports: must be a list of at most 10 words such as "internal"';
  throw new AppError('invalid_request', message);
}

/** The library throws plain errors for everything that is wrong with an answer. */
async function verified<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    throw refused(cause);
  }
}

const tooMany = () => new AppError('conflict', `At most ${MOST} passkeys: remove one first.`);
const tooOld = () =>
  new AppError('sign_in_refused', 'This was answered already, or took more than ten minutes: try again.');
const refused = (cause?: unknown) =>
  new AppError(
    'sign_in_refused',
    'The passkey’s answer is not right: it must be made on this very page, by a device that checks who you are. Try again.',
    cause === undefined ? {} : { cause },
  );
