// Connects a socket to one of several checked addresses, and verifies its peer.

import { connect, type Socket } from 'node:net';
import { type Address, formatAddress, parseAddress } from './address.ts';
import { notAllowed } from './outbound-url.ts';

/** Timeout of a TCP connection for all addresses together, ms. */
export const CONNECT_TIMEOUT = 5_000;
/** Maximum addresses tried per name. */
export const MAX_TRIED = 4;

function sameBytes(a: Address, b: Address | null): boolean {
  return b !== null && a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function dialOne(address: Address, port: number, timeout: number, signal: AbortSignal | undefined): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  // The host is a literal, so no name is resolved again.
  const socket = connect({ host: formatAddress(address), port, noDelay: true, autoSelectFamily: false });
  const fail = (error: Error) => {
    socket.destroy();
    reject(error);
  };
  const timer = setTimeout(() => fail(new Error(`no connection in ${timeout} ms`)), timeout);
  const abort = () => fail(new Error('given up', { cause: signal?.reason }));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  socket.once('error', fail);
  socket.once('connect', () => {
    // The final check before the first byte: verifies the actual peer, whatever happened in between.
    if (sameBytes(address, parseAddress(socket.remoteAddress ?? ''))) resolve(socket);
    else fail(notAllowed(`connected to ${socket.remoteAddress}, not ${formatAddress(address)}`));
  });
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    socket.off('error', fail);
  });
}

/**
 * Connects to the first of `addresses` that answers. They must have been checked: no name is resolved here.
 *
 * @throws Error of the last address tried
 */
export async function dial(addresses: readonly Address[], port: number, signal?: AbortSignal): Promise<Socket> {
  const tried = addresses.slice(0, MAX_TRIED);
  const deadline = performance.now() + CONNECT_TIMEOUT;
  let failure: unknown = new Error('no address');
  for (const [index, address] of tried.entries()) {
    // A silent address must leave time for the following ones.
    const share = Math.max(1, Math.floor((deadline - performance.now()) / (tried.length - index)));
    try {
      return await dialOne(address, port, share, signal);
    } catch (error) {
      failure = error;
      if (signal?.aborted) break;
    }
  }
  throw failure;
}
