// Sign-in by the identity provider: the browser goes there, and comes back to /studio/oidc.

import { apiPath, post } from './api.ts';
import { STUDIO } from './base.ts';

const NEXT = 'platen-after-sign-in';

/**
 * Sends the browser to the provider.
 *
 * @param next an address of the studio to go to afterwards
 * @param again whether the provider must ask for the password again
 */
export async function goToProvider(next: string, again: boolean): Promise<void> {
  const { url } = await post<{ url: string }>(apiPath('session', 'provider', 'start'), { again });
  sessionStorage.setItem(NEXT, next);
  location.assign(url);
}

/** Sends the provider's answer to the server; returns the address to go to. */
export async function comeBack(query: string): Promise<string> {
  await post(apiPath('session', 'provider'), { query });
  const next = sessionStorage.getItem(NEXT) ?? '';
  sessionStorage.removeItem(NEXT);
  return next.startsWith(`${STUDIO}/`) ? next : `${STUDIO}/`;
}
