// Tests the names of files in a zip: valid and harmless on every system, and unique.

import { expect, test } from 'vitest';
import { uniqueNames } from '#server/service/jobs/zip.ts';

const check = (wanted: string, expected: string) => expect(uniqueNames([wanted])).toEqual([expected]);

test('an ordinary name stays', () => check('Ünï 1 – b=c', 'Ünï 1 – b=c'));
test('no formula', () => check('=cmd-calc', '_=cmd-calc'));
test('no formula by another character', () => check('@SUM(A1)', '_@SUM(A1)'));
test('no option of a command', () => check('-rf', '_-rf'));
test('no home folder', () => check('~root', '_~root'));
test('no hidden file and no path', () => check('../.../etc', '_-...-etc'));
test('no separator', () => check('a/b\\c:d', 'a-b-c-d'));
test('no device', () => check('con', '_con'));
test('no device with an extension', () => check('COM1.txt', '_COM1.txt'));
test('no device with a superscript digit', () => check('lpt².tar.gz', '_lpt².tar.gz'));
test('a name that only begins like a device stays', () => check('console', 'console'));
test('no empty name', () => check('...', '_'));
test('equal names get numbers, also where only their case or their escaping differs', () =>
  expect(uniqueNames(['a', 'A', '=b', '_=b', 'a-2'])).toEqual(['a', 'A-2', '_=b', '_=b-2', 'a-2-2']));
