// Tests what the clients say about options that are missing or wrong, and the variables that stand in for them.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { Platen } from '../../clients/js/index.ts';

const apiKey = 'plt_test_x';
const baseUrl = 'http://127.0.0.1:3000';
afterEach(() => vi.unstubAllEnvs());

const BASE_URL_MISSING =
  'baseUrl: is missing; write the address of the server, such as "http://127.0.0.1:3000", or set PLATEN_URL.';

test.each<[object | undefined, string]>([
  [undefined, BASE_URL_MISSING],
  [{ apiKey }, BASE_URL_MISSING],
  [{ baseUrl }, 'apiKey: is missing; write a key, such as "plt_live_…", or set PLATEN_KEY.'],
  [
    { apiKey, url: baseUrl },
    'url: is no option of the client; the options are apiKey, baseUrl, retries, timeout, fetch.',
  ],
  [
    { apiKey, baseUrl: 'localhost:3000' },
    'baseUrl: must begin with http:// or https://, such as "http://127.0.0.1:3000", not "localhost:3000".',
  ],
  [
    { apiKey, baseUrl: 'images' },
    'baseUrl: must begin with http:// or https://, such as "http://127.0.0.1:3000", not "images".',
  ],
])('new Platen(%j)', (options, message) => {
  vi.stubEnv('PLATEN_URL', undefined);
  vi.stubEnv('PLATEN_KEY', undefined);
  expect(() => new Platen(options)).toThrow(new TypeError(message));
});

test('PLATEN_URL and PLATEN_KEY stand in for options that are not given', async () => {
  vi.stubEnv('PLATEN_URL', 'http://127.0.0.1:1234/');
  vi.stubEnv('PLATEN_KEY', 'plt_test_of_environment');
  const asked: [string, string | null][] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push([String(url), new Headers(init?.headers).get('authorization')]);
    return Response.json({});
  };
  await new Platen({ fetch }).account();
  await new Platen({ fetch, baseUrl, apiKey }).account();
  expect(asked).toEqual([
    ['http://127.0.0.1:1234/v1/account', 'Bearer plt_test_of_environment'],
    ['http://127.0.0.1:3000/v1/account', 'Bearer plt_test_x'],
  ]);
});

test('the Python client says the same', async () => {
  const script = `
from platen import Platen
for options in ({}, {"api_key": "x"}, {"base_url": "http://a"}, {"base_url": "localhost:3000", "api_key": "x"}):
    try:
        Platen(**options)
    except (TypeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")
`;
  const { PLATEN_URL: _, PLATEN_KEY: __, ...env } = process.env;
  const python = promisify(execFile)('python3', ['-B', '-c', script], { cwd: 'clients/python', env });
  const missing = 'TypeError: base_url: is missing; write the address of the server, such as';
  expect((await python).stdout.trim().split('\n')).toEqual([
    `${missing} "http://127.0.0.1:3000", or set PLATEN_URL.`,
    `${missing} "http://127.0.0.1:3000", or set PLATEN_URL.`,
    'TypeError: api_key: is missing; write a key, such as "plt_live_…", or set PLATEN_KEY.',
    'ValueError: base_url: must begin with http:// or https://, such as "http://127.0.0.1:3000", not "localhost:3000".',
  ]);
});
