// A page of an html template in, a picture or PDF out.
//
// The markup is set on about:blank, where files and Chromium's own pages cannot be reached, under a policy that lets
// nothing but pictures, styles and fonts come in. Values are put into the elements when the markup has been read.

import type { Browser } from 'puppeteer-core';
import type { Diagnostic } from '#core/diagnostics.ts';
import { type HtmlPage, type LostText, lostTextWarnings, unknownLayers } from '#core/resolve/resolve-html.ts';
import { AppError } from '#errors';
import type { Guard } from '#net/guard.ts';
import type { LocalFiles } from '#net/proxy.ts';
import type { ExportOptions, Output } from '#output/formats.ts';
import { GuardedPage } from './guarded-page.ts';
import { IsolatedWorld, isDocumentLost } from './isolated-world.ts';
import { fillLayers, flowBottom, lostText, replaceBrokenImages, settle } from './page-scripts.ts';
import { takePicture } from './picture.ts';
import { printPage } from './print.ts';

export interface HtmlDrawing {
  readonly bytes: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a page may name beside the web. */
export interface PageFiles {
  /** What addresses without a host are relative to. */
  readonly base: string;
  /** By CSS's generic name, the family that answers it. */
  readonly generic: ReadonlyMap<string, string>;
  /** `@font-face` rules. */
  readonly css: string;
  readonly read: LocalFiles;
}

const POLICY = [
  "default-src 'none'",
  'img-src http: https: data:',
  'media-src http: https: data:',
  'font-src http: https: data:',
  "style-src 'unsafe-inline' http: https: data:",
];
const WITH_SCRIPTS = "script-src 'unsafe-inline'";
/** Of one kind, on one page. */
const MAX_WARNINGS = 20;
/** ms that pictures and fonts which the values brought may take. */
const SETTLE_TIME = 10_000;
const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

/** @param timeout ms until everything that the markup names must have come */
export async function drawHtml(
  browser: Browser,
  guard: Guard,
  { template, values, width, height }: HtmlPage,
  output: Output,
  options: ExportOptions,
  timeout: number,
  files: PageFiles | null = null,
  onDenied?: (reason: unknown) => void,
): Promise<HtmlDrawing> {
  const scale = output === 'pdf' ? 1 : options.scale;
  await using guarded = await GuardedPage.open(browser, guard, {
    viewport: { width, height, scale },
    scripts: template.script,
    onDenied,
    localFiles: files?.read,
  });
  const { cdp, page } = guarded;
  await cdp.send('Emulation.setEmulatedMedia', { media: 'screen' });
  if (files) await cdp.send('Page.setFontFamilies', { fontFamilies: fontFamilies(files.generic) });
  await page.setContent(documentOf(template, files), { waitUntil: 'load', timeout }).catch((cause: Error) => {
    if (cause.name !== 'TimeoutError') throw cause;
    throw new AppError('invalid_request', `What the template names did not load in ${timeout / 1000} s.`, { cause });
  });
  try {
    const world = await IsolatedWorld.open(cdp);
    const found = await world.call(fillLayers, values);
    await world.call(settle, Math.min(SETTLE_TIME, timeout));

    const known = Array.isArray(found) ? found.filter((name) => typeof name === 'string') : [];
    const broken = [...leftOut(await world.call(replaceBrokenImages), guarded.failedFiles())];
    const lost = (await world.call(lostText, width, height)) as readonly LostText[];
    const bottom = output === 'pdf' && lost.length === 0 ? Number(await world.call(flowBottom)) : 0;
    if (bottom > height + 1) {
      const message = `The page is ${Math.ceil(bottom)} px high and the canvas ${height} px: what is below is not in the PDF, which has one page.`;
      broken.push({ code: 'content-outside', layer: null, message });
    }
    const diagnostics = [...unknownLayers(values, known), ...broken, ...lostTextWarnings(lost)];
    const bytes =
      output === 'pdf'
        ? await printPage(cdp, { width, height }, { format: null, landscape: false, margin: NO_MARGIN })
        : await takePicture(
            cdp,
            { x: 0, y: 0, width, height },
            { scale, format: output, quality: options.quality, omitBackground: true },
          );
    return { bytes, diagnostics };
  } catch (error) {
    if (!isDocumentLost(error)) throw error;
    throw new AppError('invalid_request', "The template's script leaves the page.", { cause: error });
  }
}

/** The generic families as Chromium's settings call them; what is asked for nowhere is set in `standard`. */
function fontFamilies(generic: PageFiles['generic']) {
  const [serif, sansSerif, fixed] = ['serif', 'sans-serif', 'monospace'].map((name) => generic.get(name));
  return {
    ...(serif === undefined ? {} : { standard: serif, serif }),
    ...(sansSerif === undefined ? {} : { sansSerif }),
    ...(fixed === undefined ? {} : { fixed }),
  };
}

/** @throws AppError `invalid_request` naming an image that the page says is required */
function leftOut(images: unknown, files: readonly string[]): readonly Diagnostic[] {
  const broken = images as ReturnType<typeof replaceBrokenImages>;
  const required = broken.find(({ isRequired }) => isRequired);
  const named = ({ layer, source }: (typeof broken)[number]) =>
    `Image ${layer === null ? shortened(source) : `of layer ${JSON.stringify(layer)}`} could not be loaded`;
  if (required) throw new AppError('invalid_request', `${named(required)}; it is marked as required.`);
  const told = new Set(broken.map(({ url }) => url));
  return [
    ...broken.map(
      (image): Diagnostic => ({
        code: 'image-left-out',
        layer: image.layer,
        message: `${named(image)} and was left out.`,
      }),
    ),
    // Of backgrounds, fonts and style sheets.
    ...files
      .filter((url) => !told.has(url))
      .map(
        (url): Diagnostic => ({
          code: 'image-left-out',
          layer: null,
          message: `${shortened(url)} could not be loaded and was left out.`,
        }),
      ),
  ].slice(0, MAX_WARNINGS);
}

const shortened = (url: string) => JSON.stringify(url.length > 100 ? `${url.slice(0, 99)}…` : url);

/** The policy and the style stand before the markup's own head, and after a doctype, which must come first. */
function documentOf({ html, css, background, script }: HtmlPage['template'], files: PageFiles | null): string {
  const policy = [...POLICY, ...(script ? [WITH_SCRIPTS] : [])].join('; ');
  // As high as the canvas, so that a `height` of 100 % fills it; a margin inside must not push the body out of it.
  const canvas = `html { background: ${background ?? 'transparent'}; height: 100% } body { margin: 0; height: 100%; display: flow-root }`;
  const [doctype = ''] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  // The first base counts, and a page may have one of its own.
  const base = files && !/<base\s/i.test(html) ? `<base href="${files.base}">` : '';
  const styles = [files?.css ?? '', canvas, css].map((text) => `<style>${text}</style>`).join('');
  const head = `<meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}">${base}${styles}`;
  return `${doctype || '<!doctype html>'}${head}${html.slice(doctype.length)}`;
}
