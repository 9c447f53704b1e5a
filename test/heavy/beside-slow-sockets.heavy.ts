// Tests that clients that send slowly do not slow others down. It measures time, so it runs alone.

import { expect, test } from 'vitest';
import { ask, SOCKETS, serverWithAccount, slowClients } from './slow-sockets.ts';

/** Requests per side of the comparison, and rounds of both sides. */
const REQUESTS = 500;
const ROUNDS = 7;

async function measure(port: string, key: string): Promise<number[]> {
  const times: number[] = [];
  for (let done = 0; done < REQUESTS; done += 1) times.push(await ask(port, key));
  return times;
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

test(`${SOCKETS} slow sockets: the p99 of others is at most 1.5 times what it is without`, async () => {
  await using server = await serverWithAccount();
  await measure(server.port, server.key);
  const [without, beside]: [number[], number[]] = [[], []];
  const p99 = async () => quantile(await measure(server.port, server.key), 0.99);
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await p99());
    await using _slow = await slowClients(server.port, SOCKETS, 'head', server.key);
    beside.push(await p99());
  }
  const show = (times: readonly number[]) => times.map((time) => time.toFixed(1)).join(' ');
  console.info(`p99 in ms, by round: ${show(without)} without; ${show(beside)} beside ${SOCKETS} slow sockets`);
  // Compares the medians of the rounds, as other load on the machine affects single rounds.
  expect(quantile(beside, 0.5)).toBeLessThan(1.5 * quantile(without, 0.5));
});
