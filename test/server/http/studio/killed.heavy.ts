// Tests that a killed server has kept every draft that it acknowledged (reliability of editing).

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startProcess } from '../../../server-process.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { PASSWORD } from './studio-under-test.ts';

test('kill -9 while drafts are saved loses none that was acknowledged', { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder();
  let acknowledged = 0;
  let path = '';
  let cookie = '';
  {
    await using server = await startProcess(folder.path);
    const token = /#(pll_\w+)/.exec(server.printed)?.[1];
    const send = (method: string, below: string, json: object, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/v1/studio${below}`, {
        method,
        headers: { origin: server.url, 'content-type': 'application/json', cookie, ...headers },
        body: JSON.stringify(json),
      });
    const claimed = await send('POST', '/setup', { token, email: 'ada@example.com', name: 'Ada', password: PASSWORD });
    expect(claimed.status).toBe(201);
    cookie = claimed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { accounts } = (await claimed.json()) as { accounts: { id: string }[] };
    const document = { name: 'Draft', width: 10, height: 10, layers: [] };
    const made = await send('POST', `/accounts/${accounts[0]?.id}/templates`, { document });
    path = `/accounts/${accounts[0]?.id}/templates/${((await made.json()) as { id: string }).id}/draft`;
    const exited = once(server.child, 'exit');
    const killedFrom = acknowledged + 3;
    for (;;) {
      const headers = { 'if-match': `"${acknowledged}"` };
      const saved = await send('PUT', path, { document: { ...document, count: acknowledged + 1 } }, headers).catch(
        () => null,
      );
      if (!saved) break;
      expect(saved.status).toBe(200);
      acknowledged += 1;
      // While more are being saved, however slow the machine is.
      if (acknowledged === killedFrom) setTimeout(() => server.child.kill('SIGKILL'), 100);
    }
    await exited;
  }
  expect(acknowledged).toBeGreaterThan(2);
  await using server = await startProcess(folder.path);
  const answer = await fetch(`${server.url}/v1/studio${path}`, { headers: { cookie } });
  const { revision, document } = (await answer.json()) as { revision: number; document: { count: number } };
  // The draft that was being sent at the kill may have been stored too.
  expect([acknowledged, acknowledged + 1]).toContain(document.count);
  expect(revision).toBe(document.count);
});
