// Runs a sample of the attacks of one-account-memory.heavy.ts and one-account-share.heavy.ts against two servers on one
// PostgreSQL and one bucket; `WHOLE=1` for all of them.

import { describe } from 'vitest';

process.env.NODES = '2';
describe('memory', async () => void (await import('./one-account-memory.heavy.ts')));
describe('time', async () => void (await import('./one-account-share.heavy.ts')));
