// Tests that pages may be signed by a company's own authority where Node trusts it, and by no other.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findCertutil, makeNssDatabase, NO_CERTUTIL } from '#server/chromium/authorities.ts';
import { Browsers } from '#server/chromium/browsers.ts';
import { JobProxy } from '#server/net/proxy.ts';
import { loadConfig } from '../../../src/server/config/config.ts';
import { listen } from '../../listen.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { guardFor } from '../net/servers.ts';
import { hasChromium } from './chromium.ts';

const run = promisify(execFile);
const { programFolders, chromiumPath } = loadConfig({
  PATH: process.env.PATH,
  CHROMIUM_PATH: process.env.CHROMIUM_PATH,
});
const canTrust = hasChromium && findCertutil(programFolders) !== null;

/** An authority, and a certificate of it for localhost. */
async function certify(folder: string, authority: string) {
  const path = (name: string) => join(folder, `${authority}-${name}`);
  const make = (name: string, subject: string, ...more: string[]) =>
    run('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '9', '-subj', subject],
      ...['-keyout', path(`${name}.key`), '-out', path(`${name}.pem`), ...more],
    ]);
  await make('ca', `/CN=${authority}`, '-addext', 'basicConstraints=critical,CA:TRUE');
  const by = ['-CA', path('ca.pem'), '-CAkey', path('ca.key')];
  const forHost = ['-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=critical,CA:FALSE'];
  await make('host', '/CN=localhost', ...by, ...forHost);
  const [cert, key] = await Promise.all(['host.pem', 'host.key'].map((name) => readFile(path(name), 'utf8')));
  const server = createServer({ cert: cert ?? '', key: key ?? '' }, (_, answer) => void answer.end('trusted'));
  return { file: path('ca.pem'), ...(await listen(server)) };
}

test.skipIf(!canTrust)('a page of the authority is shown, one of another is not, and neither without it', async () => {
  await using folder = await temporaryFolder();
  await using company = await certify(folder.path, 'company');
  await using stranger = await certify(folder.path, 'stranger');
  const texts = async (extraAuthorities: string | null) => {
    await using browsers = new Browsers({ chromiumPath, programFolders, extraAuthorities });
    await using proxy = await JobProxy.open(guardFor(['127.0.0.0/8']));
    return await browsers.run(60_000, async (browser) => {
      const through = { proxyServer: proxy.url, proxyBypassList: ['<-loopback>'] };
      const page = await (await browser.createBrowserContext(through)).newPage();
      const shown = [];
      for (const { port } of [company, stranger]) {
        const answer = await page.goto(`https://localhost:${port}/`).catch((error: Error) => error);
        shown.push(answer instanceof Error ? /ERR_\w+/.exec(answer.message)?.[0] : await answer?.text());
      }
      return shown;
    });
  };
  const [none, some] = [await texts(null), await texts(company.file)];
  expect(none).toEqual(['ERR_CERT_AUTHORITY_INVALID', 'ERR_CERT_AUTHORITY_INVALID']);
  expect(some).toEqual(['trusted', 'ERR_CERT_AUTHORITY_INVALID']);
});

test('without certutil, and without a certificate in the file, it is said', async () => {
  await expect(makeNssDatabase('/nowhere', ['/nowhere'])).rejects.toThrow(NO_CERTUTIL);
  if (canTrust) {
    await expect(makeNssDatabase(import.meta.filename, programFolders)).rejects.toThrow(
      'trust none of the 0 authorities',
    );
  }
});
