// Runs the corpus of bad requests: each gets the status that the corpus names, and none breaks or hangs the server.
//
// A case has `method`, `path`, `auth`, `headers` and a `body` (JSON) or `rawBody`. Both bodies may contain
// `$VARIABLES`, and directives that generate long values: `repeat:<unit>:<n>`, `size:<bytes>`, `base64:<bytes>`,
// `gzipbomb:<bytes>`, `headers:<n>`, `items:<n>` and `keys:<n>`.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NamedValue, parseSignedQuery, sign } from '#server/service/rendering/signed-url.ts';
import { hasChromium } from '../chromium/chromium.ts';
import { type Answer, type ServerUnderTest, serverUnderTest } from './server-under-test.ts';

interface Case {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly auth: string;
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly expect: {
    readonly status: number;
    readonly acceptable?: readonly (number | 'closed')[];
    readonly reason: string;
  };
}

const corpus: { cases: readonly Case[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../corpora/bad-inputs.json'), 'utf8'),
);

/** A bad request must be answered, or its connection closed, within this time, ms. */
const PATIENCE = 35_000;

let server: ServerUnderTest;
let variables: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await serverUnderTest({
    PLATEN_PLANS: '{"free":{"quota":1000,"blocks":true}}',
    PLATEN_PUBLIC_URL: 'https://img.example.com',
  });
  const { services, account, other, key } = server;
  const document = {
    name: 'Card',
    width: 120,
    height: 60,
    layers: [
      { name: 'title', type: 'text', text: 'Hello', fontSize: 20 },
      { name: 'photo', type: 'image', src: PIXEL, width: 20, height: 20 },
      { name: 'logo', type: 'image', src: PIXEL, width: 20, height: 20 },
    ],
  };
  const template = (await services.templates.create(account, document)).id;
  const revoked = await services.keys.create(account, 'live');
  await services.keys.revoke(revoked.id);
  const wrongEnd = key.endsWith('0') ? '1' : '0';
  variables = {
    KEY: key,
    KEY_BADCRC: key.slice(0, -1) + wrongEnd,
    REVOKED_KEY: revoked.key,
    TEMPLATE: template,
    TEMPLATE2: (await services.templates.create(account, document)).id,
    TEMPLATE_OF_OTHER_ACCOUNT: (await services.templates.create(other, document)).id,
    SIG: signature(template, []).slice(1),
    SIG_FOR_TEMPLATE: signature(template, []),
    SIG_OF_title_a: signature(template, [['title', 'a']]),
    SIG_OF_title_b: signature(template, [['title', 'b']]),
    'SIG_OF_title_%C3%A9': signature(template, [['title', 'é']]),
  };
});

afterAll(async () => {
  const { used, reserved } = await server.services.storage.usage.totals(server.account, '2026-11');
  const assets = readdirSync(join(server.folder, 'assets'));
  await server[Symbol.asyncDispose]();
  // Only requests with the answer 200 are counted, and only their files are stored.
  expect({ reserved, assets: assets.length }).toEqual({ reserved: 0, assets: used });
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  const log = server.logged();
  for (const secret of [server.key, server.signingSecret, variables.REVOKED_KEY ?? '']) {
    expect(log).not.toContain(secret.slice(10));
  }
});

/** A transparent PNG of one pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** The expected `Allow` header of paths that the corpus requests with a wrong method. */
const ALLOWED: Readonly<Record<string, string>> = {
  '/v1/renders': 'POST',
  '/v1/screenshots': 'POST',
  '/v1/renders/x': 'HEAD, GET',
  '/v1/account': 'HEAD, GET',
};

/** An optional field that is null counts as absent, as clients write it. */
const ACCEPTED: Readonly<Record<string, readonly number[]>> = { B072: [200] };

/** Whether the case is a valid screenshot, which needs Chromium; the corpus has one among the bad requests. */
const opensPage = ({ path, expect }: Case) => path === '/v1/screenshots' && expect.status === 200;

