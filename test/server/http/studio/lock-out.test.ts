// Tests that wrong passwords are limited, and lock out nobody but those who try them: not who is signed in, not a browser
// that was used before, and not the other clients of a proxy.

import { expect, test } from 'vitest';
import { addressGroup } from '#server/service/accounts/address-group.ts';
import { isPassword } from '#server/service/people/passwords.ts';
import { SignInThrottle } from '#server/service/people/sign-in-throttle.ts';
import { NOW } from '../server-under-test.ts';
import { type As, PASSWORD, type StudioUnderTest, studioUnderTest } from './studio-under-test.ts';

const PUBLIC_URL = 'http://img.example.com';

type Cookie = `${string}=${string}`;

async function lab(env: Readonly<Record<string, string>> = {}) {
  const studio = await studioUnderTest(env);
  const { people } = studio.server.services;
  for (const name of ['ada', 'bob']) await people.create({ email: `${name}@example.com`, name, password: PASSWORD });
  return studio;
}

/** Signs in from a client behind a proxy; `from` null = without the proxy's header. */
function signIn(
  studio: StudioUnderTest,
  email: string,
  password: string,
  from: string | null = null,
  as: As['as'] = null,
) {
  const { host } = new URL(studio.server.url);
  const headers = { host, ...(from === null ? {} : { 'x-forwarded-for': `203.0.113.99, ${from}` }) };
  return studio.api('/session', { method: 'POST', as, json: { email, password }, headers });
}

/** Tries wrong passwords, each for somebody else unless an address is given. Returns how often each status came. */
async function tryWrong(studio: StudioUnderTest, count: number, from: (i: number) => string | null, email?: string) {
  const statuses: Record<number, number> = {};
  for (let i = 0; i < count; i += 1) {
    const { status } = await signIn(studio, email ?? `nobody${i}@example.com`, 'a wrong password', from(i));
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

const cookiesOf = ({ headers }: { headers: { 'set-cookie'?: string[] | undefined } }) =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] as Cookie);

test('a stranger’s tries lock out neither who is signed in nor a browser that was used before', async () => {
  await using studio = await lab();
  const [session, browser] = cookiesOf(await signIn(studio, 'ada@example.com', PASSWORD));
  expect(browser).toMatch(/^__Host-platen-browser=plb_\w{43}$/);
  expect(await tryWrong(studio, 11, () => null, 'ada@example.com')).toEqual({ 401: 10, 429: 1 });
  expect((await signIn(studio, 'ada@example.com', PASSWORD)).status).toBe(429);

  const as = session as Cookie;
  const confirm = (password: string) => studio.api('/session/sudo', { method: 'POST', as, json: { password } });
  expect((await confirm(PASSWORD)).status).toBe(200);
  const change = { current: PASSWORD, password: 'another long password' };
  expect((await studio.api('/me/password', { method: 'PUT', as, json: change })).status).toBe(204);
  const again = await signIn(studio, 'ada@example.com', 'another long password', null, browser);
  expect(again.status).toBe(200);

  // The browser is known for one person only, and gets another cookie each time.
  expect(await tryWrong(studio, 10, () => null, 'bob@example.com')).toEqual({ 401: 10 });
  expect((await signIn(studio, 'bob@example.com', PASSWORD, null, browser)).status).toBe(429);
  const [, renewed] = cookiesOf(again);
  expect(renewed).not.toBe(browser);
  expect((await signIn(studio, 'ada@example.com', 'another long password', null, browser)).status).toBe(429);
  expect((await signIn(studio, 'ada@example.com', 'another long password', null, renewed)).status).toBe(200);
});

