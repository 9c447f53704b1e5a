// Makes the guard for outbound requests from the configuration. Images, pages and webhooks all use it.

import { parseNetwork } from '#server/net/address.ts';
import { Guard } from '#server/net/guard.ts';
import type { OutboundProxy } from '#server/net/outbound-proxy.ts';

/** The configuration of the guard. */
export interface OutsideOptions {
  /** CIDRs. */
  readonly allowPrivateNetworks: readonly string[];
  readonly allowLinkLocal: boolean;
  /** TCP ports allowed at public hosts. */
  readonly outboundPorts: readonly number[];
  /** Through which public hosts are reached; null or absent = directly. */
  readonly outboundProxy?: OutboundProxy | null;
}

export function outboundGuard(options: OutsideOptions): Guard {
  const { allowPrivateNetworks, allowLinkLocal: linkLocal, outboundPorts: ports, outboundProxy = null } = options;
  return new Guard({ allow: allowPrivateNetworks.map(parseNetwork), linkLocal, ports }, undefined, outboundProxy);
}
