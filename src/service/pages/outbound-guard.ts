// Makes the guard for outbound requests from the configuration. Images, pages and webhooks all use it.

import { parseNetwork } from '#net/address.ts';
import { Guard } from '#net/guard.ts';

/** The configuration of the guard. */
export interface OutsideOptions {
  /** CIDRs. */
  readonly allowPrivateNetworks: readonly string[];
  readonly allowLinkLocal: boolean;
  /** TCP ports allowed at public hosts. */
  readonly outboundPorts: readonly number[];
}

export function outboundGuard({ allowPrivateNetworks, allowLinkLocal, outboundPorts }: OutsideOptions): Guard {
  return new Guard({ allow: allowPrivateNetworks.map(parseNetwork), linkLocal: allowLinkLocal, ports: outboundPorts });
}
