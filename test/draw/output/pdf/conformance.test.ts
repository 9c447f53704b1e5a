// Tests what PDFs conform to: files of each level by the rules of veraPDF's profiles, and the refusals of what cannot.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { composePages, namingInks } from '#core/compose.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { joinPdfs } from '#draw/output/pdf/join-pdfs.ts';
import { CASES } from '../../../golden/cases.ts';
import { isDict, PdfFile, PdfStream, type PdfValue } from '../../../golden/pdf-file.ts';
import { pageText } from '../../../golden/pdf-page-text.ts';
import { draw, resourcesOf } from '../../../golden/render-case.ts';
import { faultsOf, Model, NOT_EVALUATED, rulesOf } from './check-conformance.ts';
import { ask, has, objects, operators, streams } from './page.ts';

const CONFORMING = CASES.filter(({ name }) => /^pdf\/(conforms|invoice)/.test(name));

const levelsOf = (template: Readonly<Record<string, unknown>>): readonly string[] => {
  const { conforms = 'A-3b' } = template.pdf as { readonly conforms?: string | readonly string[] };
  return [conforms].flat();
};

test.each(CONFORMING.map((each) => [each.name, each] as const))('%s conforms', async (_, found) => {
  const { pdf } = await draw(found);
  expect(levelsOf(found.template).flatMap((level) => faultsOf(pdf, level))).toEqual([]);
});

test('a file that need not conform breaks rules of each level, so that the checker sees them', async () => {
  const found = CASES.find(({ name }) => name === 'pdf/structure') ?? expect.fail('no fixture');
  const { pdf } = await draw(found);
  expect(faultsOf(pdf, 'UA-1').map((fault) => fault.split(':')[0])).toEqual([
    'UA-1 5-1, 5-3 to 5-5',
    'UA-1 7.1-8',
    'UA-1 7.1-9',
    'UA-1 7.18.1-2, 7.18.5-2',
    'UA-1 5-2',
  ]);
  expect(faultsOf(pdf, 'A-3b').map((fault) => fault.split(':')[0])).toContain('A-3b 6.2.3-1, 6.2.3-2');
});

test('what is not evaluated is listed, and nothing that is', () => {
  const evaluated = [...rulesOf('UA-1'), ...rulesOf('A-3b')].flatMap((ids) => ids.split(', '));
  expect(evaluated.length).toBeGreaterThan(100);
  expect(Object.keys(NOT_EVALUATED).filter((ids) => evaluated.includes(ids))).toEqual([]);
});

/** A template's PDF, with the properties of a request. */
async function pdfOf(
  template: object,
  pdf: object = {},
  modifications: Readonly<Record<string, unknown>> = {},
): Promise<Uint8Array> {
  const scene = resolve(parseTemplate({ name: 'Kept', width: 200, height: 100, ...template }), modifications);
  const resources = await resourcesOf(scene.needs, undefined, 'shown');
  const { lists } = composePages(scene, resources, {});
  return exportAs('pdf', lists, resources, { ...DEFAULT_EXPORT, pdf: { reproducible: true, ...pdf } });
}

const text = (name: string, more: object = {}) => ({ name, type: 'text', text: name, fontSize: 10, ...more });
const UA = { conforms: 'UA-1', title: 'Kept', language: 'en' };
const sentence = (made: Promise<unknown>) =>
  made.then(
    () => 'nothing',
    (error: Error) => error.message,
  );

