// Draws the page of an html template as an image or PDF.
//
// The markup is set on about:blank, where files and Chromium's own pages cannot be reached, under a policy that loads
// only images, media, styles and fonts. Values are filled into the elements after the markup has been parsed.

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

/** Files that a page may use besides the web. */
export interface PageFiles {
  /** Base URL of relative addresses. */
  readonly base: string;
  /** Families by CSS generic name. */
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
/** Maximum warnings of one kind per page. */
const MAX_WARNINGS = 20;
/** Time limit for images and fonts that the values brought in, ms. */
const SETTLE_TIME = 10_000;
const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

/**
 * @param timeout ms until everything that the markup refers to must have loaded
 */
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

/** The generic families under the names of Chromium's settings; `standard` is for text without a family. */
function fontFamilies(generic: PageFiles['generic']) {
  const [serif, sansSerif, fixed] = ['serif', 'sans-serif', 'monospace'].map((name) => generic.get(name));
  return {
    ...(serif === undefined ? {} : { standard: serif, serif }),
    ...(sansSerif === undefined ? {} : { sansSerif }),
    ...(fixed === undefined ? {} : { fixed }),
  };
}

/**
 * @throws AppError `invalid_request` naming a missing image that the page marks as required
 */
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
    // Backgrounds, fonts and style sheets.
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

/** The policy and the styles come before the markup's own head, but after a doctype, which must be first. */
function documentOf({ html, css, background, script }: HtmlPage['template'], files: PageFiles | null): string {
  const policy = [...POLICY, ...(script ? [WITH_SCRIPTS] : [])].join('; ');
  // The body has the height of the canvas, so that a `height` of 100 % fills it. `flow-root` keeps inner margins from
  // moving it.
  const canvas = `html { background: ${background ?? 'transparent'}; height: 100% } body { margin: 0; height: 100%; display: flow-root }`;
  const [doctype = ''] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  // The first base element counts, and a page may have its own.
  const base = files && !/<base\s/i.test(html) ? `<base href="${files.base}">` : '';
  const styles = [files?.css ?? '', canvas, css].map((text) => `<style>${text}</style>`).join('');
  const head = `<meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}">${base}${styles}`;
  return `${doctype || '<!doctype html>'}${head}${html.slice(doctype.length)}`;
}
