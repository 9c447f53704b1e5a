// Decides which IP addresses outbound requests may be sent to.
//
// The rule applies to the parsed bytes, never to text, so that no spelling of an address evades it. IPv4 is open except
// for the ranges listed; IPv6 is closed except for global unicast minus the ranges listed.

/** 4 or 16 bytes, in network order. */
export type Address = Uint8Array;

export interface Network {
  readonly base: Address;
  /** Number of leading bits that must match. */
  readonly bits: number;
}

export interface AddressPolicy {
  /** Networks that are allowed although they are not public. */
  readonly allow: readonly Network[];
  /** Allows link-local and cloud metadata addresses, which `allow` never does. */
  readonly linkLocal: boolean;
}

/** `internal`: allowed only by an exception of the policy. */
export type Verdict = 'public' | 'internal' | 'denied';

function parseIPv4(text: string): Address | null {
  const parts = text.split('.');
  // No leading zeros: some parsers read them as octal.
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null;
  return Uint8Array.from(parts, Number);
}

function parseIPv6(text: string): Address | null {
  const lastColon = text.lastIndexOf(':');
  const tail = text.slice(lastColon + 1);
  if (tail.includes('.')) {
    const embedded = parseIPv4(tail);
    if (embedded === null) return null;
    const [a = 0, b = 0, c = 0, d = 0] = embedded;
    return parseIPv6(`${text.slice(0, lastColon + 1)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`);
  }
  const halves = text.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [head = [], rest] = halves;
  const given = head.length + (rest?.length ?? 0);
  if (halves.length > 2 || (rest === undefined ? given !== 8 : given > 7)) return null;
  const words = [...head, ...Array.from({ length: 8 - given }, () => '0'), ...(rest ?? [])];
  if (!words.every((word) => /^[0-9a-f]{1,4}$/i.test(word))) return null;
  const address = new Uint8Array(16);
  const view = new DataView(address.buffer);
  for (const [index, word] of words.entries()) view.setUint16(index * 2, Number.parseInt(word, 16));
  return address;
}

/**
 * Parses an address in its standard text form (RFC 4291 section 2.2 for IPv6, without a zone); null for anything else.
 */
export function parseAddress(text: string): Address | null {
  if (text.length > 45) return null;
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text);
}

/** Formats an address as a literal for `net.connect`; IPv6 is not shortened. */
export function formatAddress(address: Address): string {
  if (address.length === 4) return address.join('.');
  const view = new DataView(address.buffer, address.byteOffset);
  return Array.from({ length: 8 }, (_, index) => view.getUint16(index * 2).toString(16)).join(':');
}

/**
 * Parses a network such as `10.0.0.0/8` or `fd00::/8`.
 *
 * @throws TypeError for anything else
 */
export function parseNetwork(text: string): Network {
  const [address = '', bits = ''] = text.split('/');
  const base = parseAddress(address);
  if (base === null || !/^\d{1,3}$/.test(bits) || Number(bits) > base.length * 8 || text.split('/').length !== 2) {
    throw new TypeError(`${JSON.stringify(text)} is not a network such as 10.0.0.0/8 or fd00::/8`);
  }
  return { base, bits: Number(bits) };
}

/** Whether the address is of the network's family and matches its leading bits. */
export function contains({ base, bits }: Network, address: Address): boolean {
  if (base.length !== address.length) return false;
  return address.every((byte, index) => {
    const remaining = Math.min(8, Math.max(0, bits - index * 8));
    return (byte ^ (base[index] ?? 0)) >> (8 - remaining) === 0;
  });
}

const networks = (...list: readonly string[]): readonly Network[] => list.map(parseNetwork);
const within = (list: readonly Network[], address: Address) => list.some((network) => contains(network, address));