test.each<[string, object, object, string]>([
  ['no title', { lang: 'en', layers: [text('a')] }, { conforms: 'UA-1' }, 'pdf.title: UA-1 needs a title.'],
  [
    'no language',
    { layers: [text('a')] },
    { conforms: 'UA-1', title: 'Kept' },
    'pdf.language: UA-1 needs the language of the document, such as "en", there or as `lang`.',
  ],
  [
    'a picture that nobody has described',
    { layers: [{ name: 'photo', type: 'image', src: 'assets/badge.png', width: 20, height: 20 }] },
    UA,
    'Layer "photo": UA-1 needs `alt`, what it shows in words, or "" if it is decoration.',
  ],
  [
    'a picture in a line',
    { layers: [text('a', { spans: [{ image: { src: 'assets/badge.png' } }] })] },
    UA,
    'Layer "a": UA-1 needs `alt`, what it shows in words, or "" if it is decoration.',
  ],
  [
    'a heading that skips a level',
    { layers: [text('a', { heading: 1 }), text('b', { y: 20, heading: 3 })] },
    UA,
    'Layer "b": its heading is of level 3 after one of level 1; UA-1 needs 2 or less there.',
  ],
  [
    'two archives',
    { layers: [text('a')] },
    { conforms: ['A-2b', 'A-3b'] },
    'pdf.conforms: A-2b and A-3b exclude each other; ask for one of A-… and one of UA-….',
  ],
  [
    'two versions of PDF',
    { layers: [text('a')] },
    { ...UA, conforms: ['A-4', 'UA-1'] },
    'pdf.conforms: UA-1 is of another version of PDF than A-4; ask for A-2b, A-2u or A-3b beside it.',
  ],
  [
    'files in an archive without',
    { layers: [text('a')] },
    { conforms: 'A-2b', attachments: [{ name: 'a.txt', mime: 'text/plain', data: 'YQ==', relationship: 'Data' }] },
    'pdf.attachments: A-2b allows none; ask for A-3b.',
  ],
  [
    'no files where there are to be',
    { layers: [text('a')] },
    { conforms: 'A-4f' },
    'pdf.conforms: A-4f is for files with pdf.attachments; ask for A-4.',
  ],
])('refused: %s', async (_, template, pdf, expected) => {
  expect(await sentence(pdfOf(template, pdf))).toBe(expected);
});

