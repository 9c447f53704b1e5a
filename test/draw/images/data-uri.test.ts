import { expect, test } from 'vitest';
import { parseDataUri } from '#draw/images/data-uri.ts';

function check(uri: string, expected: string): void {
  const { mediaType, bytes } = parseDataUri(uri);
  expect(`${mediaType}|${Buffer.from(bytes).toString()}`).toBe(expected);
}
const refused = (uri: string, message: RegExp) => expect(() => parseDataUri(uri)).toThrow(message);

test('base64', () => check('data:image/png;base64,aGVsbG8=', 'image/png|hello'));
test('base64 without padding', () => check('data:;base64,aGVsbG8', '|hello'));
test('base64 whose characters are escaped', () => check('data:;base64,aGVsbG8%3D', '|hello'));
test('base64 in lines', () => check('data:;base64,aGVs\r\n bG8=\n', '|hello'));
test('percent escapes', () => check('data:image/svg+xml,%3Csvg%20a="1"/%3E', 'image/svg+xml|<svg a="1"/>'));
test('beyond ASCII', () => check('data:,é%C3%A9', '|éé'));
test('parameters', () => check('DATA:Image/SVG+xml;charset=utf-8;BASE64,aGk=', 'image/svg+xml|hi'));
test('empty', () => check('data:,', '|'));

test('letters that base64 has not', () => refused('data:;base64,!!!', /not valid base64/));
test('half a byte', () => refused('data:;base64,aGVsb', /not valid base64/));
test('padding in the middle', () => refused('data:;base64,aG=sbG8=', /not valid base64/));
test('a percent sign alone', () => refused('data:,100%', /two hexadecimal digits/));
test('no comma', () => refused('data:image/png', /no ","/));
test('another scheme', () => refused('http://x/,', /no ","/));
test('too much base64', () => refused(`data:;base64,${'A'.repeat(21_000_000)}`, /larger than 15 MiB/));
test('too much text', () => refused(`data:,${'a'.repeat(15 * 2 ** 20 + 1)}`, /larger than 15 MiB/));
