// Passkeys in the browser: passes the server's options to `navigator.credentials`, and returns the answer as JSON.

import { texts } from '../texts/shell.ts';
import { ApiError, apiPath, post } from './api.ts';
import type { AskedPasskey, Passkey } from './contract.ts';
import { session } from './session.ts';

/** Why passkeys cannot be used in this browser or at this address; null = they can. */
export function noPasskeys(): string | null {
  const problem = session.value?.noPasskeys ?? null;
  if (problem) return problem;
  // Available since Chromium 129, Firefox 119, Safari 18.4.
  const isNew = typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
  return isNew ? null : texts.value.frame.noPasskeys;
}

/** Creates a passkey and stores it under a name. */
export async function addPasskey(name: string): Promise<Passkey> {
  const path = apiPath('me', 'passkeys');
  const { token, options } = await post<AskedPasskey>(`${path}/options`);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = await answered(() => navigator.credentials.create({ publicKey }));
  return post<Passkey>(path, { token, name, credential });
}

/** Signs in, or confirms the person's identity: `session` or `session/sudo`. */
export async function givePasskey(path: string): Promise<void> {
  const { token, options } = await post<AskedPasskey>(`${path}/passkey/options`);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await answered(() => navigator.credentials.get({ publicKey }));
  await post(`${path}/passkey`, { token, credential });
}

async function answered(ask: () => Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await ask();
    if (credential instanceof PublicKeyCredential) return credential.toJSON();
  } catch (err) {
    const { name } = err as DOMException;
    if (name === 'InvalidStateError') {
      throw new ApiError(0, 'passkey', texts.value.frame.hasPasskey);
    }
    if (name !== 'NotAllowedError' && name !== 'AbortError') throw err;
  }
  throw new ApiError(0, 'passkey', texts.value.frame.passkeyCanceled);
}