const NAMESPACES = `xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"`;
const xmlOf = (total: string, guideline = 'urn:cen.eu:en16931:2017') =>
  `<rsm:CrossIndustryInvoice ${NAMESPACES}><rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>${guideline}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>\r\n<rsm:SupplyChainTradeTransaction><ram:ApplicableHeaderTradeSettlement><ram:SpecifiedTradeSettlementHeaderMonetarySummation>${total}</ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;
const invoice = (xml: string, profile = 'EN 16931') => ({ invoice: { xml, profile } });
const table = (lang: string, currency: string, amount: string, more: object = {}) => ({
  lang,
  currency,
  layers: [
    {
      ...{
        name: 'lines',
        type: 'table',
        columns: ['fill', 'hug'],
        cell: { fontSize: 10 },
        row: [{ name: 'item' }, { name: 'amount' }],
      },
      footer: ['Sum', { calculate: { sum: 'amount' }, format: 'currency', total: 'GrandTotalAmount', ...more }],
      rows: [{ item: 'Board', amount }],
    },
  ],
});

test.each<[string, string, string, string]>([
  ['de-DE', 'EUR', '21535.32', '21535.32'],
  ['en-IE', 'EUR', '21535.32', '21535.320'],
  ['fr-FR', 'EUR', '21535.3', '21535.30'],
  ['de-CH', 'CHF', '-1234.5', '-1234.50'],
  ['ja-JP', 'JPY', '21535', '21535.00'],
  ['ar-KW', 'KWD', '1234.567', '1234.567'],
])('a total of %s in %s is the same in the document and in the invoice', async (lang, currency, amount, own) => {
  const xml = xmlOf(`<ram:GrandTotalAmount>${own}</ram:GrandTotalAmount>`);
  const pdf = await pdfOf(table(lang, currency, amount), invoice(xml)).catch((error: Error) => error.message);
  expect(typeof pdf === 'string' ? pdf : 'drawn').toBe('drawn');
});

test('an invoice of forty lines conforms, with its XML, over three pages', async () => {
  const file = join(import.meta.dirname, '../../../core/resolve/business-invoice.json');
  const { template, modifications } = JSON.parse(readFileSync(file, 'utf8'));
  const totals = (net: string) =>
    `<ram:TaxBasisTotalAmount>${net}</ram:TaxBasisTotalAmount><ram:GrandTotalAmount>26896.29</ram:GrandTotalAmount>`;
  const withXml = (net: string) => {
    const xml = xmlOf(totals(net), 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0');
    return pdfOf({ width: undefined, height: undefined, ...template }, invoice(xml, 'XRECHNUNG'), modifications);
  };
  const pdf = await withXml('22662.13');
  expect([...faultsOf(pdf, 'A-3b'), ...faultsOf(pdf, 'UA-1')]).toEqual([]);
  expect(objects(pdf)).toMatch(/\/Type \/Pages\n(.*\n)*?\/Count 3\n/);
  const tags = streams(pdf).find(({ dictionary }) => dictionary.includes('/Predictor 15\n/Colors 10\n'));
  expect(Number(/\/Length (\d+)/.exec(tags?.dictionary ?? '')?.[1])).toBeLessThan(3_700);
  expect(await sentence(withXml('22662.14'))).toMatch(/TaxBasisTotalAmount 22662\.14.*"positionen" shows "22\.662,13/);
});

/** Two sheets, of which the first has the address of the sender. */
const LETTER_PAPER = {
  ...{ width: undefined, height: undefined, lang: 'de-DE', page: { size: 'A4' } },
  layers: [
    { name: 'head', type: 'text', pages: 'first', x: '25mm', y: '15mm', text: 'NORDWERK', fontSize: 30 },
    { name: 'short', type: 'text', pages: 'not-first', x: '25mm', y: '15mm', text: 'Nordwerk GmbH' },
    {
      ...{ name: 'body', type: 'frame', flow: true, layout: {} },
      children: ['one', 'two'].map((name) => ({ name, type: 'frame', height: 10, breakBefore: 'page' })),
    },
  ],
};

const INVOICE = 'the invoice of the documentation has 45 lines and the right sums, on letter paper, with its XML';
test.skipIf(!has('pdftotext'))(INVOICE, async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/documents.md'), 'utf8');
  const code = /^\{ "name": "Rechnung"[\s\S]*?(?=^```$)/m.exec(page)?.[0] ?? expect.fail('no such block');
  const lines = code.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(45);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);

  const paper = await pdfOf(LETTER_PAPER, { conforms: 'A-2b', title: 'Briefpapier' });
  const source = `data:application/pdf;base64,${Buffer.from(paper).toString('base64')}`;
  const file = join(import.meta.dirname, '../../../core/resolve/business-invoice.json');
  const { positionen, bedingungen: _, ...values } = JSON.parse(readFileSync(file, 'utf8')).modifications;
  const modifications = {
    ...values,
    positionen: positionen.map(({ bezeichnung, ...rest }: { bezeichnung: string }) => ({ ware: bezeichnung, ...rest })),
    ...{ fällig: '2026-12-29', 'skonto bis': '2026-12-06' },
  };
  const template = { width: undefined, height: undefined, ...JSON.parse(code.replaceAll('img_…', source)) };
  const totals = (gross: string) =>
    `<ram:TaxBasisTotalAmount>22662.13</ram:TaxBasisTotalAmount><ram:GrandTotalAmount>${gross}</ram:GrandTotalAmount>`;
  const xml = (gross: string) =>
    xmlOf(totals(gross), 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0');
  const { document } = resolve(parseTemplate(template), modifications);
  expect(document?.title).toBe('Rechnung RE-2026-01187');
  const drawn = (gross: string) => pdfOf(template, { ...document, ...invoice(xml(gross), 'XRECHNUNG') }, modifications);
  const pdf = await drawn('26896.29');
  expect([...faultsOf(pdf, 'A-3b'), ...faultsOf(pdf, 'UA-1')]).toEqual([]);
  const words = ask('pdftotext', pdf, ['-layout'], ['-']).replaceAll(/\s+/g, ' ').replaceAll(' 7% ', ' 7 % ');
  expect(words.match(/Seite \d von 3/g)).toEqual(['Seite 1 von 3', 'Seite 2 von 3', 'Seite 3 von 3']);
  expect(words.match(/(?:Übertrag|Nettosumme|Umsatzsteuer \d+ ?%|Rechnungsbetrag|Skonto) [\d.,]+ €/g)).toEqual([
    ...['Übertrag 9.656,96 €', 'Übertrag 9.656,96 €', 'Übertrag 22.662,13 €', 'Übertrag 22.662,13 €'],
    ...['Nettosumme 22.662,13 €', 'Umsatzsteuer 19 % 4.192,37 €', 'Umsatzsteuer 7 % 41,79 €'],
    ...['Rechnungsbetrag 26.896,29 €', 'Skonto 26.358,36 €'],
  ]);
  expect(words).toContain('Bitte zahlen Sie 26.896,29 € bis zum 29.12.2026, bis 06.12.2026 nur 26.358,36 €.');
  const [girocode] = resolve(parseTemplate(template), modifications).needs.codes;
  expect(girocode?.value).toContain('\nEUR26896.29\n\n\nRechnung RE-2026-01187');
  expect(await sentence(drawn('26896.28'))).toContain('26896.28');
});

