import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webhookHeaders } from '#server/service/jobs/webhooks.ts';

const corpus = join(import.meta.dirname, '../../../corpora/signed-url.json');
const { webhook: vector } = JSON.parse(readFileSync(corpus, 'utf8'));

test('the vector, in both schemes', () => {
  const id = vector['webhook-id'];
  const timestamp = vector['webhook-timestamp'];
  expect(webhookHeaders([vector.secret], id, Number(timestamp), vector.body)).toEqual({
    'x-platen-signature': vector['x-platen-signature'],
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': vector['webhook-signature'],
  });
});

test('during a rotation both secrets sign, the newest first; ours is the newest’s alone', () => {
  const newest = 'whsec_bmV3ZXN0';
  const alone = webhookHeaders([newest], 'msg_1', 5, '{}');
  const older = webhookHeaders([vector.secret], 'msg_1', 5, '{}');
  expect(webhookHeaders([newest, vector.secret], 'msg_1', 5, '{}')).toEqual({
    ...alone,
    'webhook-signature': `${alone['webhook-signature']} ${older['webhook-signature']}`,
  });
});

test('the body is signed as its UTF-8 bytes', () => {
  const [a, b] = ['{"error":"Été 🍺"}', '{"error":"Ete"}'].map((body) =>
    webhookHeaders(['whsec_MA=='], 'msg_1', 5, body),
  );
  expect(a?.['x-platen-signature']).not.toBe(b?.['x-platen-signature']);
});
