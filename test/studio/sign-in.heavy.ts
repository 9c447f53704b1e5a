// Tests signing in without a password, in Chromium against the real server: passkeys, answered by Chromium's virtual
// authenticator (DevTools protocol, WebAuthn) as by a device, and an identity provider.

import type { CDPSession, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLIENT, type TestIssuer, testIssuer } from '../server/http/studio/test-issuer.ts';
import { claim, openStudioLab, type StudioLab, type Watched } from './studio-lab.ts';

/** Longer than any step takes on a busy machine, and shorter than a test may take, so that it is the step that fails, ms. */
const PATIENCE = 100_000;

let lab: StudioLab;
let issuer: TestIssuer;
let page: Page;
let watched: Watched;
let devices: CDPSession;
let authenticator: string;
/** The server's address by host name, because browsers do not allow passkeys for an IP address. */
let address: string;

beforeAll(async () => {
  issuer = await testIssuer();
  lab = await openStudioLab({
    ...{ PLATEN_OIDC_ISSUER: issuer.url, PLATEN_OIDC_NAME: 'Example ID' },
    ...{ PLATEN_OIDC_CLIENT_ID: CLIENT.id, PLATEN_OIDC_CLIENT_SECRET: CLIENT.secret },
  });
  address = lab.server.url.replace('127.0.0.1', 'localhost');
  ({ page, watched } = await lab.open());
  page.setDefaultTimeout(PATIENCE);
  devices = await page.createCDPSession();
  await devices.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  ({ authenticatorId: authenticator } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  }));
  await claim(page, lab.setUpLink.replace('127.0.0.1', 'localhost'));
}, 180_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  await issuer?.[Symbol.asyncDispose]();
});

const named = (role: string, name: string) => `::-p-aria([name="${name}"][role="${role}"])`;
const press = async (name: string, within = '') => {
  const button = await page.waitForSelector(`${within}${named('button', name)}`, { visible: true });
  await button?.click();
};
/** The page behind a dialog has fields and buttons of the same names, which a busy browser shows first. */
const DIALOG = 'dialog[open] ';
const type = async (name: string, text: string) => {
  const field = await page.waitForSelector(`${DIALOG}${named('textbox', name)}`, { visible: true });
  await field?.evaluate((element) => (element as HTMLInputElement).select());
  await field?.type(text);
};
const closed = () => page.waitForFunction(() => document.querySelector('dialog[open]') === null);
const shows = (text: string) => page.waitForSelector(`::-p-text(${text})`);
const signOut = async () => {
  await page.evaluate(() => fetch('/v1/studio/session', { method: 'DELETE' }));
  await page.goto(`${address}/studio/sign-in`, { waitUntil: 'networkidle0' });
};
const isVerified = (isUserVerified: boolean) =>
  devices.send('WebAuthn.setUserVerified', { authenticatorId: authenticator, isUserVerified });

test('a passkey is added, renamed, and signs in', async () => {
  await page.goto(`${address}/studio/account`, { waitUntil: 'networkidle0' });
  await press('Add a passkey');
  await type('Name', 'Laptop');
  await press('Continue', DIALOG);
  await closed();
  await press('Rename Laptop');
  await type('Name', 'Desk');
  await press('Save', DIALOG);
  await page.waitForSelector(named('button', 'Remove Desk'));

  await signOut();
  await press('Use a passkey');
  await page.waitForSelector('.card-name');
  const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId: authenticator });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
}, 120_000);

test('a device that did not see its person signs nobody in, and the page says what to do', async () => {
  await signOut();
  await isVerified(false);
  await press('Use a passkey');
  await shows('The passkey request was canceled');
  await isVerified(true);
  await press('Use a passkey');
  await page.waitForSelector('.card-name');
}, 120_000);

test('what asks for the password takes a passkey', async () => {
  // Answers as the server would eleven minutes later, when the password has to be confirmed again.
  let isOld = true;
  await page.setRequestInterception(true);
  const refuseOnce = (request: HTTPRequest) => {
    if (isOld && request.method() === 'POST' && request.url().endsWith('/keys')) {
      isOld = false;
      const body = JSON.stringify({ error: 'Show that it is you.', code: 'password_needed' });
      return request.respond({ status: 403, contentType: 'application/json', body });
    }
    return request.continue();
  };
  page.on('request', refuseOnce);
  await page.goto(page.url().replace(/\/templates.*/, '/keys?new=key'), { waitUntil: 'networkidle0' });
  await type('Name', 'By passkey');
  await press('Create key');
  await press('Use a passkey');
  await page.waitForSelector('::-p-xpath(//dialog//code[starts-with(., "plt_live_")])');
  page.off('request', refuseOnce);
  await page.setRequestInterception(false);
}, 120_000);

test('once it is removed, it signs nobody in', async () => {
  await page.goto(`${address}/studio/account`, { waitUntil: 'networkidle0' });
  await press('Remove Desk');
  await page.waitForSelector(named('button', 'Add a passkey'));
  await page.waitForFunction(() => !document.body.textContent?.includes('Desk'));
  await signOut();
  await press('Use a passkey');
  await shows('This passkey is not known here, or was removed');
}, 120_000);

test('at an IP address, the page says at which name passkeys work', async () => {
  const { page: other } = await lab.open();
  other.setDefaultTimeout(PATIENCE);
  const answer = await (await other.goto(`${lab.server.url}/v1/studio/session`))?.json();
  expect(answer.noPasskeys).toContain(`open the studio at ${address} instead`);
  await other.goto(`${lab.server.url}/studio/sign-in`, { waitUntil: 'networkidle0' });
  expect(await other.$(named('button', 'Use a passkey'))).toBeNull();
}, 120_000);

test('by the identity provider one comes back to where one was; a wrong answer says what is wrong', async () => {
  const keys = `${address}/studio/account`;
  await signOut();
  await page.goto(keys, { waitUntil: 'networkidle0' });
  expect(new URL(page.url()).searchParams.get('next')).toBe('/studio/account');
  issuer.next = { claims: { email: 'mara@example.com', email_verified: false } };
  await press('Continue with Example ID');
  await shows('has not verified the address mara@example.com');
  expect(page.url()).toBe(`${address}/studio/oidc`);
  const link = await page.waitForSelector('::-p-text(Back to sign-in)');
  await link?.click();

  issuer.next = { claims: { email: 'mara@example.com' } };
  await page.goto(keys, { waitUntil: 'networkidle0' });
  await press('Continue with Example ID');
  await shows('Your account');
  expect(page.url()).toBe(keys);
}, 120_000);

test('all of it without a violation of the policy or a request to another host', () => {
  expect(watched.problems).toEqual([]);
  expect(watched.strangers.filter((url) => !url.startsWith(address) && !url.startsWith(issuer.url))).toEqual([]);
});