test('another total is refused, with both', async () => {
  const xml = xmlOf('<ram:GrandTotalAmount>21535.33</ram:GrandTotalAmount>');
  expect(await sentence(pdfOf(table('de-DE', 'EUR', '21535.32'), invoice(xml)))).toBe(
    'pdf.invoice.xml has the GrandTotalAmount 21535.33, and the table "lines" shows "21.535,32\u00a0€".',
  );
  expect(await sentence(pdfOf(table('de-DE', 'EUR', '1'), invoice(xmlOf(''))))).toBe(
    'pdf.invoice.xml has no GrandTotalAmount, which the table "lines" shows as "1,00\u00a0€".',
  );
});

test.each<[string, string]>([
  ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', 'pdf.invoice.xml has a document type; leave out <!DOCTYPE …>.'],
  [
    '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
    'pdf.invoice.xml says that its encoding is ISO-8859-1; it is attached as UTF-8.',
  ],
  ['<a><b></a>', 'pdf.invoice.xml is not well-formed XML: its tags do not match.'],
  [
    '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>',
    'pdf.invoice.xml must be a CrossIndustryInvoice (CII, UN/CEFACT D16B or later).',
  ],
  [
    xmlOf('', 'urn:factur-x.eu:1p0:minimum'),
    'pdf.invoice.xml is of the guideline "urn:factur-x.eu:1p0:minimum", and the profile EN 16931 is "urn:cen.eu:en16931:2017".',
  ],
])('what is no such invoice is refused: %s', async (xml, expected) => {
  expect(await sentence(pdfOf({ layers: [text('a')] }, invoice(xml)))).toBe(expected);
});

test('the XML of an invoice and attached files come out byte for byte', async () => {
  const xml = `\ufeff${xmlOf('<!-- ünser -->')}\n`;
  const attachments = [
    { name: 'Größe.bin', mime: 'application/octet-stream', data: 'AAEC/w==', relationship: 'Unspecified' },
  ];
  const file = new PdfFile(await pdfOf({ layers: [text('a')] }, { ...invoice(xml), attachments }));
  const streams = file
    .dict(file.dict(file.dict(file.trailer.get('/Root')).get('/Names')).get('/EmbeddedFiles'))
    .get('/Names');
  const bytes = (Array.isArray(streams) ? streams : []).flatMap((each) => {
    const stream = file.resolve(file.dict(file.dict(each).get('/EF')).get('/F'));
    return stream instanceof PdfStream ? [Buffer.from(stream.data())] : [];
  });
  expect(bytes.map((each) => each.toString('hex'))).toEqual(['000102ff', Buffer.from(xml).toString('hex')]);
});

async function joined(...files: readonly Uint8Array[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of joinPdfs(files.map((file, i) => ({ read: async () => file, title: `File ${i}` }))))
    parts.push(part);
  return Buffer.concat(parts);
}

test('joined files conform as their parts do, with the structure of each', async () => {
  const conforms = { title: 'Kept', language: 'en', conforms: ['A-3b', 'UA-1'] };
  const one = await pdfOf({ layers: [text('First', { heading: 1, link: 'https://example.com/' })] }, conforms);
  const two = await pdfOf(table('en-IE', 'EUR', '2'), conforms);
  const file = await joined(one, two, one);
  expect([...faultsOf(file, 'UA-1'), ...faultsOf(file, 'A-3b')]).toEqual([]);
  if (has('pdfinfo')) {
    const read = ask('pdfinfo', file, ['-struct-text'])
      .replace(/^ {6}(?=Part|H1|Table)/gm, '')
      .split('\n');
    expect(read.filter((line) => /^ *"(First|Board|Sum)"/.test(line)).map((line) => line.trim())).toEqual([
      '"First"',
      '"Board"',
      '"Sum"',
      '"First"',
    ]);
  }
});

const noted = {
  page: { size: [200, 100] },
  layers: [
    {
      ...{ name: 'flow', type: 'frame', flow: true, layout: {} },
      children: [{ ...text('words'), spans: [{ text: 'Kept' }, { footnote: 'for ten years' }] }],
    },
  ],
};

