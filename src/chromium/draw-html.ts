// A page of an html template in, a picture or PDF out.
//
// The markup is set on about:blank, where files and Chromium's own pages cannot be reached, under a policy that lets
// nothing but pictures, styles and fonts come in. Values are put into the elements when the markup has been read.

import type { Browser } from 'puppeteer-core';
import type { Diagnostic } from '#core/diagnostics.ts';
import { type HtmlPage, unknownLayers } from '#core/resolve/resolve-html.ts';
import { AppError } from '#errors';
import type { Guard } from '#net/guard.ts';
import type { LocalFiles } from '#net/proxy.ts';
import type { ExportOptions, Output } from '#output/formats.ts';
import { GuardedPage } from './guarded-page.ts';
import { IsolatedWorld, isDocumentLost } from './isolated-world.ts';
import { fillLayers, settle } from './page-scripts.ts';
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
  await page.setContent(documentOf(template, files), { waitUntil: 'load', timeout }).catch((cause: Error) => {
    if (cause.name !== 'TimeoutError') throw cause;
    throw new AppError('invalid_request', `What the template names did not load in ${timeout / 1000} s.`, { cause });
  });
  try {
    const world = await IsolatedWorld.open(cdp);
    const found = await world.call(fillLayers, values);
    await world.call(settle, Math.min(SETTLE_TIME, timeout));

    const known = Array.isArray(found) ? found.filter((name) => typeof name === 'string') : [];
    const diagnostics = unknownLayers(values, known);
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

/** The policy and the style stand before the markup's own head, and after a doctype, which must come first. */
function documentOf({ html, css, background, script }: HtmlPage['template'], files: PageFiles | null): string {
  const policy = [...POLICY, ...(script ? [WITH_SCRIPTS] : [])].join('; ');
  const canvas = `html { background: ${background ?? 'transparent'} } body { margin: 0 }`;
  const [doctype = ''] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  // The first base counts, and a page may have one of its own.
  const base = files && !/<base\s/i.test(html) ? `<base href="${files.base}">` : '';
  const styles = [files?.css ?? '', canvas, css].map((text) => `<style>${text}</style>`).join('');
  const head = `<meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}">${base}${styles}`;
  return `${doctype || '<!doctype html>'}${head}${html.slice(doctype.length)}`;
}
