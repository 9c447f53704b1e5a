// A server that should get no connection, and a resolver with answers that a test defines.

import { createServer } from 'node:net';
import { type Address, parseAddress, parseNetwork } from '#server/net/address.ts';
import type { NameResolver } from '#server/net/guard.ts';
import { Guard } from '#server/net/guard.ts';
import { DEFAULT_PORTS } from '#server/net/outbound-url.ts';
import { type Listening, listen, serve } from '../../listen.ts';

/** A server that counts connections and closes them; tests expect none. */
export async function canary(host?: string, port?: number): Promise<Listening & { hits(): number }> {
  let hits = 0;
  const server = createServer((socket) => {
    hits += 1;
    socket.destroy();
  });
  return Object.assign(await listen(server, host, port), { hits: () => hits });
}

/**
 * Resolves names from lists of answers: each query takes the next answer, the last one repeats; null = no such name.
 */
export function fakeResolver(names: Readonly<Record<string, readonly (readonly string[] | null)[]>>): NameResolver {
  const asked = new Map<string, number>();
  return {
    async resolve(name): Promise<readonly Address[]> {
      const answers = names[name] ?? [];
      const turn = asked.get(name) ?? 0;
      asked.set(name, turn + 1);
      const addresses = answers[Math.min(turn, answers.length - 1)];
      if (!addresses) throw new Error(`no such name: ${name}`);
      return addresses.map((text) => parseAddress(text)).filter((address) => address !== null);
    },
  };
}

/** A guard that allows these networks. */
export function guardFor(allow: readonly string[], resolver: NameResolver = fakeResolver({})): Guard {
  return new Guard({ allow: allow.map(parseNetwork), linkLocal: false, ports: DEFAULT_PORTS }, resolver);
}

/** Whether 127.0.0.2 works, as on Linux (all of 127.0.0.0/8), so that a test can allow one loopback address only. */
export const hasSecondLoopback = await serve(() => {}, '127.0.0.2').then(
  async (server) => {
    await server[Symbol.asyncDispose]();
    return true;
  },
  () => false,
);