test('footnotes conform to UA-1, in joined files too, where each has a name of its own', async () => {
  const one = await pdfOf(noted, UA);
  const file = await joined(one, one, one);
  expect([...faultsOf(one, 'UA-1'), ...faultsOf(file, 'UA-1')]).toEqual([]);
  if (!has('pdfinfo')) return;
  const read = (pdf: Uint8Array) =>
    ask('pdfinfo', pdf, ['-struct-text']).match(/Reference|Note <note-[\d-]+>|"1 for ten years"/g);
  expect(read(one)).toEqual(['Reference', 'Note <note-000001>', '"1 for ten years"']);
  expect(read(file)?.filter((each) => each.startsWith('Note'))).toEqual([
    'Note <note-000001-000001>',
    'Note <note-000002-000001>',
    'Note <note-000003-000001>',
  ]);
});

test('footnotes conform to UA-2, where marks and notes refer to each other', async () => {
  const pdf = await pdfOf(noted, { ...UA, conforms: ['A-4', 'UA-2'] });
  expect([...faultsOf(pdf, 'UA-2'), ...faultsOf(pdf, 'A-4')]).toEqual([]);
  expect(new Model(pdf).ofType('FENote')).toHaveLength(1);
  if (has('pdfinfo')) expect(ask('pdfinfo', pdf, ['-struct-text'])).toMatch(/"1"[\s\S]*"1 for ten years"/);
});

test('a footnote in a cell of a table is refused, by name', async () => {
  const lines = { ...{ name: 'lines', type: 'table', columns: [50] }, row: [{ spans: [{ footnote: 'Kept' }] }] };
  const flow = { name: 'flow', type: 'frame', flow: true, layout: {}, children: [lines] };
  expect(await sentence(pdfOf({ page: { size: [100, 60] }, layers: [flow] }))).toBe(
    'layers[0].children[0].row[0].spans[0]: unknown property "footnote" in layer "lines"; footnotes are for the `spans` of texts that flow, not for cells',
  );
});

/** A text whose paragraphs are items, of which the second has two lines. */
const points = (name: string, more: object = {}) =>
  text(name, { text: 'one\ntwo of two lines\nthree', width: 70, listStyle: 'disc', ...more });

test.each([['A-3b', 'UA-1'] as const, ['A-4', 'UA-2'] as const])(
  'lists conform to %s and %s: within lists, and over pages',
  async (archive, accessible) => {
    const conforms = { ...UA, conforms: [archive, accessible] };
    const inner = { name: 'inner', type: 'frame', repeat: true, layout: {}, children: [points('deep')] };
    const outer = { name: 'outer', type: 'frame', repeat: true, layout: {}, children: [points('points'), inner] };
    const layers = [points('signs'), points('numbers', { listStyle: 'decimal', x: 90 }), { ...outer, y: 40 }];
    const one = await pdfOf({ height: 600, layers }, conforms, { outer: [{ inner: [{}, {}] }, {}] });
    const many = Array.from({ length: 12 }, (_, i) => `Point ${i} of many words`).join('\n');
    const flow = { name: 'flow', type: 'frame', flow: true, layout: {}, children: [points('points', { text: many })] };
    const long = await pdfOf({ page: { size: [100, 60] }, layers: [flow] }, conforms);
    for (const pdf of [one, long]) expect([...faultsOf(pdf, archive), ...faultsOf(pdf, accessible)]).toEqual([]);

    const read = (pdf: Uint8Array, kind: string) =>
      [...new Model(pdf).elements].filter(({ type }) => type === kind).length;
    // Seven texts of three items; the outer list of two entries, of which the first has an inner list of two.
    expect(['L', 'LI', 'Lbl', 'LBody'].map((kind) => read(one, kind))).toEqual([9, 25, 21, 25]);
    expect(['L', 'LI', 'Lbl', 'LBody'].map((kind) => read(long, kind))).toEqual([1, 12, 12, 12]);
  },
);

const BOX = { name: 'box', type: 'shape', width: 40, height: 40 };
const ORANGE = 'device-cmyk(0 50% 100% 0)';
/** The operators that choose colours in a file. */
const colorsOf = (pdf: Uint8Array) =>
  operators(pdf)
    .join('\n')
    .match(/^.* (k|K|rg|RG)$/gm);

