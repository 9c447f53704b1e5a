// The one rule for what may be reached from here, as the configuration has it: images, pages and webhooks go by it.

import { parseNetwork } from '#net/address.ts';
import { Guard } from '#net/guard.ts';

/** What of the configuration concerns the guard. */
export interface OutsideOptions {
  /** CIDRs. */
  readonly allowPrivateNetworks: readonly string[];
  readonly allowLinkLocal: boolean;
  /** TCP ports of public hosts. */
  readonly outboundPorts: readonly number[];
}

export function outboundGuard({ allowPrivateNetworks, allowLinkLocal, outboundPorts }: OutsideOptions): Guard {
  return new Guard({ allow: allowPrivateNetworks.map(parseNetwork), linkLocal: allowLinkLocal, ports: outboundPorts });
}