test('tries of a session and of a known browser are limited too, each by itself', async () => {
  await using studio = await lab();
  const [session, browser] = cookiesOf(await signIn(studio, 'ada@example.com', PASSWORD));
  const statuses: number[] = [];
  for (let i = 0; i < 11; i += 1) {
    const json = { password: 'a wrong password' };
    statuses.push((await studio.api('/session/sudo', { method: 'POST', as: session as Cookie, json })).status);
  }
  expect(statuses).toEqual([...new Array(10).fill(403), 429]);
  for (let i = 0; i < 10; i += 1) {
    expect((await signIn(studio, 'ada@example.com', 'a wrong password', null, browser)).status).toBe(401);
  }
  expect((await signIn(studio, 'ada@example.com', PASSWORD, null, browser)).status).toBe(429);
  expect((await signIn(studio, 'ada@example.com', PASSWORD)).status).toBe(200);
});

test('who mistypes a password locks out no colleague at the same address, who all together have 100 tries', async () => {
  await using studio = await lab();
  expect(await tryWrong(studio, 12, () => '203.0.113.7', 'ada@example.com')).toEqual({ 401: 10, 429: 2 });
  expect((await signIn(studio, 'bob@example.com', PASSWORD, '203.0.113.7')).status).toBe(200);
  const tries = new SignInThrottle(studio.server.services.storage, () => NOW);
  for (let i = 10; i < 98; i += 1) await tries.take([], ['address 203.0.113.7']);
  expect(await tryWrong(studio, 4, () => '203.0.113.7')).toEqual({ 401: 2, 429: 2 });
});

test('behind a proxy that is not configured, all together have 100 tries', async () => {
  await using studio = await lab();
  expect(await tryWrong(studio, 10, () => '203.0.113.7')).toEqual({ 401: 10 });
  expect((await signIn(studio, 'bob@example.com', PASSWORD, '203.0.113.8')).status).toBe(200);
  expect(studio.server.logged()).toMatch(/"proxy":"127\.0\.0\.1".*set PLATEN_PUBLIC_URL/);
  // A client that makes the header up gets no further than this.
  const tries = new SignInThrottle(studio.server.services.storage, () => NOW);
  for (let i = 10; i < 98; i += 1) await tries.take([], ['proxy 127.0.0.1']);
  expect(await tryWrong(studio, 4, (i) => `198.51.100.${i}`)).toEqual({ 401: 2, 429: 2 });
});

test('behind a configured proxy the last forwarded address counts, and IPv6 by its /64', async () => {
  await using studio = await lab({ PLATEN_PUBLIC_URL: PUBLIC_URL });
  const tries = new SignInThrottle(studio.server.services.storage, () => NOW);
  for (let i = 0; i < 98; i += 1) await tries.take([], [`address ${addressGroup('2001:db8:1:2::1')}`]);
  expect(await tryWrong(studio, 4, (i) => `2001:db8:1:2::${i}`)).toEqual({ 401: 2, 429: 2 });
  expect((await signIn(studio, 'bob@example.com', PASSWORD, '2001:db8:1:2:ffff::1')).status).toBe(429);
  expect((await signIn(studio, 'bob@example.com', PASSWORD, '2001:db8:1:3::1')).status).toBe(200);
  expect(studio.server.logged()).not.toContain('many clients may share');
  // A proxy that does not name its clients: they share a higher limit.
  expect(await tryWrong(studio, 11, () => null)).toEqual({ 401: 11 });
  expect(studio.server.logged()).toMatch(/let the proxy set X-Forwarded-For/);
});

test('a right password of somebody known does not wait behind the tries of strangers', async () => {
  const hash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  const ended: string[] = [];
  const tries = Array.from({ length: 40 }, (_, i) =>
    isPassword('a wrong password', hash, `stranger ${i % 3}`).then(() => ended.push('stranger')),
  );
  const late = isPassword('a wrong password', hash, 'another network').then(() => ended.push('late'));
  const known = isPassword('a right password', hash, null).then(() => ended.push('known'));
  await Promise.all([late, known]);
  expect(ended.indexOf('known')).toBeLessThan(20);
  // Networks take turns: whoever comes last waits for one try of each, and not for all.
  expect(ended.indexOf('late')).toBeLessThan(30);
  await Promise.all(tries);
});
