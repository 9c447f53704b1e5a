// Tests the `pdf` object of a request: each property appears in the file, and errors name what is wrong.

import { expect, test } from 'vitest';
import { objects } from '../output/pdf/page.ts';
import { SHAPES, serverUnderTest } from './server-under-test.ts';

const OWN = { title: 'Of the template', subject: 'Of the template', viewer: { hideMenubar: true } };

async function rendering() {
  const server = await serverUnderTest();
  const { id: template } = await server.services.templates.create(server.account, { ...SHAPES, pdf: OWN });
  const post = (pdf: unknown) => server.ask('/v1/renders', { method: 'POST', json: { template, output: 'pdf', pdf } });
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
