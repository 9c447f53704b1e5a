import { expect, test } from 'vitest';
import { createLog } from '#server/observability/log.ts';
import { newApiKey, newSigningSecret, newToken, newWebhookSecret } from '../../../src/base/ids.ts';

/** What a call of the log writes. */
function written(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('debug', { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

const key = newApiKey('live');

test('a line is JSON with a time', () =>
  expect(JSON.parse(written((log) => log.info({ status: 200 }, 'request')))).toMatchObject({
    msg: 'request',
    status: 200,
    time: expect.stringMatching(/Z$/),
  }));

test('secret fields are cut', () => {
  const line = written((log) => log.info({ authorization: `Bearer ${key}`, req: { cookie: 'c00kie', sig: 'ab' } }));
  expect(line).not.toMatch(/c00kie|"ab"/);
  expect(line).not.toContain(key);
});

test('secrets are cut out of messages and stacks', () => {
  const tokens = (['pls', 'pll', 'plc'] as const).map(newToken);
  for (const secret of [key, newSigningSecret(), newWebhookSecret(), ...tokens]) {
    const line = written((log) => log.error({ err: new Error(`cannot use ${secret} here`) }, `saw ${secret}`));
    expect(line).not.toContain(secret.slice(10));
    expect(line).toContain('[cut] here');
  }
});

test('signatures and passwords are cut out of URLs', () => {
  const line = written((log) => log.info('GET http://user:hunter2@host/x?title=a&sig=0123abcd&b=c'));
  expect(line).not.toMatch(/hunter2|0123abcd/);
  expect(line).toContain('http://[cut]@host/x?title=a&sig=[cut]&b=c');
});

test('a line break in a message stays inside its line', () =>
  expect(
    written((log) => log.info('one\r\n{"level":60}'))
      .trim()
      .split('\n'),
  ).toHaveLength(1));