test('colours in inks are written in inks, alone, beside others and in what is blended', async () => {
  const black = text('black', { color: 'device-cmyk(0 0 0 1)', x: 50 });
  const pdf = await pdfOf({ layers: [{ ...BOX, fill: ORANGE, stroke: '#ff0000', strokeWidth: 2 }, black] });
  expect(colorsOf(pdf)).toEqual(['0 0.5 1 0 k', '1 0 0 RG', '0 0 0 1 k']);
  // An sRGB group would take the inks out of what is blended in it.
  expect(objects(pdf)).not.toContain('/CS /DeviceRGB');
  const faded = { name: 'faded', type: 'frame', width: 90, height: 90, opacity: 0.5, children: [BOX, BOX] };
  const inks = [
    { ...BOX, name: 'a', fill: ORANGE },
    { ...BOX, name: 'b', x: 20, fill: 'teal' },
  ];
  const blended = await pdfOf({ layers: [{ ...faded, children: inks }] });
  expect(objects(blended)).not.toContain('/CS /DeviceRGB');
  expect(objects(await pdfOf({ layers: [{ ...BOX, fill: '#ff8000' }] }))).toContain('/CS /DeviceRGB');
});

test('an archive is sRGB: inks are refused, with what they are; accessible files may have them', async () => {
  const layers = [{ ...BOX, fill: ORANGE, alt: '' }];
  expect(await sentence(pdfOf({ layers }, { conforms: 'A-3b' }))).toBe(
    'pdf.conforms: A-3b is written in sRGB; give device-cmyk(0 0.5 1 0) as a colour of it.',
  );
  expect(faultsOf(await pdfOf({ layers }, UA), 'UA-1')).toEqual([]);
});

test('a gradient is in inks if all of its colours are; what cannot be in inks is said', async () => {
  const colored = (kind: string, ...colors: readonly string[]) => ({
    layers: [
      { ...BOX, fill: { type: kind, stops: colors.map((color, i) => ({ offset: i / (colors.length - 1), color })) } },
    ],
  });
  for (const kind of ['linear', 'radial', 'conic']) {
    const pdf = await pdfOf(colored(kind, ORANGE, 'device-cmyk(0 0 0 1)'));
    expect(objects(pdf)).toMatch(/\/ColorSpace \/DeviceCMYK[\s\S]*\/C0 \[0 0\.5 1 0\]\n\/C1 \[0 0 0 1\]/);
    expect(objects(pdf)).not.toContain('/DeviceRGB');
  }
  expect(await sentence(pdfOf(colored('linear', ORANGE, 'device-cmyk(0 0 0 1)'), { conforms: 'A-3b' }))).toContain(
    'give device-cmyk(0 0.5 1 0) as a colour of it',
  );

  const warned = async (template: object) => {
    const scene = resolve(parseTemplate({ name: 'Kept', width: 200, height: 100, ...template }), {});
    const resources = await resourcesOf(scene.needs);
    const { lists } = composePages(scene, resources, {});
    const said: string[] = [];
    const warn = (each: Diagnostic) => {
      for (const { layer, message } of namingInks(each, scene)) {
        said.push(message.replace(/Inks.*sRGB /, ''));
        if (layer !== null) expect(message).toContain(JSON.stringify(layer));
      }
    };
    await exportAs('pdf', lists, resources, DEFAULT_EXPORT, { warn });
    return said;
  };
  const inGradient = 'Layer "box": in a gradient that has other colours, or another color space, too.';
  const filtered = 'Layer "box": under a filter, and in a blurred shadow.';
  expect(await warned(colored('linear', ORANGE, 'red'))).toEqual([inGradient]);
  expect(await warned(colored('linear', ORANGE, 'device-cmyk(0 0 0 1)'))).toEqual([]);
  expect(await warned({ layers: [{ ...BOX, fill: ORANGE, filters: { blur: 2 } }] })).toEqual([filtered]);
  expect(await warned({ layers: [{ ...BOX, fill: ORANGE, filters: { saturate: 0.5 } }] })).toEqual([filtered]);
  const shadow = { x: 1, y: 1, blur: 3, color: ORANGE };
  expect(await warned({ layers: [{ ...BOX, fill: 'red', shadow }] })).toEqual([filtered]);
  expect(
    await warned({
      layers: [
        { ...BOX, fill: 'red', filters: { blur: 2 } },
        { ...BOX, name: 'b', fill: ORANGE },
      ],
    }),
  ).toEqual([]);
  const mixed = { type: 'linear', stops: [ORANGE, 'red'].map((color, offset) => ({ color, offset })) };
  const words = { name: 'words', type: 'text', text: 'Kept', color: mixed };
  const blurred = { name: 'blurred', type: 'frame', filters: { blur: 1 }, children: [{ ...BOX, fill: ORANGE }] };
  const body = { name: 'body', type: 'frame', flow: true, children: [words, { ...words, name: 'more' }, blurred] };
  expect(await warned({ width: undefined, height: undefined, page: { size: [200, 100] }, layers: [body] })).toEqual([
    inGradient.replace('box', 'words'),
    inGradient.replace('box', 'more'),
    filtered.replace('box', 'blurred'),
  ]);
});

