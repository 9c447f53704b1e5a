import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import {
  type AddressPolicy,
  contains,
  formatAddress,
  judgeAddress,
  parseAddress,
  parseNetwork,
} from '#server/net/address.ts';

const STRICT: AddressPolicy = { allow: [], linkLocal: false };
const corpus: { ip_cases: { id: string; ip: string; public: boolean }[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../corpora/ssrf.json'), 'utf8'),
);

function verdict(text: string, policy = STRICT): string {
  const address = parseAddress(text);
  return address === null ? 'no address' : judgeAddress(address, policy);
}

for (const { id, ip, public: isPublic } of corpus.ip_cases) {
  test(`${id} ${ip}`, () => expect(verdict(ip) === 'public').toBe(isPublic));
}

function checkParse(text: string, expected: string | null): void {
  const address = parseAddress(text);
  expect(address && Buffer.from(address).toString('hex')).toBe(expected);
}
test('IPv4', () => checkParse('1.2.3.255', '010203ff'));
test('IPv6', () => checkParse('2001:DB8::ff00:42:8329', '20010db8000000000000ff0000428329'));
test('IPv6 in full', () => checkParse('0:0:0:0:0:0:0:1', '00000000000000000000000000000001'));
test('::', () => checkParse('::', '00000000000000000000000000000000'));
test(':: at the end', () => checkParse('1::', '00010000000000000000000000000000'));
test('IPv6 with an IPv4 tail', () => checkParse('::ffff:1.2.3.4', '00000000000000000000ffff01020304'));
for (const text of [
  '',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.256',
  '01.2.3.4',
  '1.2.3.4 ',
  '0x1.2.3.4',
  '１.2.3.4',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1::2::3',
  '1:2:3:4:5:6:7::8',
  ':1:2:3:4:5:6:7',
  '12345::',
  'g::',
  'fe80::1%eth0',
  '[::1]',
  '::1.2.3',
  '::01.2.3.4',
  '1.2.3.4::',
  '::ffff:1.2.3.4:5',
]) {
  test(`no address: ${JSON.stringify(text)}`, () => checkParse(text, null));
}

const anyAddress = fc.oneof(
  fc.uint8Array({ minLength: 4, maxLength: 4 }),
  fc.uint8Array({ minLength: 16, maxLength: 16 }),
  // Random bytes are seldom in the relevant ranges, so these begin with a prefix of one.
  fc
    .tuple(
      fc.constantFrom(
        '2001',
        '20010db8',
        '2002',
        '26204f008000',
        '3ffe',
        '3fff',
        '2000',
        '00',
        '0064ff9b',
        'fe80',
        'fd',
      ),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
    )
    .map(([prefix, bytes]) => {
      bytes.set(Buffer.from(prefix, 'hex'));
      return bytes;
    }),
);

test('what is formatted is read again as the same', () =>
  fc.assert(
    fc.property(anyAddress, (address) => {
      expect(parseAddress(formatAddress(address))).toEqual(address);
      expect(parseAddress(ipaddr.fromByteArray([...address]).toString())).toEqual(address);
    }),
    { numRuns: 2000 },
  ));

test('a network holds what another library says it holds', () =>
  fc.assert(
    fc.property(anyAddress, fc.nat(128), fc.nat(15), fc.nat(7), (address, wanted, byte, bit) => {
      const bits = Math.min(wanted, address.length * 8);
      const near = Uint8Array.from(address);
      near[byte % near.length] = (near[byte % near.length] ?? 0) ^ (1 << bit);
      const network = parseNetwork(`${formatAddress(address)}/${bits}`);
      const oracle = ipaddr.fromByteArray([...near]);
      expect(contains(network, near)).toBe(oracle.match(ipaddr.fromByteArray([...address]), bits));
    }),
    { numRuns: 2000 },
  ));

/** Whether the address is in a range that Platen denies and ipaddr.js does not. */
function isStricter(address: Uint8Array): boolean {
  const inside = (network: string) => contains(parseNetwork(network), address);
  if (address.length === 4) return inside('168.63.129.16/32') || inside('192.88.99.0/24');
  const isatap = Buffer.from(address).toString('hex', 9, 12) === '005efe';
  return isatap || !inside('2000::/3') || inside('2001::/23') || inside('3ffe::/16') || inside('2620:4f:8000::/48');
}

test('another library agrees, or we are stricter where we mean to be', () =>
  fc.assert(
    fc.property(anyAddress, (address) => {
      const oracle = ipaddr.fromByteArray([...address]).range() === 'unicast';
      const ours = judgeAddress(address, STRICT) === 'public';
      if (ours) expect(oracle).toBe(true);
      else if (oracle) expect(isStricter(address)).toBe(true);
    }),
    { numRuns: 5000 },
  ));

function checkAllowed(allow: string[], linkLocal: boolean, text: string, expected: string): void {
  expect(verdict(text, { allow: allow.map(parseNetwork), linkLocal })).toBe(expected);
}
test('an allowed network is internal', () => checkAllowed(['10.0.0.0/8'], false, '10.1.2.3', 'internal'));
test('beside it nothing is', () => checkAllowed(['10.1.0.0/16'], false, '10.2.0.0', 'denied'));
test('a public network may be allowed too', () => checkAllowed(['8.8.8.0/24'], false, '8.8.8.8', 'internal'));
test('IPv6', () => checkAllowed(['fd00::/8'], false, 'fd12::1', 'internal'));
test('loopback', () => checkAllowed(['::1/128'], false, '::1', 'internal'));
test('everything allowed still leaves out link local', () =>
  checkAllowed(['0.0.0.0/0', '::/0'], false, '169.254.169.254', 'denied'));
test('and metadata', () => checkAllowed(['0.0.0.0/0', '::/0'], false, 'fd00:ec2::254', 'denied'));
test('and metadata in public dress', () => checkAllowed(['0.0.0.0/0'], false, '168.63.129.16', 'denied'));
test('link local has a switch of its own', () => checkAllowed([], true, '169.254.169.254', 'internal'));
test('that opens nothing else', () => checkAllowed([], true, '10.0.0.1', 'denied'));
test('no exception unwraps a mapped address', () =>
  checkAllowed(['0.0.0.0/0', '::/0'], true, '::ffff:10.0.0.1', 'denied'));
test('nor NAT64', () => checkAllowed(['0.0.0.0/0', '::/0'], true, '64:ff9b::a9fe:a9fe', 'denied'));
test('nor ISATAP', () => checkAllowed(['::/0'], true, 'fd00::5efe:a9fe:a9fe', 'denied'));
test('an IPv4 network holds no IPv6 address', () => checkAllowed(['0.0.0.0/0'], false, '::1', 'denied'));

for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '/8', 'x/8', 'fd00::/129', '10.0.0.0/-1']) {
  test(`no network: ${text}`, () => expect(() => parseNetwork(text)).toThrow('is not a network'));
}
