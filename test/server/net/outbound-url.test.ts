import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { formatAddress, judgeAddress, parseAddress, parseNetwork } from '#server/net/address.ts';
import {
  checkDestination,
  checkOutboundUrl,
  DEFAULT_PORTS,
  type OutboundPolicy,
  UrlNotAllowed,
} from '#server/net/outbound-url.ts';

const STRICT: OutboundPolicy = { allow: [], linkLocal: false, ports: DEFAULT_PORTS };

interface UrlCase {
  id: string;
  url: string;
  why: string;
  expect: 'deny' | 'resolve' | 'allow-literal';
  host?: string;
}
const corpus: { url_cases: UrlCase[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../corpora/ssrf.json'), 'utf8'),
);

function check(url: string, policy = STRICT): string {
  try {
    const { destination } = checkOutboundUrl(url, policy);
    return `${destination.address === null ? 'resolve' : 'allow-literal'} ${destination.host}`;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'url_not_allowed', message: 'URL not allowed.' });
    return 'deny';
  }
}

for (const { id, url, why, expect: expected, host } of corpus.url_cases) {
  test(`${id} ${why}`, () => expect(check(url)).toBe(expected === 'deny' ? 'deny' : `${expected} ${host}`));
}

test('2,048 characters', () =>
  expect(check(`http://example.com/${'a'.repeat(2048 - 19)}`)).toBe('resolve example.com'));
test('one more', () => expect(check(`http://example.com/${'a'.repeat(2049 - 19)}`)).toBe('deny'));
test('a name of more than 253 characters', () => expect(check(`http://${'a.'.repeat(127)}com/`)).toBe('deny'));
test('the reason is kept for the log', () => {
  expect(() => checkOutboundUrl('http://10.0.0.1/', STRICT)).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ message: 'address 10.0.0.1' }) }),
  );
});

function open(...allow: string[]): OutboundPolicy {
  return { ...STRICT, allow: allow.map(parseNetwork) };
}
test('an allowed address on any port', () =>
  expect(check('http://127.0.0.1:9001/', open('127.0.0.0/8'))).toBe('allow-literal 127.0.0.1'));
test('a public address on another port stays closed', () =>
  expect(check('http://8.8.8.8:9001/', open('127.0.0.0/8'))).toBe('deny'));
test('a single label may be a name of the allowed network', () =>
  expect(checkOutboundUrl('http://minio:9000/a', open('172.16.0.0/12')).destination).toMatchObject({
    host: 'minio',
    port: 9000,
    address: null,
    internalOnly: true,
  }));
test('so may any name on another port', () =>
  expect(checkOutboundUrl('http://img.example.com:3000/', open('10.0.0.0/8')).destination.internalOnly).toBe(true));
test('a public name on an open port is not held to it', () =>
  expect(checkOutboundUrl('http://img.example.com/', open('10.0.0.0/8')).destination.internalOnly).toBe(false));
test('a host from elsewhere that looks like a number is no name', () =>
  expect(() => checkDestination('127.1', 80, STRICT)).toThrow('URL not allowed.'));
test('port 0', () => expect(() => checkDestination('example.com', 0, open('::/0'))).toThrow('URL not allowed.'));

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const denied = <T extends Uint8Array>(address: T) => judgeAddress(address, STRICT) === 'denied';

/** Writes an IPv4 address in a form that WHATWG and C libraries parse: 1 to 4 parts, each in base 8, 10 or 16. */
function spellIPv4(address: Uint8Array, parts: number, bases: readonly number[], dress: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = address;
  const last = [((a * 256 + b) * 256 + c) * 256 + d, (b * 256 + c) * 256 + d, c * 256 + d, d][parts - 1] ?? 0;
  const numbers = [...[a, b, c].slice(0, parts - 1), last];
  const digits = numbers.map((value, index) => {
    const base = bases[index] ?? 10;
    return base === 16 ? `0X${value.toString(16).toUpperCase()}` : base === 8 ? `00${value.toString(8)}` : `${value}`;
  });
  const plain = digits.join('.');
  const dressed = [
    plain,
    `${plain}.`,
    plain.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
    plain.replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`),
    plain.replaceAll('.', '\u3002'),
  ];
  return dressed[dress] ?? plain;
}

test('no spelling of a denied IPv4 address gets through', () =>
  fc.assert(
    fc.property(
      fc
        .tuple(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255), bytes(4))
        .map(([first, rest]) => Uint8Array.from([first, ...rest.subarray(1)]))
        .filter(denied),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
      fc.nat(4),
      (address, parts, bases, dress) => {
        expect(check(`http://${spellIPv4(address, parts, bases, dress)}/`)).toBe('deny');
      },
    ),
    { numRuns: 3000 },
  ));

