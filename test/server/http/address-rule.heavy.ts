// Tests the address rule over the API: every denied case of the corpus, as a page, an image and a webhook, gets the
// same error as a name that cannot be resolved, and no connection is opened. A browser that is redirected is shown every kind
// of redirect and every eighth address, with `WHOLE=1` all of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { serve } from '../../listen.ts';
import { sampled } from '../../sampled.ts';
import { hasChromium } from '../chromium/chromium.ts';
import { canary, hasSecondLoopback } from '../net/servers.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

interface UrlCase {
  readonly id: string;
  readonly url: string;
  readonly expect: string;
}
const corpus: {
  readonly url_cases: readonly UrlCase[];
  readonly ip_cases: readonly { id: string; ip: string; public: boolean }[];
  readonly redirect_cases: readonly { id: string; situation: string }[];
} = JSON.parse(readFileSync(join(import.meta.dirname, '../../corpora/ssrf.json'), 'utf8'));

/** Counts connections on every address of this machine, at a port that both servers allow. */
const trap = await canary('::');
/** A server on the only address that `lenient` allows. It redirects to the URL in the query. */
const site = hasSecondLoopback
  ? await serve(({ url = '' }, answer) => {
      const to = decodeURIComponent(url.slice(url.indexOf('?') + 1));
      const location = Buffer.from(to).toString('latin1');
      answer.writeHead(Number(/^\/(\d+)/.exec(url)?.[1] ?? 302), { location }).end();
    }, '127.0.0.2')
  : null;
const OPEN_PORTS = { PLATEN_OUTBOUND_PORTS: `80,443,8080,8443,${trap.port}`, PLATEN_BROWSERS: '1' };
const strict = await serverUnderTest(OPEN_PORTS);
const lenient = await serverUnderTest({ ...OPEN_PORTS, PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.2/32' });
afterAll(async () => {
  await strict[Symbol.asyncDispose]();
  await lenient[Symbol.asyncDispose]();
  await trap[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const photo = { name: 'photo', type: 'image', width: 40, height: 20, src: '' };
async function templateOf(server: ServerUnderTest): Promise<string> {
  const made = await server.post('/v1/templates', { ...SHAPES, layers: [photo] });
  return String(made.json.id);
}
const templates = new Map([
  [strict, await templateOf(strict)],
  [lenient, await templateOf(lenient)],
]);

/** The requests in which a caller can name a URL. */
const SURFACES: Readonly<Record<string, (url: string, template: string | undefined) => readonly [string, unknown]>> = {
  page: (url) => ['/v1/screenshots', { url }],
  image: (src, template) => ['/v1/renders', { template, modifications: { photo: { src } } }],
  webhook: (webhookUrl, template) => ['/v1/renders', { template, webhookUrl }],
};
const SENTENCES: Readonly<Record<string, RegExp>> = {
  // What the text alone says is explained; what a name resolves to is not.
  page: /^URL not allowed\.( [A-Zh].*\.)?$/s,
  image: /^Image of layer "photo" could not be loaded: /,
  webhook: /^webhookUrl: URL not allowed\. /,
};
async function denied(server: ServerUnderTest, surface: string, url: string): Promise<void> {
  const [path, json] = SURFACES[surface]?.(url, templates.get(server)) ?? [''];
  const answer = await server.ask(path, { method: 'POST', json });
  const { error } = answer.json;
  expect([answer.status, error, trap.hits()]).toEqual([400, expect.stringMatching(SENTENCES[surface] ?? /^$/), 0]);
}

const atTrap = (url: string) => url.replace(/^(https?:\/\/(?:\[[^\]]*\]|[^/?#:@[]+))(?=[/?#])/i, `$1:${trap.port}`);
const DENIED: readonly (readonly [string, string])[] = [
  ...corpus.url_cases.flatMap(({ id, url, expect }) => (expect === 'deny' ? [[id, atTrap(url)] as const] : [])),
  ...corpus.ip_cases
    .filter((each) => !each.public)
    .map(({ id, ip }) => [id, `http://${ip.includes(':') ? `[${ip}]` : ip}:${trap.port}/`] as const),
];
for (const surface of Object.keys(SURFACES)) {
  describe(surface, () => {
    for (const [id, url] of DENIED) test(`${id} ${JSON.stringify(url)}`, () => denied(strict, surface, url));
  });
}

describe.skipIf(site === null)('redirects', () => {
  /** Targets of the cases whose description contains no address. */
  const LOCATIONS: Readonly<Record<string, string>> = {
    R12: 'http://user:secret@8.8.8.8/',
    R13: 'http://8.8.8.8:6379/',
  };
  const redirects = corpus.redirect_cases.map(({ id, situation }) => {
    const location = LOCATIONS[id] ?? /-> (\S+)/.exec(situation)?.[1] ?? '';
    return [id, Number(/^\d{3}/.exec(situation)?.[0]), location.replace(':9001', `:${trap.port}`)] as const;
  });
  // Host names are tested with the guard: a server that allows a private network resolves them with DNS.
  const web = DENIED.filter(([, url]) => /^(\[.*\]|[\d.]+|localhost)$/.test(URL.parse(url)?.hostname ?? ''));
  for (const surface of ['page', 'image']) {
    const addresses = surface === 'page' ? sampled(web) : web;
    for (const [id, status, url] of [...redirects, ...addresses.map(([id, url]) => [id, 302, url] as const)]) {
      test.skipIf(surface === 'page' && !hasChromium)(`${surface}: ${id} ${status} to ${JSON.stringify(url)}`, () =>
        denied(lenient, surface, `http://127.0.0.2:${site?.port}/${status}?${encodeURIComponent(url)}`),
      );
    }
    test.skipIf(surface === 'page' && !hasChromium)(`${surface}: to a name that cannot be resolved`, () =>
      denied(lenient, surface, `http://127.0.0.2:${site?.port}/302?http://nowhere.invalid./`),
    );
  }
});
