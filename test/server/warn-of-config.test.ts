import { expect, test } from 'vitest';
import { loadConfig } from '#server/config/config.ts';
import { createLog } from '#server/observability/log.ts';
import { warnOfConfig } from '#server/start-server.ts';

function warnings(env: Readonly<Record<string, string>>): string {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  warnOfConfig(loadConfig({ PLATEN_DATA: '/tmp/none', HOST: '127.0.0.1', ...env }), log);
  return lines.join('');
}

test('a plan without a limit of what is stored is named, unless that is meant', () => {
  const free = { quota: 10, blocks: true };
  expect(warnings({})).toBe('');
  expect(warnings({ PLATEN_PLANS: JSON.stringify({ free, pro: { ...free, storage: 9 } }) })).toMatch(
    /accounts may store any amount .* PLATEN_PLANS has no storage for free"/,
  );
  expect(warnings({ PLATEN_PLANS: JSON.stringify({ free: { ...free, storage: 9 } }) })).toBe('');
});
