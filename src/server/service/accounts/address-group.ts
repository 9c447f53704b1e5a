// Groups IP addresses by network prefix (IPv6 by /64), so that limits hold for a client with many addresses.

import { formatAddress, parseAddress } from '#server/net/address.ts';

/** Leading bits by which addresses are grouped. */
export interface Prefix {
  readonly v4: number;
  readonly v6: number;
}

/** One client: an IPv4 address, or the /64 of IPv6, which a single host usually has to itself (RFC 6177). */
const CLIENT: Prefix = { v4: 32, v6: 64 };
/** One network of a provider's customer. */
export const SITE: Prefix = { v4: 24, v6: 48 };

/** A key for the group of an address, as sockets write it; for anything else the text itself. */
export function addressGroup(text: string, { v4, v6 }: Prefix = CLIENT): string {
  // Dual-stack sockets write IPv4 so; a zone names a network interface of this machine.
  const [plain = ''] = text.replace(/^::ffff:(\d+\.)/i, '$1').split('%', 1);
  const address = parseAddress(plain);
  if (address === null) return text.slice(0, 64);
  const bits = address.length === 4 ? v4 : v6;
  if (bits >= address.length * 8) return plain;
  return `${formatAddress(address.map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - at * 8)))))}/${bits}`;
}
