// Tests the files that `platen/edge` reads and writes beside pictures, in Node: WOFF2 fonts and PDFs. In other runtimes
// test/heavy/edge.heavy.ts does.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesOfLatin1, fileIdentifier, latin1Of } from '../../src/edge/platform/runtime.ts';
import { render, type TemplateDocument } from '../../src/edge.ts';

const require = createRequire(import.meta.url);
const inter = readFileSync(require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'));
const CARD: TemplateDocument = {
  name: 'Card',
  width: 120,
  height: 40,
  pdf: { title: 'Grüße' },
  layers: [{ name: 'word', type: 'text', text: 'Hello', x: 10, y: 8, fontSize: 20 }],
};

test('a WOFF2 font draws what its TrueType file draws', async () => {
  const { compress } = require('wawoff2');
  const woff2 = Uint8Array.from(await compress(inter));
  const [packed, plain] = [
    await render(CARD, { fonts: [{ data: woff2 }] }),
    await render(CARD, { fonts: [{ data: inter }] }),
  ];
  expect(Buffer.from(packed.bytes).equals(plain.bytes)).toBe(true);
  const damaged = woff2.with(900, 255).with(901, 255).fill(7, 2_000, 9_000);
  await expect(render(CARD, { fonts: [{ data: damaged }] })).rejects.toThrow('fonts[0]: The WOFF2 file is damaged.');
});

test('a PDF has its text, its title and a page for each of a document', async () => {
  const { bytes, type } = await render(CARD, { fonts: [{ data: inter }], output: 'pdf' });
  expect(type).toBe('application/pdf');
  const text = textOf(bytes);
  expect(text).toContain('BT');
  expect(text).toContain('Title <feff00470072');
  const pages = await render(
    {
      ...CARD,
      page: { size: [200, 100], margin: 10 },
      layers: [
        {
          ...{ name: 'flow', type: 'frame', flow: true, layout: { type: 'flex' } },
          children: [1, 2, 3].map((n) => ({ name: `p${n}`, type: 'shape' as const, width: 50, height: 60 })),
        },
      ],
    } as TemplateDocument,
    { fonts: [{ data: inter }], output: 'pdf' },
  );
  expect(textOf(pages.bytes).match(/\/Type \/Page\n/g)).toHaveLength(3);
});

/** A PDF with its deflated streams unpacked. */
function textOf(pdf: Uint8Array): string {
  const file = Buffer.from(pdf).toString('latin1');
  return file.replace(/\/Filter \/FlateDecode\n[\s\S]*?stream\n([\s\S]*?)\nendstream/g, (whole, packed) => {
    try {
      return inflateSync(Buffer.from(packed, 'latin1')).toString('latin1');
    } catch {
      return whole;
    }
  });
}

test('other formats are refused by name', async () => {
  const said = /^output: must be one of "png", "jpeg", "webp", "pdf"; a server writes AVIF too/;
  await expect(render(CARD, { fonts: [{ data: inter }], output: 'avif' as never })).rejects.toThrow(said);
});

test('html templates, and pictures of kinds that only a server reads, are refused by a sentence', async () => {
  const refusal = (template: unknown, images?: Readonly<Record<string, Uint8Array>>) =>
    render(template as TemplateDocument, { fonts: [{ data: inter }], images }).then(
      () => 'drawn',
      ({ message }: Error) => message,
    );
  expect(await refusal({ name: 'Page', width: 9, height: 9, engine: 'html', html: '<p>Hi</p>' })).toBe(
    'engine: html templates are drawn by a server; platen/og draws JSX here.',
  );
  const shown = { ...CARD, layers: [{ name: 'i', type: 'image', src: 'x' }] };
  const said = (text: string) => refusal(shown, { x: new TextEncoder().encode(text) });
  const others = 'Image of layer "i" could not be loaded: The file is ';
  expect(await said('GIF89a\x01\0\x01\0')).toContain(`${others}a GIF; only PNG, JPEG and WebP are read`);
  expect(await said('\0\0\0 ftypavif\0\0\0\0')).toContain(`${others}an AVIF; only PNG, JPEG and WebP are read`);
  expect(await said('BM\0\0')).toContain(`${others}not a PNG, JPEG or WebP image`);
  expect(await said('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>')).toContain(
    'SVG images are not drawn by platen/edge; hand in a PNG.',
  );
});

test('bytes as text and back', () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, i) => i % 256);
  expect(Buffer.from(bytesOfLatin1(latin1Of(bytes))).equals(bytes)).toBe(true);
});

test('an identifier depends on every byte, and on nothing else', () => {
  const of = (...parts: (string | Uint8Array)[]) => Buffer.from(fileIdentifier(parts)).toString('hex');
  expect(of('ab', Uint8Array.of(99))).toBe(of('abc'));
  expect(of('abc')).toHaveLength(32);
  const others = Array.from({ length: 200 }, (_, i) => of('x'.repeat(i), 'y', 'x'.repeat(199 - i)));
  expect(new Set(others).size).toBe(200);
});
