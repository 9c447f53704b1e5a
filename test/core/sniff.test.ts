import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sniffFormat } from '#core/sniff.ts';
import { quadrants } from '../draw/images/pictures.ts';

function check(content: string | Buffer, expected: ReturnType<typeof sniffFormat>): void {
  expect(sniffFormat(typeof content === 'string' ? Buffer.from(content) : content)).toBe(expected);
}

test('PNG', async () => check(await quadrants().png().toBuffer(), 'png'));
test('JPEG', async () => check(await quadrants().jpeg().toBuffer(), 'jpeg'));
test('WebP', async () => check(await quadrants().webp().toBuffer(), 'webp'));
test('GIF', async () => check(await quadrants().gif().toBuffer(), 'gif'));
test('AVIF', async () => check(await quadrants().avif().toBuffer(), 'avif'));
test('AVIF that names itself mif1 first', () =>
  check(Buffer.from('\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf', 'latin1'), 'avif'));
test('HEIC is not AVIF', () => check(Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), null));
test('TIFF is not read', async () => check(await quadrants().tiff().toBuffer(), null));
test('an empty file', () => check('', null));
test('text', () => check('hello <svg>', null));
test('HTML', () => check('<!DOCTYPE html><html><svg/></html>', null));

test('SVG', () => check('<svg xmlns="http://www.w3.org/2000/svg"/>', 'svg'));
test('SVG without attributes', () => check('<svg></svg>', 'svg'));
test('SVG with a prefix', () => check('<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', 'svg'));
test('SVG behind a byte order mark, a declaration and comments', () =>
  check('\ufeff<?xml version="1.0"?>\n<!-- <html> -->\r\n\t<?x-y?><!----> <svg\n>', 'svg'));
test('SVG behind much white space', () => check(`${' '.repeat(5000)}<svg/>`, 'svg'));
test('SVG with a DOCTYPE is still one, so that the refusal can say why', () =>
  check('<!DOCTYPE svg [<!ENTITY a "b>">]><svg/>', 'svg'));
test('an element that only begins like svg', () => check('<svgfoo/>', null));
test('a comment that never ends', () => check('<!-- <svg/>', null));
test('a DOCTYPE that never ends', () => check('<!DOCTYPE svg [', null));
test('compressed SVG', () => check(gzipSync('<svg/>'), null));
