import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatAddress } from '#server/net/address.ts';
import { type DnsQueries, DnsResolver } from '#server/net/guard.ts';

const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
const never = () => new Promise<never>(() => {});
const queries = (a: DnsQueries['resolve4'], aaaa: DnsQueries['resolve6']): DnsQueries => ({
  resolve4: vi.fn(a),
  resolve6: vi.fn(aaaa),
});

async function check(fake: DnsQueries, expected: string[]): Promise<void> {
  const addresses = await new DnsResolver(fake).resolve('example.com');
  expect(addresses.map(formatAddress)).toEqual(expected);
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('both families, IPv4 first', () =>
  check(
    queries(
      async () => ['1.1.1.1', '1.0.0.1'],
      async () => ['2606::1'],
    ),
    ['1.1.1.1', '1.0.0.1', '2606:0:0:0:0:0:0:1'],
  ));
test('one family alone', () =>
  check(
    queries(
      () => fail('ENODATA'),
      async () => ['2606::1'],
    ),
    ['2606:0:0:0:0:0:0:1'],
  ));
test('no address at all', () =>
  expect(
    new DnsResolver(
      queries(
        () => fail('ENOTFOUND'),
        () => fail('ENOTFOUND'),
      ),
    ).resolve('x.test'),
  ).rejects.toThrow('x.test has no address'));
test('an answer that is no address', () =>
  expect(
    new DnsResolver(
      queries(
        async () => ['127.1'],
        () => fail('ENODATA'),
      ),
    ).resolve('x.test'),
  ).rejects.toThrow('DNS gave "127.1" for x.test'));

test('a server that never answers is given up after 3 s', async () => {
  const waiting = expect(new DnsResolver(queries(never, never)).resolve('x.test')).rejects.toThrow('has no address');
  await vi.advanceTimersByTimeAsync(3000);
  await waiting;
});
test('a family that never answers does not take the other with it', async () => {
  const waiting = check(
    queries(async () => ['1.1.1.1'], never),
    ['1.1.1.1'],
  );
  await vi.advanceTimersByTimeAsync(3000);
  await waiting;
});

test('an answer is kept for 30 s', async () => {
  const fake = queries(
    async () => ['1.1.1.1'],
    async () => [],
  );
  let now = 0;
  const resolver = new DnsResolver(fake, () => now);
  await resolver.resolve('x.test');
  now = 29_999;
  await resolver.resolve('x.test');
  expect(fake.resolve4).toHaveBeenCalledTimes(1);
  now = 30_000;
  await resolver.resolve('x.test');
  expect(fake.resolve4).toHaveBeenCalledTimes(2);
});
test('those who ask at the same time share the question', async () => {
  const fake = queries(
    async () => ['1.1.1.1'],
    async () => [],
  );
  const resolver = new DnsResolver(fake);
  await Promise.all([resolver.resolve('x.test'), resolver.resolve('x.test')]);
  expect(fake.resolve4).toHaveBeenCalledTimes(1);
});
test('a failure is not kept', async () => {
  const answers = [() => fail('ESERVFAIL'), async () => ['1.1.1.1']];
  const resolver = new DnsResolver(
    queries(
      () => answers.shift()?.() ?? never(),
      () => fail('ENODATA'),
    ),
  );
  await expect(resolver.resolve('x.test')).rejects.toThrow();
  expect((await resolver.resolve('x.test')).map(formatAddress)).toEqual(['1.1.1.1']);
});
test('no more than a thousand names are kept', async () => {
  const fake = queries(
    async () => ['1.1.1.1'],
    async () => [],
  );
  const resolver = new DnsResolver(fake);
  for (let name = 0; name < 1001; name += 1) await resolver.resolve(`${name}.test`);
  await resolver.resolve('1000.test');
  expect(fake.resolve4).toHaveBeenCalledTimes(1001);
  await resolver.resolve('0.test');
  expect(fake.resolve4).toHaveBeenCalledTimes(1002);
});