/** The head of an ICC profile, of a class and colours. */
function profileOf(kind: string, colors: string, size = 200): string {
  const bytes = Buffer.alloc(200);
  bytes.writeUInt32BE(size);
  bytes.write(`${kind}${colors}Lab `, 12, 'latin1');
  bytes.write('acsp', 36, 'latin1');
  return bytes.toString('base64');
}

test('a file says how it is printed, by the profile of a printer, and a joined one too', async () => {
  const intent = (profile: string, more: object = {}) =>
    pdfOf({ layers: [BOX] }, { outputIntent: { profile, condition: 'FOGRA51' }, ...more });
  const pdf = await intent(profileOf('prtr', 'CMYK'));
  const said = /\/OutputIntents \[\d+ 0 R\]/;
  expect(objects(pdf)).toMatch(said);
  expect(objects(pdf)).toMatch(/\/S \/GTS_PDFX[\s\S]*\/DestOutputProfile \d+ 0 R/);
  expect(objects(await joined(pdf, pdf))).toMatch(said);
  const other = 'give that of a printer with CMYK.';
  expect(await sentence(intent(profileOf('mntr', 'RGB ')))).toBe(
    `pdf.outputIntent.profile: is of another device or other colours; ${other}`,
  );
  for (const wrong of ['AAAA', profileOf('prtr', 'CMYK', 999)]) {
    expect(await sentence(intent(wrong))).toBe(`pdf.outputIntent.profile: is no ICC profile; ${other}`);
  }
  expect(await sentence(intent(profileOf('prtr', 'CMYK'), { conforms: 'A-3b' }))).toBe(
    'pdf.outputIntent: A-3b has that of sRGB; leave it out, or do not ask for A-3b.',
  );
});

const reversed = (words: string) => Array.from(words).reverse().join('');

test.each([
  ['at white space', 'Umsatz im Dezember nur', {}, 'Umsatz im Dezember nur'],
  ['at a line feed', 'Umsatz\nim Dezember', {}, 'Umsatz im Dezember'],
  ['at a hyphen', 'Umsatz-Steuervoranmeldung', {}, 'Umsatz-Steuervoranmeldung'],
  ['within a word', 'Wiederherstellung', { hyphens: 'auto', lang: 'de' }, 'Wiederher\u00adstellung'],
  // As they stand, from left to right: readers reverse each line.
  ['where words run to the left', 'שלום עולם טוב מאד', {}, ` ${reversed('שלום עולם')} ${reversed('טוב מאד')}`],
  ['in upright lines', '東京 大阪 名古屋', { writingMode: 'vertical-rl', height: 50 }, '東京 大阪 名古屋'],
])('a reader of the structure parts words of two lines as they are parted: %s', async (_, words, more, expected) => {
  const pdf = await pdfOf({ layers: [text('a', { text: words, width: 60, ...more })] });
  expect(/^ {4}P .*?(".*")$/m.exec(pageText(pdf).replace('Lang "de" ', ''))?.[1]).toBe(JSON.stringify(expected));
});

/** A table over many pages, whose rows are lines of words, links and marks of other languages. */
const longTable = (rows: number, pdf: object = {}) =>
  pdfOf(
    {
      ...{ width: undefined, height: undefined, page: { size: [300, 200], margin: 10 } },
      layers: [
        {
          ...{ name: 'body', type: 'frame', flow: true },
          children: [
            {
              ...{ name: 'lines', type: 'table', cell: { fontSize: 10 } },
              ...{ columns: [40, 60, 60, 60], header: ['No.', 'Item', 'Price', 'More'] },
              row: [
                { name: 'number' },
                { name: 'item' },
                { name: 'price' },
                { spans: [{ text: 'More', link: 'https://example.com/' }] },
              ],
              rows: Array.from({ length: rows }, (_, i) => ({ number: i, item: `Item ${i % 7}`, price: i % 90 })),
            },
          ],
        },
      ],
    },
    { title: 'Kept', language: 'en', ...pdf },
  );