for (const sample of corpus.cases) {
  test.skipIf(!hasChromium && opensPage(sample))(
    `${sample.id} ${sample.method} ${sample.path.slice(0, 60)}: ${sample.expect.reason}`,
    async () => {
      const allowed = ACCEPTED[sample.id] ?? sample.expect.acceptable ?? [sample.expect.status];
      const answer = await Promise.race([play(sample), timeout()]);
      if (answer === 'closed') {
        expect(allowed).toContain('closed');
        return;
      }
      expect(allowed, answer.text).toContain(answer.status);
      expect(answer.text).not.toMatch(/node_modules|\.ts:|SQLITE|select |127\.0\.0\.1/);
      if (answer.status >= 400 && answer.status !== 431 && sample.method !== 'HEAD') expectErrorShape(sample, answer);
      if (answer.status === 405) expect(answer.headers.allow).toBe(ALLOWED[sample.path]);
    },
  );
}

function expectErrorShape({ path }: Case, answer: Answer): void {
  if (/\/render\.[^/]*$/.test(path.split('?')[0] ?? '')) {
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  } else {
    expect(answer.json).toEqual({ error: expect.stringMatching(/\S/) });
  }
}

async function play(sample: Case): Promise<Answer | 'closed'> {
  const path = withSignature(substitute(sample.path));
  const raw = bodyOf(sample);
  const headers = { ...authorization(sample.auth), ...sample.headers, ...manyHeaders(sample.rawBody) };
  try {
    return await server.ask(path, { method: sample.method, key: null, headers, ...(raw === null ? {} : { raw }) });
  } catch (error) {
    if (['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) return 'closed';
    throw error;
  }
}

function timeout(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), PATIENCE).unref());
}

/** Replaces `$NAME`, longest names first. A bare `$VALID` is left to `withSignature`. */
function substitute(text: string): string {
  const names = Object.keys(variables).sort((a, b) => b.length - a.length);
  return names.reduce((filled, name) => filled.replaceAll(`$${name}`, variables[name] ?? ''), text);
}

/** Replaces the `$VALID` of `sig=$VALID` by the right signature for the rest of the query. */
function withSignature(path: string): string {
  if (!path.endsWith('$VALID')) return path;
  const [base = '', query = ''] = path.split('?');
  const [, template = ''] = /templates\/([^/]+)\//.exec(base) ?? [];
  return path.replace('$VALID', signature(template, parseSignedQuery(query).parameters));
}

function signature(template: string, parameters: readonly NamedValue[]): string {
  return sign(server.signingSecret, { template, extension: 'png', parameters });
}

function authorization(auth: string): Record<string, string> {
  if (auth === 'none') return {};
  if (auth === 'valid') return { authorization: `Bearer ${server.key}` };
  if (auth === 'bearer-lowercase') return { authorization: `bearer ${server.key}` };
  return { authorization: substitute(auth) };
}

function bodyOf({ body, rawBody }: Case): string | Buffer | null {
  if (rawBody !== undefined) return generate(rawBody);
  return body === undefined ? null : substitute(JSON.stringify(body, expand));
}

/** Generates the body that a directive describes; returns any other text as it is. */
function generate(text: string): string | Buffer {
  const colon = text.indexOf(':');
  const argument = text.slice(colon + 1);
  switch (text.slice(0, Math.max(colon, 0))) {
    case 'repeat': {
      const last = argument.lastIndexOf(':');
      return argument.slice(0, last).repeat(Number(argument.slice(last + 1)));
    }
    case 'size':
      return Buffer.alloc(Number(argument), 0x20);
    case 'base64':
      return Buffer.from(argument, 'base64');
    case 'gzipbomb': {
      // A gzip file may have several members, one after the other (RFC 1952, section 2.2).
      const part = 10_000_000;
      return Buffer.concat(Array(Math.ceil(Number(argument) / part)).fill(gzipSync(Buffer.alloc(part))));
    }
    case 'headers':
      return '';
    default:
      return substitute(text);
  }
}

function manyHeaders(rawBody: string | undefined): Record<string, string> {
  const count = Number(/^headers:(\d+)$/.exec(rawBody ?? '')?.[1] ?? 0);
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-header-${index}`, 'value']));
}

/** A reviver that expands `items:<n>` and `keys:<n>` inside a JSON body. */
function expand(_key: string, value: unknown): unknown {
  const [, kind, count] = (typeof value === 'string' && /^(items|keys):(\d+)$/.exec(value)) || [];
  if (kind === 'items') return Array.from({ length: Number(count) }, () => ({}));
  if (kind === 'keys')
    return Object.fromEntries(Array.from({ length: Number(count) }, (_, index) => [`k${index}`, 'x']));
  return value;
}
