// Tests that what once was matched by expressions of quadratic time or worse is read as before, by comparison with these
// expressions on short texts, and in time that grows with the length on the texts that stopped a server.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeWorked } from '#base/runtime.ts';
import { takeAtRules } from '#core/css/css-text.ts';
import { parseInlineMarkdown } from '#core/resolve/inline-markdown.ts';
import { scriptWarning } from '#core/resolve/resolve-html.ts';
import { naturalSizeOf } from '#core/svg/natural-size.ts';
import { styleLength } from '#core/svg/style.ts';
import { transformIn } from '#core/svg/transforms.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { numbersIn } from '#core/template/chart-rows.ts';
import { htmlLayerNames } from '#core/template/html-template.ts';
import { PAGE_FIELDS } from '#core/template/page-setup.ts';
import { checkHtmlTemplate } from '#draw/html/check-template.ts';
import { parseXml } from '#draw/images/xml.ts';
import { idIn } from '#import/import-paint.ts';
import { familyFinder, importSvg } from '#import/import-svg.ts';
import { readPdfForm } from '#server/http/gotenberg/form-fields.ts';
import { addressGroup } from '#server/service/accounts/address-group.ts';
import { uniqueNames } from '#server/service/jobs/zip.ts';
import { problemIn } from '../../src/studio/pages/use/values.ts';
import { fileNameOf } from '../../src/studio/shell/drawn-file.ts';
import { SEED } from '../sampled.ts';

/** Short texts of these pieces. */
const textOf = (...pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join(''));

/** Compares two readers on such texts. */
function agree(pieces: readonly string[], now: (text: string) => unknown, before: (text: string) => unknown): void {
  const compare = fc.property(textOf(...pieces), (text) => {
    expect(now(text)).toEqual(before(text));
  });
  fc.assert(compare, { numRuns: 2_000, seed: SEED });
}

const NUMBERS = ['0', '12', '.', '+', '-', 'e', 'px', '%', ' ', '\t', 'em', '5'];

test('page ranges', () => {
  const old = /^\s*(\d{1,5}(\s*-\s*\d{0,5})?|-\s*\d{1,5})(\s*,\s*(\d{1,5}(\s*-\s*\d{0,5})?|-\s*\d{1,5}))*\s*$/;
  const pieces = ['0', '12', '99999', '-', ',', ' ', '\t', 'x'];
  agree(
    pieces,
    (text) => PAGE_FIELDS.pageRanges.safeParse(text).success,
    (text) => old.test(text),
  );
});

test('lengths of an SVG', () => {
  const old = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%|[a-z]*)\s*$/i;
  const before = (text: string) => {
    const [, number = '', unit = ''] = old.exec(text) ?? [];
    return number === '' ? -1 : Number(number) * ({ '%': 2, em: 3 }[unit] ?? 1);
  };
  agree(NUMBERS, (text) => styleLength(text, -1, 200, 3), before);
  const root = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*)\s*$/i;
  const width = (text: string) => {
    const [, number, unit = ''] = root.exec(text) ?? [];
    return number === undefined || !['', 'px'].includes(unit) ? 300 : Number(number);
  };
  agree(NUMBERS, (text) => naturalSizeOf(new Map([['width', text]])).width, width);
});

test('values of a chart', () => {
  const old = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const before = (text: string) => {
    if (text.trim() === '') return [];
    const parts = text.split(/[,;]/).map((part) => part.trim());
    const isNumber = (part: string) => part === '' || (old.test(part) && Math.abs(Number(part)) <= 1e15);
    return parts.every(isNumber) ? parts.map((part) => (part === '' ? null : Number(part))) : null;
  };
  agree([...NUMBERS, ',', ';'], numbersIn, before);
});

test('transforms and references of an SVG', () => {
  expect(transformIn(' ,scale(2),\ttranslate (1 , 2) ')).toEqual([2, 0, 0, 2, 2, 4]);
  // What is no list of functions is none, as in browsers.
  for (const text of ['scale(2) x', 'x scale(2)', 'scale(2', 'scale((2)', 'scale 2)', ';scale(2)', '']) {
    expect(transformIn(text)).toEqual([1, 0, 0, 1, 0, 0]);
  }
  const old = /^url\(\s*["']?#([^"')]+)["']?\s*\)/;
  agree(['url(', '#', 'a', '"', "'", ')', ' '], idIn, (text) => old.exec(text)?.[1]);
});