test('nor wrapped in IPv6', () =>
  fc.assert(
    fc.property(
      bytes(4),
      fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:', '2002:', 'fd00::5efe:', '2a00::200:5efe:'),
      fc.boolean(),
      (address, prefix, dotted) => {
        const hex = Buffer.from(address).toString('hex');
        const tail = dotted && prefix !== '2002:' ? address.join('.') : `${hex.slice(0, 4)}:${hex.slice(4)}`;
        expect(check(`http://[${prefix}${tail}${prefix === '2002:' ? '::' : ''}]/`)).toBe('deny');
      },
    ),
    { numRuns: 1000 },
  ));

test('nor a denied IPv6 address, however it is written', () =>
  fc.assert(
    fc.property(
      fc
        .tuple(fc.constantFrom('00', 'fc', 'fd', 'fe80', 'ff', '2001', '2002', '3ffe', '3fff', '40', '64'), bytes(16))
        .map(([prefix, address]) => {
          address.set(Buffer.from(prefix, 'hex'));
          return address;
        })
        .filter(denied),
      fc.boolean(),
      fc.boolean(),
      (address, upper, padded) => {
        const words = formatAddress(address)
          .split(':')
          .map((word) => (padded ? word.padStart(4, '0') : word))
          .join(':');
        expect(check(`http://[${upper ? words.toUpperCase() : words}]/`)).toBe('deny');
        expect(check(`https://[${words}]:8443/a?b#c`)).toBe('deny');
      },
    ),
    { numRuns: 2000 },
  ));

test('a public address is reached under its plain spelling', () =>
  fc.assert(
    fc.property(
      bytes(4).filter((address) => judgeAddress(address, STRICT) === 'public'),
      (address) => {
        expect(parseAddress(address.join('.'))).toEqual(address);
        expect(check(`http://${address.join('.')}/`)).toBe(`allow-literal ${address.join('.')}`);
      },
    ),
    { numRuns: 500 },
  ));

function explanation(url: string, policy = STRICT): string {
  try {
    checkOutboundUrl(url, policy);
  } catch (error) {
    if (error instanceof UrlNotAllowed) return error.explanation;
  }
  return 'allowed';
}
test.each([
  ['http://127.0.0.1:4000/hook', 'Its host is the server’s own machine.', '127.0.0.0/8'],
  ['http://0x7f.1/', 'Its host is the server’s own machine.', '127.0.0.0/8'],
  ['http://localhost:4000/', 'Its host is the server’s own machine.', '127.0.0.0/8'],
  ['http://[::1]/', 'Its host is the server’s own machine.', '::1/128'],
  ['http://192.168.1.20/a.png', 'Its host is an address of a private network.', '192.168.1.20/32'],
  ['http://[fd00::2]/', 'Its host is an address of a private network.', 'fd00::2/128'],
])('%s: says which setting allows it, and that allows it', (url, what, network) => {
  expect(explanation(url)).toContain(what);
  const own = `by setting PLATEN_ALLOW_PRIVATE_NETWORKS to ${network}.`;
  const how = what.includes('machine') ? own : 'by listing its network in PLATEN_ALLOW_PRIVATE_NETWORKS.';
  expect(explanation(url).endsWith(` ${how}`)).toBe(true);
  expect(explanation(url, open(network))).toBe('allowed');
});
test('any other host is refused in one sentence, which tells nothing about it', () => {
  const others = ['http://169.254.169.254/', 'http://0.0.0.0/', 'http://[::ffff:10.0.0.1]/', 'http://db.internal/'];
  expect(new Set(others.map((url) => explanation(url))).size).toBe(1);
  expect(explanation(others[0] ?? '')).toMatch(
    /^Its host cannot be found on the public internet; check the spelling\./,
  );
});

test('a port that public hosts are not asked on is named, of a name and of an address', () => {
  const said =
    'Its port is 9999; public hosts are only asked on 80, 443, 8080, 8443. Whoever runs the server can allow more by PLATEN_OUTBOUND_PORTS.';
  expect(explanation('http://example.com:9999/a.png')).toBe(said);
  expect(explanation('http://8.8.8.8:9999/a.png')).toBe(said);
  // Beside an allowed network the name could be one of it.
  const { destination } = checkOutboundUrl('http://example.com:9999/a.png', open('10.0.0.0/8'));
  expect(destination.explanation).toBe(said);
  expect(explanation('http://10.0.0.1:9999/a.png')).not.toContain('port');
});
