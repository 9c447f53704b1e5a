// A software authenticator that can send invalid WebAuthn answers, which Chromium's virtual authenticator never does.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Values that an answer contains instead of the correct ones; absent = correct. */
export interface Quirks {
  readonly challenge?: string;
  readonly origin?: string;
  readonly host?: string;
  readonly type?: string;
  /** The flag "user verified": by fingerprint, face or PIN. */
  readonly isVerified?: boolean;
  readonly counter?: number;
  /** Whether the signature covers other data. */
  readonly isForged?: boolean;
}

interface Page {
  readonly host: string;
  readonly origin: string;
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');

export class SoftAuthenticator {
  readonly id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #page: Page;
  #counter = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  #client(type: string, challenge: string, { origin = this.#page.origin, ...quirks }: Quirks): Buffer {
    const data = { type: quirks.type ?? type, challenge: quirks.challenge ?? challenge, origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data));
  }

  /** Authenticator data (WebAuthn, section 6.1): hash of the host, flags, counter, and the new key. */
  #data(attested: Buffer | null, { host = this.#page.host, isVerified = true, counter }: Quirks): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(0x01 | (isVerified ? 0x04 : 0) | (attested ? 0x40 : 0));
    head.writeUInt32BE(counter ?? ++this.#counter, 1);
    return Buffer.concat([sha256(host), head, attested ?? Buffer.alloc(0)]);
  }

  /** The result of `navigator.credentials.create`, as JSON. */
  create({ challenge }: { challenge: string }, quirks: Quirks = {}): Record<string, unknown> {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    // A COSE key: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}.
    const bytes = (text: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')]);
    const key = [Buffer.from('a5010203262001', 'hex'), Buffer.from([0x21]), bytes(x), Buffer.from([0x22]), bytes(y)];
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, ...key]);
    const data = this.#data(attested, quirks);
    const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
    const length = Buffer.from([0x58, data.length]);
    const attestation = [Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])];
    return this.#answer({
      clientDataJSON: base64url(this.#client('webauthn.create', challenge, quirks)),
      attestationObject: base64url(Buffer.concat([...attestation, text('authData'), length, data])),
      transports: ['internal'],
    });
  }

  /** The result of `navigator.credentials.get`, as JSON. */
  get({ challenge }: { challenge: string }, quirks: Quirks = {}): Record<string, unknown> {
    const client = this.#client('webauthn.get', challenge, quirks);
    const data = this.#data(null, quirks);
    const signed = quirks.isForged ? randomBytes(32) : Buffer.concat([data, sha256(client)]);
    return this.#answer({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
    });
  }

  #answer(response: Record<string, unknown>): Record<string, unknown> {
    const id = base64url(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
