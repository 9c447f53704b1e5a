// Tests the `pdf` object of a request: each property appears in the file, and errors name what is wrong.

import { describe, expect, test } from 'vitest';
import { objects } from '../../draw/output/pdf/page.ts';
import { checkPdf, poppler, propertiesOf, qpdf } from '../../golden/poppler.ts';
import { hasChromium } from '../chromium/chromium.ts';
import { SHAPES, serverUnderTest } from './server-under-test.ts';

const OWN = { title: 'Of the template', subject: 'Of the template', viewer: { hideMenubar: true } };

async function rendering() {
  const server = await serverUnderTest();
  const { id: template } = await server.services.templates.create(server.account, { ...SHAPES, pdf: OWN });
  const post = (pdf: unknown) => server.post('/v1/renders', { template, output: 'pdf', pdf });
  const file = async (pdf: unknown) => {
    const { json } = await post(pdf);
    return (await server.ask(new URL(String(json.url)).pathname, { key: null })).body;
  };
  return { post, file, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('each lands in the file, over what the template has', async () => {
  await using made = await rendering();
  const text = objects(
    await made.file({
      title: 'Grüße',
      author: 'Somebody',
      keywords: ['one', 'two'],
      language: 'pt-BR',
      pageLabel: { style: 'roman', prefix: 'A-', start: 4 },
      viewer: { displayTitle: true, fitWindow: true, centerWindow: false, hideToolbar: true, printScaling: 'none' },
      reproducible: true,
    }),
  );
  for (const entry of [
    '/Title <feff0047007200fc',
    '/Author (Somebody)',
    '/Subject (Of the template)',
    '/Keywords (one, two)',
    '/Lang (pt-BR)',
    '/S /r\n/P (A-)\n/St 4',
    '/DisplayDocTitle true\n/FitWindow true\n/CenterWindow false\n/HideToolbar true\n/PrintScaling /None',
    '/CreationDate (D:20000101000000Z)',
  ]) {
    expect(text).toContain(entry);
  }
  // A property of the request replaces the template's as a whole.
  expect(text).not.toContain('/HideMenubar');
});

test('equal requests give equal bytes where they ask for that, else the date of their making', async () => {
  await using made = await rendering();
  const [first, second] = [await made.file({ reproducible: true }), await made.file({ reproducible: true })];
  expect(Buffer.compare(first, second)).toBe(0);
  const [, year] = /\/CreationDate \(D:(\d{4})/.exec(objects(await made.file({}))) ?? [];
  expect(Number(year)).toBeGreaterThan(2020);
});

test.each([
  [{ density: 71 }, 'pdf.density: must be at least 72'],
  [{ density: 1201 }, 'pdf.density: must be at most 1200'],
  [{ title: '' }, 'pdf.title: must have at least 1 characters'],
  [{ title: 7 }, 'pdf.title: must be a string'],
  [{ keywords: 'a, b' }, 'pdf.keywords: must be a list'],
  [{ language: 'not a language' }, 'pdf.language: must be a BCP 47 tag such as "en" or "pt-BR"'],
  [{ pageLabel: { start: 0 } }, 'pdf.pageLabel.start: must be at least 1'],
  [{ pageLabel: { style: 'greek' } }, 'pdf.pageLabel.style: must be one of "decimal", "roman", "letters"'],
  [{ viewer: { fitWindow: 'yes' } }, 'pdf.viewer.fitWindow: must be a boolean'],
  [{ reproducible: 1 }, 'pdf.reproducible: must be a boolean'],
  [{ auther: 'x' }, 'pdf: unknown property "auther"'],
  ['title', 'pdf: must be an object'],
] as const)('%j is a 400: %s', async (pdf, complaint) => {
  await using made = await rendering();
  const { status, json } = await made.post(pdf);
  expect([status, json.error]).toEqual([400, expect.stringContaining(complaint)]);
});

/** What a PDF says of itself, by name. */
describe.skipIf(!poppler)('of html', () => {
  const html = (head: string) => `<!doctype html><html><head>${head}</head><body><p>Hi</p></body></html>`;
  const document = { name: 'Letter', width: 300, height: 100, engine: 'html' } as const;
  const satori = { ...document, renderer: 'satori' } as const;

  async function properties(path: string, json: object) {
    await using server = await serverUnderTest({ PLATEN_BROWSERS: '1' });
    const answer = await server.post(path, { output: 'pdf', ...json });
    expect([answer.json.error, answer.headers['platen-warnings']]).toEqual([undefined, undefined]);
    const file = await server.ask(new URL(String(answer.json.url)).pathname, { key: null });
    if (qpdf) checkPdf(file.body);
    return propertiesOf(file.body);
  }

  test('without a browser, the title is that of the page, unless pdf has another', async () => {
    const template = { ...satori, html: html('<title> Facture\n été &amp; co </title>') };
    expect(await properties('/v1/renders', { template })).toMatchObject({ Title: 'Facture été & co' });
    const other = { template, pdf: { title: 'Other' } };
    expect(await properties('/v1/renders', other)).toMatchObject({ Title: 'Other' });
  });

  test.skipIf(!hasChromium)('with a browser, pdf says more, in templates, requests and screenshots', async () => {
    const head = '<meta charset=utf-8><title>Page (one)</title>';
    const template = { ...document, html: html(head), pdf: { author: 'Ada', subject: 'Sums' } };
    expect(await properties('/v1/renders', { template, pdf: { subject: 'Été', keywords: ['a', 'b'] } })).toMatchObject({
      ...{ Title: 'Page (one)', Author: 'Ada', Subject: 'Été', Keywords: 'a, b', Creator: 'Chromium' },
    });
    const pdf = { title: 'Mine', author: '渡辺', format: 'A4' };
    const shown = await properties('/v1/screenshots', { html: html(head), pdf });
    expect(shown).toMatchObject({ Title: 'Mine', Author: '渡辺', Pages: '1', Tagged: 'yes' });
  });
});
