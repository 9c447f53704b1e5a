// Tests `platen healthcheck`, which a container runs to check its server.

import { expect, test } from 'vitest';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { platen } from './run-platen.ts';

test('a server that answers, everywhere or at one address, and none', async () => {
  await using folder = await temporaryFolder();
  const port = await (async () => {
    await using server = await startProcess(folder.path);
    const { port } = new URL(server.url);
    for (const HOST of ['127.0.0.1', '0.0.0.0']) {
      expect(await platen(folder.path, ['healthcheck'], { PORT: port, HOST })).toEqual({
        ...{ status: 0, stdout: '', stderr: '' },
      });
    }
    return port;
  })();
  const { status, stderr } = await platen(folder.path, ['healthcheck'], { PORT: port });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^platen: No server answers at 127\.0\.0\.1:\d+: /)]);
});
