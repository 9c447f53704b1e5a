// Draws whole pages that others wrote with our own engine and by Chromium, and says how far the two pictures differ.
//
// node scripts/whole-pages/main.ts CHECKOUTS LIST [--only TEXT] [--look DIR]
//
// CHECKOUTS has the repositories of the list as folders OWNER/NAME; LIST is the name of one. None of the pages is kept
// here: the lists have their names, with what an eye has said of each pair. Ends with 1 if a page that is listed as the same
// differs, one that is listed as refused is drawn, or the other way round. --look writes the pairs, in parts that are as
// high as a screen.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { parse } from '#core/template/validation.ts';
import { onFixturePages } from '../../test/core/html/chromium/on-fixture-pages.ts';
import { differingShare, MAX_SHARE, mediaType, openEngines, PHOTO, sideBySide } from '../satori-suite/compare-pages.ts';
import { CARDS } from './cards.ts';
import { EMAILS } from './emails.ts';
import type { PageList } from './page-list.ts';

const LISTS: Readonly<Record<string, PageList>> = { emails: EMAILS, cards: CARDS };
/** Longer pages are cut, px. */
const MAX_HEIGHT = 5000;
/** Of the parts of a pair, px. */
const PART = 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, look: { type: 'string' } },
});
const [checkouts = '', name = ''] = positionals;
const list = LISTS[name];
if (!list) throw new Error(`Which list? There are ${Object.keys(LISTS).join(', ')}.`);

/** Families of systems, which neither engine has everywhere, as families of the catalogue. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [
    /(["']?)\b(?:Arial Black|Arial|Helvetica Neue|HelveticaNeue|Helvetica|Verdana|Tahoma|Trebuchet MS|Lucida Grande|Segoe UI|system-ui)\b\1/g,
    'Inter',
  ],
  [/(["']?)\b(?:Times New Roman|Times|Georgia|Palatino|Garamond)\b\1/g, 'Source Serif 4'],
  [/(["']?)\b(?:Courier New|Courier|Menlo|Monaco|Consolas)\b\1/g, 'JetBrains Mono'],
];

/** Where the checkouts are, for both engines. */
const SITE = 'http://pages.example/';

/** A page, or a sheet of it: with the families that there are, and photos in place of pictures that are elsewhere. */
const withWhatIsThere = (text: string): string =>
  FAMILIES.reduce(
    (whole, [names, family]) => whole.replace(names, family),
    text
      .replace(/\b(src|background)=(["'])(?:https?:)?\/\/[^"']*\2/g, `$1="${PHOTO}"`)
      .replace(/url\(\s*["']?(?:https?:)?\/\/[^)]*\.(?:png|jpe?g|gif|webp)[^)]*\)/gi, `url(${PHOTO})`)
      .replace(/<link\b[^>]*href=["'](?:https?:)?\/\/[^>]*>/gi, '')
      .replace(/@import\s+(?:url\()?["']?(?:https?:)?\/\/[^;]*;/gi, ''),
  );

/** As its author wrote it, but for what `withWhatIsThere` does, and with whole addresses of files. */
function pageOf(label: string): string {
  const whole = (address: string) =>
    /^(?:[a-z]+:|#|\/\/)/i.test(address) || address === '' ? address : new URL(address, `${SITE}${label}`).href;
  return withWhatIsThere(readFileSync(join(checkouts, label), 'utf8'))
    .replace(/url\(\s*["']?([^"')\s]+)["']?\s*\)/g, (_, address) => `url(${whole(address)})`)
    .replace(/\b(src|srcset|background)="([^"]*)"/g, (_, attribute, address) => `${attribute}="${whole(address)}"`)
    .replace(/(<link\b[^>]*\bhref=)"([^"]*)"/g, (_, link, address) => `${link}"${whole(address)}"`);
}

/** Of the site; null = it is not there. */
function fileAt(address: string): Uint8Array | null {
  if (!address.startsWith(SITE)) return null;
  const file = join(checkouts, decodeURIComponent(new URL(address).pathname));
  if (!existsSync(file) || !statSync(file).isFile()) return null;
  return file.endsWith('.css') ? Buffer.from(withWhatIsThere(readFileSync(file, 'utf8'))) : readFileSync(file);
}

interface Result {
  /** Null: refused. */
  readonly share: number | null;
  readonly said: readonly string[];
}

async function compare(label: string, html: string, height: number): Promise<Result> {
  const document = { name: 'T', width: list?.width, height, engine: 'html', html };
  const pageBy = (renderer: string) => resolveHtml(parse(HtmlTemplate, { ...document, renderer }), {});
  try {
    const ours = await engines.withoutBrowser(pageBy('platen'));
    const theirs = await engines.byChromium(pageBy('chromium'));
    if (values.look !== undefined) await look(label, await sideBySide(ours.bytes, theirs.bytes));
    const share = await differingShare(ours.bytes, theirs.bytes);
    return { share, said: ours.diagnostics.map(({ message }) => message) };
  } catch (error) {
    if (!(error instanceof AppError || error instanceof ValidationError)) throw error;
    return { share: null, said: [error.message] };
  }
}

async function look(label: string, pair: Uint8Array): Promise<void> {
  const folder = values.look ?? '';
  await mkdir(folder, { recursive: true });
  const { width, height } = await sharp(pair).metadata();
  for (let top = 0; top < height; top += PART) {
    const part = sharp(pair).extract({ left: 0, top, width, height: Math.min(PART, height - top) });
    const file = `${label.replaceAll('/', '_')}-${top / PART + 1}.png`;
    await writeFile(join(folder, file), await part.png().toBuffer());
  }
}

const pages = Object.entries(list.pages)
  .flatMap(([repository, those]) => Object.entries(those).map(([path, verdict]) => ({ repository, path, verdict })))
  .filter(({ repository, path }) => `${repository}/${path}`.includes(values.only ?? ''));
const counts: Record<string, number> = {};
await using engines = openEngines(fileAt);
await onFixturePages(async (page, show) => {
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const bytes = fileAt(request.url());
    void (bytes
      ? request.respond({ contentType: mediaType(new URL(request.url()).pathname), body: bytes })
      : request.continue());
  });
  for (const { repository, path, verdict } of pages) {
    const label = `${repository}/${path}`;
    if (!existsSync(join(checkouts, label))) {
      console.log(`NOT THERE  ${label}`);
      continue;
    }
    const html = pageOf(label);
    await show(html, { width: list.width, height: 600 });
    const height = Math.min(MAX_HEIGHT, await page.evaluate(() => document.documentElement.scrollHeight));
    const { share, said } = await compare(label, html, height);
    const kind = share === null ? 'refused' : share <= MAX_SHARE ? 'same' : 'different';
    const listed = verdict.split(':')[0] ?? '';
    // An eye may see what the share of squares does not.
    const isAsListed = listed === kind || (listed === 'different' && kind === 'same');
    if (!isAsListed) process.exitCode = 1;
    counts[listed] = (counts[listed] ?? 0) + 1;
    const measured = share === null ? 'refused' : `${(share * 100).toFixed(2)} %`;
    console.log(`${isAsListed ? '' : 'NOT AS LISTED  '}${measured}  ${label}  (${verdict})`);
    for (const message of said) console.log(`    ${message}`);
  }
});
console.log(
  Object.entries(counts)
    .map(([listed, count]) => `${listed}: ${count}`)
    .join(', '),
);