test('a table over many pages is one in its structure, which takes few bytes a cell', async () => {
  const conforms = { conforms: ['A-3b', 'UA-1'] };
  const [few, many] = [await longTable(60, conforms), await longTable(180, conforms)];
  expect([...faultsOf(many, 'UA-1'), ...faultsOf(many, 'A-3b')]).toEqual([]);
  const file = await joined(many, many);
  expect(faultsOf(file, 'UA-1')).toEqual([]);
  const counts = { '/Table': 0, '/TR': 0, '/TH': 0, '/TD': 0, '/Link': 0 };
  const count = (value: PdfValue, read: PdfFile): void => {
    const dict = read.resolve(value);
    if (Array.isArray(dict)) for (const each of dict) count(each, read);
    if (!isDict(dict) || !dict.has('/P')) return;
    const type = dict.get('/S') as keyof typeof counts;
    if (type in counts) counts[type] += 1;
    count(dict.get('/K') ?? null, read);
  };
  const read = new PdfFile(many);
  count(read.dict(read.dict(read.trailer.get('/Root')).get('/StructTreeRoot')).get('/K') ?? null, read);
  expect(counts).toEqual({ '/Table': 1, '/TR': 181, '/TH': 4, '/TD': 720, '/Link': 180 });
  expect((many.length - few.length) / 480).toBeLessThan(40);
});

test.skipIf(!has('pdfinfo'))('the structure of an invoice takes few bytes, and has its cells in order', async () => {
  const plain = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const rows = Array.from({ length: 40 }, (_, i) => ({
    ...Object.fromEntries(plain.map((name) => [name, `${name}${i}`])),
    ...(i % 3 > 0 && { more: `more${i}` }),
  }));
  const more = { cells: ['', '', { name: 'more', columnSpan: 6 }], hideWhenEmpty: true };
  const row = [plain.map((name) => ({ name })), more];
  const lines = { name: 'lines', type: 'table', columns: plain.map(() => 'fill'), header: plain, row, rows };
  const page = { size: [500, 460], margin: 10 };
  const children = [text('before'), { ...lines, cell: { fontSize: 12 } }, text('after')];
  const layers = [{ name: 'body', type: 'frame', flow: true, children }];
  const pdf = await pdfOf({ width: undefined, height: undefined, page, layers });
  const stream = /\/DecodeParms <<\n\/Predictor 15\n[^>]*>>\n\/Length (\d+)/.exec(Buffer.from(pdf).toString('latin1'));
  expect(Number(stream?.[1])).toBeLessThan(2_200);
  const words = ask('pdfinfo', pdf, ['-struct-text']).match(/"[^"]+"/g) ?? [];
  const entries = rows.flatMap(({ more: last, ...cells }) => [...Object.values(cells), ...(last ? [last] : [])]);
  expect(words).toEqual(['before', ...plain, ...entries, 'after'].map((word) => `"${word}"`));
});

test('what is attached to one file is not lost in a joined one', async () => {
  const one = await pdfOf({ layers: [text('a')] }, invoice(xmlOf('')));
  expect(await sentence(joined(one, one))).toBe(
    'pdf.invoice and pdf.attachments belong to one file; leave it out, or do not merge the files.',
  );
});

test('a page has its boxes to a hundredth of a point', async () => {
  const pdf = await pdfOf({ width: 100, height: 50, pdf: { bleed: '3mm' }, layers: [text('a')] });
  const file = new PdfFile(pdf);
  const pages = file.dict(file.dict(file.trailer.get('/Root')).get('/Pages'));
  const [first] = pages.get('/Kids') as readonly never[];
  const boxOf = (key: `/${string}`) =>
    (file.dict(first).get(key) as readonly number[]).map((value) => Math.round(value * 100) / 100);
  // 3 mm are 8.504 points; the canvas is 75 × 37.5.
  expect([boxOf('/MediaBox'), boxOf('/BleedBox'), boxOf('/TrimBox')]).toEqual([
    [0, 0, 92.01, 54.51],
    [0, 0, 92.01, 54.51],
    [8.5, 8.5, 83.5, 46],
  ]);
});
