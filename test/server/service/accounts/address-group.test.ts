// Tests the grouping of IP addresses for limits.

import { expect, test } from 'vitest';
import { addressGroup, SITE } from '#server/service/accounts/address-group.ts';

test('IPv4 counts whole, IPv6 by its /64, however it is written', () => {
  expect(addressGroup('203.0.113.7')).toBe('203.0.113.7');
  expect(addressGroup('::ffff:203.0.113.7')).toBe('203.0.113.7');
  const group = '2001:db8:1:2:0:0:0:0/64';
  for (const one of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002::9']) {
    expect(addressGroup(one)).toBe(group);
  }
  expect(addressGroup('2001:db8:1:3::1')).not.toBe(group);
  expect(addressGroup('fe80::1%eth0')).toBe('fe80:0:0:0:0:0:0:0/64');
  expect(addressGroup('x'.repeat(100))).toBe('x'.repeat(64));
});

test('a site is a /24 or a /48', () => {
  expect(addressGroup('203.0.113.7', SITE)).toBe('203.0.113.0/24');
  expect(addressGroup('2001:db8:1:2::1', SITE)).toBe('2001:db8:1:0:0:0:0:0/48');
});
