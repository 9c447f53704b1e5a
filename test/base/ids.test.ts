import { expect, test } from 'vitest';
import { isApiKey, isId, newApiKey, newId, newSigningSecret, newWebhookSecret } from '../../src/base/ids.ts';

test('an id is its prefix and 22 base62 characters', () => {
  expect(newId('tpl')).toMatch(/^tpl_[0-9A-Za-z]{22}$/);
  expect(isId('tpl', newId('tpl'))).toBe(true);
  expect(isId('rnd', newId('tpl'))).toBe(false);
  expect(isId('tpl', `tpl_${'a'.repeat(21)}/`)).toBe(false);
  expect(isId('tpl', `${newId('tpl')}\n`)).toBe(false);
});

test('ten thousand ids are all different', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newId('rnd'))).size).toBe(10_000);
});

test('a key is plt_live_ or plt_test_, 32 random characters and a checksum of 6', () => {
  expect(newApiKey('live')).toMatch(/^plt_live_[0-9A-Za-z]{38}$/);
  expect(newApiKey('test')).toMatch(/^plt_test_[0-9A-Za-z]{38}$/);
});

test('the checksum tells any single wrong character', () => {
  const key = newApiKey('live');
  expect(isApiKey(key)).toBe(true);
  for (let at = 0; at < key.length; at += 1) {
    const wrong = key[at] === 'x' ? 'y' : 'x';
    expect(isApiKey(key.slice(0, at) + wrong + key.slice(at + 1)), `at ${at}`).toBe(false);
  }
});

test('what is no key is told apart', () => {
  const key = newApiKey('live');
  for (const text of [
    '',
    'plt_live_',
    key + key,
    ` ${key}`,
    `${key}\n`,
    key.replace('live', 'test'),
    key.toUpperCase(),
  ]) {
    expect(isApiKey(text), text).toBe(false);
  }
});

test('every base62 character turns up in keys', () => {
  const seen = new Set(Array.from({ length: 200 }, () => newApiKey('test').slice(9)).join(''));
  expect(seen.size).toBe(62);
});

test('secrets have 256 random bits', () => {
  expect(newSigningSecret()).toMatch(/^sgn_[0-9A-Za-z]{43}$/);
  expect(Buffer.from(newWebhookSecret().slice('whsec_'.length), 'base64')).toHaveLength(32);
});
