// Tests clients that send slowly, send nothing, or do not read: none stays connected for long.

import { expect, test } from 'vitest';
import { ask, SOCKETS, serverWithAccount, slowClients } from './slow-sockets.ts';

/** Within which a slow socket must be closed, ms: 35 s on a quiet machine. */
const PATIENCE = 60_000;

// Concurrent, as most of the time is waiting.
test.concurrent.each(['head', 'body', 'silent', 'reader'])(
  `${SOCKETS} slow sockets: %s: all are closed within a minute`,
  async (how) => {
    await using server = await serverWithAccount();
    await using slow = await slowClients(server.port, SOCKETS, how, server.key, server.asset);
    const lives = await slow.lives();
    console.info(`${how}: ${lives.length} closed after ${Math.min(...lives)} to ${Math.max(...lives)} ms`);
    expect(lives).toHaveLength(SOCKETS);
    expect(Math.max(...lives)).toBeLessThan(PATIENCE);
    expect(await ask(server.port, server.key)).toBeLessThan(1_000);
  },
);
