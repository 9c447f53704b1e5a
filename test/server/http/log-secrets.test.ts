// Tests that no secret of any corpus and no content of a render appears in the log (reliability section 7, row 29).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sign, signedQuery } from '#server/service/rendering/signed-url.ts';
import { newApiKey } from '../../../src/base/ids.ts';
import { SHAPES, serverUnderTest } from './server-under-test.ts';

const corpus = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, `../../corpora/${name}`), 'utf8'));
const SIGNED: { accept: { query: string; sig: string }[]; reject: { query: string }[] } = corpus('signed-url.json');
const OUTSIDE: { url_cases: { url: string; expect: string }[] } = corpus('ssrf.json');

/** A marker for private data, sent in every place where a request can contain some. */
const MARK = 'do-not-log-5f1c';

test('the log of every corpus holds no secret', { timeout: 60_000 }, async () => {
  let broken = false;
  await using server = await serverUnderTest(
    { LOG_LEVEL: 'trace' },
    {
      exportAs: async () => {
        if (broken) throw new Error(`failed at https://me:${MARK}@example.com/?sig=${MARK}`);
        return Buffer.from('a picture');
      },
    },
  );
  const { ask, account, signingSecret } = server;
  const { id: template } = await server.services.templates.create(account, {
    ...SHAPES,
    layers: [...SHAPES.layers, { name: 'title', type: 'text', text: 'x' }, { name: 'photo', type: 'image', src: 'x' }],
  });
  const { webhook } = await server.services.accounts.secrets(account);
  const path = `/v1/templates/${template}/render.png`;
  const secrets = new Set([server.key, server.testKey, server.otherKey, signingSecret, webhook, MARK]);

  for (const { query, sig } of SIGNED.accept) {
    secrets.add(sig);
    await ask(`${path}?${query.replace(/[^\x21-\x7e]/g, encodeURIComponent)}&sig=${sig}`, { key: null });
  }
  const message = { template, extension: 'png', parameters: [['title', MARK]] } as const;
  secrets.add(sign(signingSecret, message));
  for (broken of [true, false]) await ask(`${path}?${signedQuery(signingSecret, message)}`, { key: null });

  const refused = OUTSIDE.url_cases.filter((one) => one.expect === 'deny');
  for (const { url } of refused) {
    const secret = /\/\/([^/?#@\\]+)@/.exec(url)?.[1];
    if (secret !== undefined && secret.length > 3) secrets.add(secret);
    const modifications = { title: MARK, photo: url };
    await ask('/v1/renders', { method: 'POST', json: { template, modifications } });
    await ask('/v1/renders', { method: 'POST', json: { template, webhookUrl: url, modifications: { title: MARK } } });
  }

  const key = newApiKey('live');
  secrets.add(key);
  for (const headers of [{ authorization: `Bearer ${key}` }, { cookie: `session=${MARK}`, 'x-token': MARK }]) {
    await ask(`/v1/account?api_key=${key}&token=${MARK}`, { key: null, headers });
  }
  for (broken of [true, false]) {
    const json = { template, modifications: { title: MARK, photo: { visible: false } } };
    await ask('/v1/renders', { method: 'POST', json, headers: { 'idempotency-key': MARK } });
  }
  await ask('/v1/renders', { method: 'POST', raw: `{"template": "${MARK}` });

  const log = server.logged();
  expect(log.split('\n').length).toBeGreaterThan(300);
  // Searched for as text: the name of a file or a font family may be short and occur by chance, a secret is not.
  for (const secret of secrets) expect(log.includes(secret), secret).toBe(false);
});
