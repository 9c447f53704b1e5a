// Tests the answers of /readyz that need a database which these tests do not have.

import { expect, test } from 'vitest';
import type { RequestContext } from '#server/http/middleware/request-context.ts';
import { type Readiness, readReadiness } from '#server/http/server.ts';

const ready: Readiness = {
  stopping: () => false,
  checkDatabase: async () => true,
  checkDrawing: async () => {},
  filesIn: 'data folder',
  checkDisk: async () => {},
};

test('/readyz: not ready while the database takes no writes, as a standby', async () => {
  const koa = {} as RequestContext;
  const read = (readiness: Readiness) => readReadiness(readiness)(koa);
  await read(ready);
  expect(koa.body).toEqual({ status: 'ready' });
  await expect(read({ ...ready, checkDatabase: async () => false })).rejects.toMatchObject({
    code: 'overloaded',
    message: 'The database is read-only.',
    retryAfter: 5,
  });
});
