// Tests the conversion of PDFs to text: what pdfkit writes is shown as operators, text and resources.

import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import { FIXTURES } from './cases.ts';
import { Keyword, PdfReader, Ref } from './pdf-file.ts';
import { pageText } from './pdf-page-text.ts';

function values(source: string): unknown[] {
  const reader = new PdfReader(Buffer.from(source, 'latin1'));
  const all: unknown[] = [];
  for (let value = reader.read(); value !== undefined; value = reader.read()) all.push(value);
  return all;
}

function check(source: string, ...expected: unknown[]): void {
  expect(values(source)).toEqual(expected);
}

const bytes = (text: string) => Buffer.from(text, 'latin1');

test('numbers', () => check('1 -2.5 +.5 4. 1e-3', 1, -2.5, 0.5, 4, 0.001));
test('names, with escapes', () => check('/Type /A#20B', '/Type', '/A B'));
test('strings, with nested parentheses and escapes', () => check('(a(b)c\\)\\101\\n)', bytes('a(b)c)A\n')));
test('hexadecimal strings, odd digits too', () => check('<48 656C6C6f> <7>', bytes('Hello'), bytes('p')));
test('arrays and dictionaries', () =>
  check(
    '[1 [2] /X] << /A 1 /B << /C true >> >>',
    [1, [2], '/X'],
    new Map<string, unknown>([
      ['/A', 1],
      ['/B', new Map([['/C', true]])],
    ]),
  ));
test('references are put together, two numbers are not', () => check('12 0 R 3 4', new Ref(12), 3, 4));
test('operators', () => check('1 0 0 rg f*', 1, 0, 0, new Keyword('rg'), new Keyword('f*')));
test('comments', () => check('1 % two\n3', 1, 3));

async function textOf(paint: (document: PDFKit.PDFDocument) => void): Promise<string> {
  const document = new PDFDocument({ size: [100, 50], margin: 0 });
  paint(document);
  document.end();
  return pageText(Buffer.concat(await document.toArray()));
}

test('operators are indented by their nesting, numbers rounded', async () => {
  expect(
    await textOf((document) =>
      document
        .save()
        .rect(1 / 3, 2, 3, 4)
        .fill('red')
        .restore(),
    ),
  ).toContain('  q\n    0.333 2 3 4 re\n');
});

test('embedded fonts are named without their tag, glyphs shown as text', async () => {
  const font = `${FIXTURES}/../node_modules/@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf`;
  const text = await textOf((document) => document.font(font).fontSize(10).text('Tall office', 0, 0));
  expect(text).toContain('/Inter-Regular 10 Tf');
  expect(
    text
      .match(/"([^"]*)"/g)
      ?.join('')
      .replaceAll('"', ''),
  ).toBe('Tall office');
});

test('resources are written once, after the content that names them', async () => {
  const text = await textOf((document) =>
    document.opacity(0.5).rect(0, 0, 5, 5).fill('red').rect(9, 9, 5, 5).fill('red'),
  );
  expect(text.match(/\n\/Gs1 \{ca 0\.5, CA 0\.5\}/g)).toHaveLength(1);
});

test('links are written with where they lead', async () => {
  expect(await textOf((document) => document.link(1, 2, 3, 4, 'https://example.com/'))).toContain(
    'URI "https://example.com/"',
  );
});
