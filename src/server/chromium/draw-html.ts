// Draws the page of an html template as an image or PDF.
//
// The markup is set on about:blank, where files and Chromium's own pages cannot be reached, under a policy that loads
// only images, media, styles and fonts. Values are filled into the elements after the markup has been parsed.

import type { Browser } from 'puppeteer-core';
import { AppError } from '#base/errors.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import { type HtmlPage, type LostText, lostTextWarnings, unknownLayers } from '#core/resolve/resolve-html.ts';
import { PDF_PROPERTIES, type PdfProperty, PRINTED } from '#core/template/html-template.ts';
import { hasSheets, mergePageSetups, type PageSetup } from '#core/template/page-setup.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';
import type { Guard } from '#server/net/guard.ts';
import { holdStill } from './animations.ts';
import { GuardedPage } from './guarded-page.ts';
import { documentOf, type PageFiles, policyFor, setFontFamilies } from './html-document.ts';
import { IsolatedWorld, isDocumentLost } from './isolated-world.ts';
import { leaveOut } from './missing-files.ts';
import { requirePageOutput } from './page-output.ts';
import { addTwClasses, fillLayers, flowBottom, lostText, settle } from './page-scripts.ts';
import { markedPdf } from './pdf-update.ts';
import { takePicture } from './picture.ts';
import { printPage } from './print.ts';

export interface HtmlDrawing {
  readonly bytes: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}

/** Time limit for images and fonts that the values brought in, ms. */
const SETTLE_TIME = 10_000;
/** Further down than any canvas: with sheets, text is only lost where a box cuts it, CSS px. */
const ENDLESS = 1e9;
/**
 * @param timeout ms until everything that the markup refers to must have loaded
 * @throws ValidationError for an output that Chromium cannot write; AppError
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
  requirePageOutput(output);
  const scale = output === 'pdf' ? 1 : options.scale;
  const asked = PDF_PROPERTIES.filter((name) => output === 'pdf' && options.pdf?.[name] !== undefined);
  const ours = asked.find((name) => PRINTED[name] === 'refuses it');
  if (ours)
    throw new AppError('invalid_request', `pdf.${ours} is for templates of layers, which Chromium does not draw.`);
  const setup: PageSetup = output === 'pdf' ? mergePageSetups(template.pdf ?? {}, options.pdf ?? {}) : {};
  const isPaged = hasSheets(setup);
  await using guarded = await GuardedPage.open(browser, guard, {
    viewport: { width, height, scale },
    scripts: template.script,
    onDenied,
    localFiles: files?.read,
  });
  const { cdp, page } = guarded;
  await cdp.send('Emulation.setEmulatedMedia', { media: setup.media ?? 'screen' });
  if (files) await setFontFamilies(cdp, files);
  await page
    .setContent(templateDocument(template, files, isPaged), { waitUntil: 'load', timeout })
    .catch((cause: Error) => {
      if (cause.name !== 'TimeoutError') throw cause;
      throw new AppError('invalid_request', `What the template names did not load in ${timeout / 1000} s.`, { cause });
    });
  try {
    const world = await IsolatedWorld.open(cdp);
    if (template.tailwind) await world.call(addTwClasses);
    const found = await world.call(fillLayers, values);
    await world.call(settle, Math.min(SETTLE_TIME, timeout));
    await holdStill(guarded, world);

    const known = Array.isArray(found) ? found.filter((name) => typeof name === 'string') : [];
    const broken = [...leftOut(asked), ...(await leaveOut(guarded, world))];
    const reach = isPaged ? ([ENDLESS, ENDLESS] as const) : ([width, height] as const);
    const lost = (await world.call(lostText, ...reach)) as readonly LostText[];
    const isMeasured = output === 'pdf' && !isPaged && lost.length === 0;
    const bottom = isMeasured ? Number(await world.call(flowBottom)) : 0;
    if (bottom > height + 1) {
      const message = `The page is ${Math.ceil(bottom)} px high and the canvas ${height} px: what is below is not in the PDF, which has one page. Set pdf.format for as many as it needs.`;
      broken.push({ code: 'content-outside', layer: null, message });
    }
    const diagnostics = [...unknownLayers(values, known), ...broken, ...lostTextWarnings(lost)];
    if (output === 'pdf') {
      const sheet = { size: { width, height }, isWhole: false };
      const information = { ...template.pdf, ...options.pdf };
      const { bytes, warnings } = await printPage(cdp, world, width, sheet, { ...information, ...setup });
      const cut = warnings.map((message): Diagnostic => ({ code: 'content-outside', layer: null, message }));
      return { bytes: options.watermark ? markedPdf(bytes) : bytes, diagnostics: [...diagnostics, ...cut] };
    }
    const area = { x: 0, y: 0, width, height };
    const { quality, chromaSubsampling } = options;
    const bytes = await takePicture(cdp, area, {
      scale,
      format: output,
      quality,
      chromaSubsampling,
      omitBackground: true,
      watermark: options.watermark === true,
    });
    return { bytes, diagnostics };
  } catch (error) {
    if (!isDocumentLost(error)) throw error;
    throw new AppError('invalid_request', "The template's script leaves the page.", { cause: error });
  }
}

function leftOut(asked: readonly PdfProperty[]): Diagnostic[] {
  const names = asked.filter((name) => PRINTED[name] === 'leaves it out').map((name) => `pdf.${name}`);
  if (names.length === 0) return [];
  const message = `${names.join(', ')}: left out, as Chromium prints the page; it takes the language from <html lang>.`;
  return [{ code: 'unknown-property', layer: null, message }];
}

/** @param isPaged whether the page flows over sheets instead of standing on its canvas */
function templateDocument(
  { html, css, background, script, tailwind }: HtmlPage['template'],
  files: PageFiles | null,
  isPaged: boolean,
): string {
  // The body has the height of the canvas, so that a `height` of 100 % fills it. `flow-root` keeps inner margins from
  // moving it.
  const size = isPaged ? '' : 'height: 100%;';
  const rules = `html { background: ${background ?? 'transparent'}; ${size} } body { margin: 0; ${size} display: flow-root }`;
  // Tailwind's rules are in layers, which would lose to rules without one.
  const canvas = tailwind ? `@layer platen { ${rules} }` : rules;
  return documentOf(html, policyFor(script), files, [canvas, css]).join('');
}