test('names of files', () => {
  const pieces = ['a', ' ', '.', '\t', '-', 'é', '/', 'x'.repeat(60)];
  const before = (text: string) => {
    const safe = text
      .normalize('NFC')
      .replace(/[\p{C}\\/:*?"<>|]+/gu, '-')
      .replace(/^[\s.]+|[\s.]+$/g, '');
    const short = [...safe].slice(0, 100).join('').trimEnd();
    return short === '' || /^[-=+@~]/.test(short) ? `_${short}` : short;
  };
  agree(pieces, (text) => uniqueNames([text])[0], before);
  const drawn = (text: string) =>
    text
      .replace(/[\u007f"*/:<>?\\|\t]+/g, '-')
      .replace(/^[\s.-]+|[\s.]+$/g, '')
      .slice(0, 100);
  agree(
    pieces,
    (text) => fileNameOf(text, 'png', 1),
    (text) => `${drawn(text) || 'Picture'}.png`,
  );
});

test('at-rules that are taken out', () => {
  const before = (css: string) => /^(\s|\/\*[^*]*\*\/)*@theme\b/.test(css);
  const pieces = ['/* a */', ' ', '@theme', '@themes', 'p', '\n'];
  const taken = (css: string) => takeAtRules(`${css} a{} @theme{}`, '@theme').taken.includes('a{}');
  agree(pieces, taken, before);
});

test('links of markdown', () => {
  const old =
    /^\([ \t\n]*(?:<([^<>\n]*)>|((?:\\[!-/:-@[-`{-~]|[^\s()\\]|\\(?![!-/:-@[-`{-~])|\([^\s()]*\))+))(?:[ \t\n]+(?:"[^"]*"|'[^']*'))?[ \t\n]*\)/;
  const before = (text: string) => {
    const found = old.exec(text);
    return found && [(found[1] ?? found[2] ?? '').replace(/\\([!-/:-@[-`{-~])/g, '$1'), text.slice(found[0].length)];
  };
  const now = (text: string) => {
    const [first, ...others] = parseInlineMarkdown(`[a]${text}`);
    return first?.link ? [first.link, others.map((each) => each.text).join('')] : null;
  };
  const link = textOf('(', 'https://e.com/', ')', '<', '>', ' ', 'a', '"t"', 'b', '%5C', '\n').map(
    (text) => `(https://e.com/${text}`,
  );
  fc.assert(
    fc.property(link, (text) => {
      const found = before(text);
      // Emphasis, breaks and further links are not what is compared.
      if (found && /^https:\/\/e\.com\/[\w%./()-]*$/.test(found[0] ?? '')) expect(now(text)?.[0]).toBe(found[0]);
      if (!found) expect(now(text)).toBeNull();
    }),
    { numRuns: 2_000 },
  );
  expect(now('(https://e.com/a\\)b)')?.[0]).toBe('https://e.com/a)b');
});

test('scripts and layers of a page', () => {
  const SCRIPT = /<script\b(?![^>]{0,500}\btype\s*=(?!\s*["']?(?:module|(?:text|application)\/javascript)))/i;
  const LINKED = /<script\b[^>]{0,500}?\ssrc\s*=/i;
  const pieces = ['<script', ' ', 'type', '=', '"module"', '"application/json"', '>', 'src="a"', '</script>', 'a'];
  const page = { name: 'a', width: 1, height: 1, renderer: 'chromium' } as const;
  const isTold = (script: boolean) => (html: string) => scriptWarning({ ...page, html, script }).length > 0;
  // A tag once went on into the next one.
  const tagsIn = (html: string) => html.split(/(?=<script\b)/);
  agree(pieces, isTold(false), (html) => tagsIn(html).some((tag) => SCRIPT.test(tag)));
  agree(pieces, isTold(true), (html) => tagsIn(html).some((tag) => LINKED.test(tag)));
  const old = /\bdata-layer\s*=\s*(?:"([^"]{1,100})"|'([^']{1,100})'|([^\s"'>]{1,100}))/g;
  const layers = (html: string) => new Set([...html.matchAll(old)].map(([, a, b, c]) => a ?? b ?? c ?? ''));
  agree(['data-layer', '=', '"', "'", 'a', ' ', '>'], htmlLayerNames, layers);
});

test('what a server says of a value, and addresses', () => {
  const old = /^((?:\["(?:[^"\\]|\\.)*"\]|[^:])*): ?(.*)$/s;
  const parameter = { name: 'a', label: 'A' } as Parameters<typeof problemIn>[1][number];
  const pieces = ['["', '"]', ':', ' ', '\\', 'b', '[0]', '.rows', '.'];
  const before = (text: string) => {
    const [, rest = '', problem = ''] = old.exec(text) ?? [];
    return [/^(?:\.rows)?\[(\d+)\](.*)$/s.test(rest), problem.toLowerCase().replace(/\.$/, '')];
  };
  const now = (text: string) => {
    const found = problemIn(`modifications.a${text}`, [parameter]);
    return [
      found?.cell !== null,
      found?.problem
        .replace(/^undefined/, '')
        .toLowerCase()
        .replace(/\.$/, ''),
    ];
  };
  fc.assert(
    fc.property(textOf(...pieces), (text) => {
      const whole = `${text}: b`;
      if (/^[:.[]/.test(text) && !/^(\.rows)?\[0\]\["/.test(text)) expect(now(whole)).toEqual(before(whole));
    }),
    { numRuns: 2_000 },
  );
  expect(['::ffff:10.0.0.1', '10.0.0.1%eth0', 'fe80::1%eth0', 'x'].map((text) => addressGroup(text))).toEqual([
    '10.0.0.1',
    '10.0.0.1',
    addressGroup('fe80::1'),
    'x',
  ]);
});

const form = (name: string, value: string) =>
  readPdfForm(new Map([[name, value]]), { index: '<p>', header: null, footer: null });

test('fields of forms', () => {
  const keywords = (text: string) => form('metadata', JSON.stringify({ Keywords: text })).pdf?.keywords;
  expect(keywords('a , b,c,, d e ')).toEqual(['a', 'b', 'c', 'd e']);
  expect(form('waitDelay', '1.5s20ms').delay).toBe(1_520);
  for (const wrong of ['5x', 'x5s', '5s x', '5s 5s', '.5s']) expect(() => form('waitDelay', wrong)).toThrow('duration');
});

const html = (css: string) => {
  const template = { name: 'a', width: 9, height: 9, engine: 'html', html: '<p class="a">a<i>b</i>', css };
  return checkHtmlTemplate(parseAnyTemplate(template) as Parameters<typeof checkHtmlTemplate>[0]);
};
const svg = (markup: string) =>
  importSvg(parseXml(`<svg width="9" height="9">${markup}</svg>`, { elements: 50_000, depth: 100 }), {
    familyOf: familyFinder([], new Map()),
  });
const wide = 200_000;

/** Each took from a second to a day: seconds at the length that is given here. */
const ATTACKS: Readonly<Record<string, () => unknown>> = {
  'page ranges': () => PAGE_FIELDS.pageRanges.safeParse(`0,0-${'\t,00-'.repeat(99)}x`),
  'a name of a batch': () => uniqueNames([`x${' '.repeat(wide)}x`, 'a\u0301\u0316'.repeat(wide)]),
  'a size of an SVG': () => naturalSizeOf(new Map([['width', `${'0'.repeat(wide)}+`]])),
  'a length of an SVG': () => styleLength(`${'0'.repeat(wide)}${' '.repeat(wide)}!`, 0),
  'a transform of an SVG': () => transformIn('a'.repeat(wide)),
  'open brackets in a transform': () => transformIn('a('.repeat(wide)),
  'a font of an SVG': () => svg(`<text style="font:${'0/ '.repeat(wide)}">a</text>`),
  'comments of an SVG': () => svg(`<style>${'/**x*'.repeat(wide)}</style>`),
  'rects of an SVG': () => svg('<rect width="1" height="1"/>'.repeat(9_000)),
  'values of a chart': () => numbersIn(`${'0'.repeat(wide)}x`),
  'keywords of a form': () => form('metadata', JSON.stringify({ Keywords: `${' '.repeat(wide)}x` })),
  'a duration of a form': () => expect(() => form('waitDelay', '0'.repeat(wide))).toThrow('duration'),
  'comments before an at-rule': () => takeAtRules(`${'/**/'.repeat(wide)}a{} @theme{}`, '@theme'),
  'a message of a server': () =>
    problemIn(`modifications.a${'["\\x"]'.repeat(30)}["`, [{ name: 'a', label: '' } as never]),
  'scripts of a page': () =>
    scriptWarning({ html: '<script type='.repeat(30_000), script: true, renderer: 'chromium' }),
};

test.for(Object.entries(ATTACKS))('%s take linear time', ([, read]) => {
  const begun = timeWorked();
  read();
  // Some take 100 ms on a machine of 2020; with the square of the length, each took ten seconds or more.
  expect(timeWorked() - begun).toBeLessThan(3_000);
});

test.for([
  ['mask-position', 'url('],
  ['object-position', 'aa'],
  ['object-fit', 'object-fit:'],
  ['font', 'L0'],
  ['background-image', 'repeating-radial-gradient(circle,red '],
  ['background', `repeating-radial-gradient(circle,red ${'.'.repeat(1_000)}`],
])('%s of %s in a page takes linear time', async ([property, text]) => {
  const begun = timeWorked();
  await html(`p{${property}:${text?.repeat(Math.floor(120_000 / text.length))}}`).catch(() => null);
  expect(timeWorked() - begun).toBeLessThan(3_000);
});
