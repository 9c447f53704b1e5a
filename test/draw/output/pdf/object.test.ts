import { expect, test } from 'vitest';
import { objectText, PdfReference, type PdfValue } from '#draw/output/pdf/object.ts';

function check(value: PdfValue, expected: string): void {
  expect(objectText(value)).toBe(expected);
}

test('a string is a name', () => check('Page', '/Page'));
test('numbers and booleans are themselves', () => check([1, 0.5, -2, true], '[1 0.5 -2 true]'));
test('numbers have six places at most, and no exponent', () => check([1 / 3, 1e-9], '[0.333333 0]'));
test('bytes are a string', () => check(Buffer.from('D:2000 [<x>]'), '(D:2000 [<x>])'));
test('bytes that would have to be escaped are in hexadecimal', () => {
  check(Buffer.from('a(b'), '<612862>');
  check(Buffer.from('a\\b'), '<615c62>');
  check(Uint8Array.of(0, 255), '<00ff>');
});
test('another object is named by its number', () => check([new PdfReference(12)], '[12 0 R]'));
test('a dictionary has an entry a line', () =>
  check({ Type: 'Font', W: [0, [500]], D: { N: 1 } }, '<<\n/Type /Font\n/W [0 [500]]\n/D <<\n/N 1\n>>\n>>'));
test('what is no number is a bug', () => expect(() => objectText(Number.NaN)).toThrow('NaN'));