const NOT_PUBLIC_V4 = networks(
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private use, RFC 1918
  '100.64.0.0/10', // carrier-grade NAT, RFC 6598; Alibaba's metadata lies in it
  '127.0.0.0/8', // loopback, RFC 1122
  '169.254.0.0/16', // link local, RFC 3927; most clouds' metadata lies in it
  '172.16.0.0/12', // private use, RFC 1918
  '192.0.0.0/24', // IETF protocol assignments, RFC 6890; Oracle's metadata lies in it
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24', // AS112 redirection, RFC 7535
  '192.52.193.0/24', // automatic multicast tunnelling, RFC 7450
  '192.88.99.0/24', // 6to4 relays, withdrawn, RFC 7526
  '192.168.0.0/16', // private use, RFC 1918
  '192.175.48.0/24', // AS112 service, RFC 7534
  '198.18.0.0/15', // benchmarks, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved, RFC 1112; broadcast, RFC 919
  '168.63.129.16/32', // Azure's host agent: looks public, is not
);

const GLOBAL_V6 = networks('2000::/3'); // global unicast, RFC 4291

const NOT_PUBLIC_V6 = networks(
  '2001::/23', // IETF protocol assignments, RFC 2928: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056
  '2620:4f:8000::/48', // AS112 service, RFC 7534
  '3ffe::/16', // 6bone, returned, RFC 3701
  '3fff::/20', // documentation, RFC 9637
);

/** Forms that embed an IPv4 address, which a router or the host itself may unwrap. No exception allows them. */
const EMBEDS_V4 = networks(
  '::ffff:0:0/96', // IPv4-mapped, RFC 4291
  '::ffff:0:0:0/96', // IPv4-translated, RFC 2765
  '64:ff9b::/96', // NAT64, RFC 6052
  '64:ff9b:1::/48', // NAT64 of local use, RFC 8215
  '2001::/32', // Teredo, RFC 4380
  '2002::/16', // 6to4, RFC 3056
);
const COMPATIBLE_V4 = networks('::/96'); // IPv4-compatible, RFC 4291; but for :: and ::1
const UNSPECIFIED_AND_LOOPBACK_V6 = networks('::/127');

const LINK_LOCAL = networks(
  '169.254.0.0/16', // RFC 3927; metadata of AWS, Google, Azure, DigitalOcean, …
  'fe80::/10', // RFC 4291
  '168.63.129.16/32', // Azure's host agent
  '100.100.100.200/32', // Alibaba's metadata
  '192.0.0.192/32', // Oracle's metadata
  'fd00:ec2::/32', // AWS's metadata, DNS and clock
  'fd20:ce::254/128', // Google's metadata
);

/** ISATAP, RFC 5214: an interface identifier of 0000:5efe or 0200:5efe before an IPv4 address, under any prefix. */
function isIsatap(address: Address): boolean {
  return (
    address.length === 16 &&
    ((address[8] ?? 0) & 0xfd) === 0 &&
    address[9] === 0 &&
    address[10] === 0x5e &&
    address[11] === 0xfe
  );
}

function embedsIPv4(address: Address): boolean {
  if (within(EMBEDS_V4, address) || isIsatap(address)) return true;
  return within(COMPATIBLE_V4, address) && !within(UNSPECIFIED_AND_LOOPBACK_V6, address);
}

const LOOPBACK = networks('127.0.0.0/8', '::1/128');
const PRIVATE_USE = networks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'); // RFC 1918, RFC 4193

/**
 * Whether an address is the machine's own, or one of a private network that an exception can allow; null for any other.
 */
export function localKind(address: Address): 'loopback' | 'private' | null {
  if (within(LOOPBACK, address)) return 'loopback';
  return within(PRIVATE_USE, address) && !within(LINK_LOCAL, address) && !isIsatap(address) ? 'private' : null;
}

function isPublic(address: Address): boolean {
  if (address.length === 4) return !within(NOT_PUBLIC_V4, address);
  return within(GLOBAL_V6, address) && !within(NOT_PUBLIC_V6, address);
}

/** Whether a request may be sent to an address, and under which rule. */
export function judgeAddress(address: Address, policy: AddressPolicy): Verdict {
  if (embedsIPv4(address)) return 'denied';
  if (within(LINK_LOCAL, address)) return policy.linkLocal ? 'internal' : 'denied';
  if (within(policy.allow, address)) return 'internal';
  return isPublic(address) ? 'public' : 'denied';
}
