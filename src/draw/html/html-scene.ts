// Makes the scene of an html template for our own engine: parsed, filled, styled, with the sheets that it is on.

import { AppError } from '#base/errors.ts';
import { readRules, replaceUrls, urlsOf } from '#core/css/css-text.ts';
import { allElements, isElement } from '#core/css/selectors.ts';
import { type Diagnostic, quoted, ValidationError } from '#core/diagnostics.ts';
import type { FontFaceRule } from '#core/html/font-faces.ts';
import { hasSheetRules, readPageRules, sheetOf } from '#core/html/page-rules.ts';
import { sceneOfPage } from '#core/html/page-scene.ts';
import { splitValue, unquoted } from '#core/html/shorthands.ts';
import { type HtmlPage, unknownLayers } from '#core/resolve/resolve-html.ts';
import type { Scene } from '#core/resolve/scene.ts';
import type { DocumentProperties } from '#core/template/document-properties.ts';
import type { Page } from '#core/template/page.ts';
import { mergePageSetups, PAPER_FORMATS, type PageSetup, pixels } from '#core/template/page-setup.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';
import { fillLayers } from './fill-layers.ts';
import { pictureOf } from './page-pictures.ts';
import { type HtmlElement, parseTemplate } from './parse-html.ts';
import { isProperty } from './subset.ts';
import { ownCss, withClasses } from './tailwind/page-classes.ts';

const PX_PER_INCH = 96;
/** The most style sheets of other addresses, and the characters of each. */
const MAX_SHEETS = 10;
const MAX_SHEET_TEXT = 1_000_000;

/** As in server/chromium/draw-html.ts: the body is as high as the canvas, so that a `height` of 100 % fills it. */
const CANVAS = 'html{height:100%}body{margin:0;height:100%;display:flow-root}';
const ON_SHEETS = 'body{margin:0;display:flow-root}';

export type ReadText = (address: string) => Promise<string>;

export interface HtmlScene {
  readonly scene: Scene;
  /** The fonts that the page brings along, which are yet to be read. */
  readonly faces: readonly FontFaceRule[];
}

/**
 * @param readText the style sheet of an address, guarded as pictures are
 * @param output what it is for: a PDF is on the sheets that `@page` or `pdf` say, a picture is one canvas, unless one of
 *   its pages is asked for
 * @throws AppError `invalid_request` for a page that runs scripts, or has too many or too deep elements
 */
export async function htmlScene(
  page: HtmlPage,
  output: Output,
  { pdf = {}, page: number }: Pick<ExportOptions, 'pdf' | 'page'>,
  readText: ReadText,
): Promise<HtmlScene> {
  const { template, values, width, height } = page;
  if (template.script) {
    throw new AppError('invalid_request', 'script: scripts run with renderer "chromium" only; leave it out.');
  }
  const { html, isQuirky, isOld } = parseTemplate(template, undefined, /<link/i.test(template.html));
  const known = fillLayers([html], values);
  const all = allElements([html]);
  const styles = all.filter(({ name }) => name === 'style');
  const { theme, css } = ownCss(template);
  const styled = await withClasses([html], css, theme);
  const setup: PageSetup = mergePageSetups(template.pdf ?? {}, pdf);
  const read = new Sheets(readText);
  const linked = await read.linked(all);
  const sheets = [CANVAS, await read.withImports(styled)];
  for (const element of styles) element.children = [await read.withImports(textOf(element))];
  // Each stands in the cascade where it is linked.
  for (const [link, text] of linked) link.children = [text];
  const isPaged = output === 'pdf' || number !== undefined;
  const rules = isPaged ? readPageRules([...sheets, ...linked.map(([, text]) => text), ...styles.map(textOf)]) : null;
  const initial = setup.format || setup.width !== undefined ? sheetsOf(setup) : null;
  const isOnSheets = rules !== null && (initial !== null || hasSheetRules(rules) || setup.margin !== undefined);
  const canvas = isOnSheets ? ON_SHEETS : CANVAS;
  // Tailwind's rules are in layers, which would lose to rules without one.
  sheets[0] = template.tailwind ? `@layer platen{${canvas}}` : canvas;
  const { scene, faces } = sceneOfPage({
    ...{ html, isQuirky, isOld, sheets, width, height, sourceOf: pictureOf, background: template.background },
    // Tailwind's own rules have the prefixes of all browsers.
    ...(!template.tailwind && { isProperty }),
    page: isOnSheets ? (initial ?? withMargin(sheetOf(page), setup)) : null,
    isPrinted: setup.media ? setup.media === 'print' : isPaged,
    document: { ...propertiesOf(html, all), ...informationOf(template.pdf) },
  });
  if (number !== undefined && number > 1 && !isOnSheets) {
    throw new ValidationError(
      'page',
      'there is no page but the first: neither `@page` nor `pdf` says on what sheets it is',
    );
  }
  const found = [...page.diagnostics, ...unknownLayers(values, known), ...read.diagnostics, ...scene.diagnostics];
  return { scene: { ...scene, diagnostics: found }, faces };
}

/** Reads the style sheets of other addresses, of which a page may have some. */
class Sheets {
  readonly diagnostics: Diagnostic[] = [];
  readonly #readText: ReadText;
  #count = 0;

  constructor(readText: ReadText) {
    this.#readText = readText;
  }

  /** Those of `<link rel=stylesheet>`: those that a reader may choose instead, or a script, do not apply. */
  async linked(all: readonly HtmlElement[]): Promise<readonly (readonly [HtmlElement, string])[]> {
    const links = all.filter(({ name, attributes }) => {
      if (name !== 'link') return false;
      const words = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
      return words.includes('stylesheet') && !words.includes('alternate') && !attributes.has('disabled');
    });
    const found: (readonly [HtmlElement, string])[] = [];
    for (const link of links) {
      const address = link.attributes.get('href')?.trim() ?? '';
      found.push([link, await this.#read(address, `html, line ${link.line}: <link>`, '')]);
    }
    return found;
  }

  /**
   * A sheet with those that it imports before it (CSS Cascade 5, 2), and what these import.
   *
   * @param from the address of the sheet, from which those are that it names
   */
  async withImports(css: string, from = ''): Promise<string> {
    if (!/@import\b/i.test(css)) return css;
    const imports = readRules(css).flatMap(({ atRules: [rule = ''], declarations }) =>
      /^@import\b/i.test(rule) && declarations.length === 0 ? [rule.slice('@import'.length).trim()] : [],
    );
    const sheets: string[] = [];
    for (const given of imports) {
      const [word = ''] = splitValue(given);
      const address = resolved(urlsOf(word)[0] ?? unquoted(word), from);
      sheets.push(await this.#read(address, 'css: @import', given.slice(word.length).trim()));
    }
    return [...sheets, css].join('\n');
  }

  async #read(address: string, where: string, media: string): Promise<string> {
    const leave = (why: string) => {
      const message = `${where} ${quoted(address.slice(0, 100))} is left out: ${why}`;
      this.diagnostics.push({ code: 'image-left-out', layer: null, message });
      return '';
    };
    this.#count += 1;
    if (this.#count > MAX_SHEETS) {
      return this.#count === MAX_SHEETS + 1 ? leave(`a page has at most ${MAX_SHEETS} style sheets.`) : '';
    }
    try {
      const text = await this.#readText(address);
      if (text.length > MAX_SHEET_TEXT) return leave(`it has more than ${MAX_SHEET_TEXT} characters.`);
      const whole = await this.withImports(
        replaceUrls(text, (each) => resolved(each, address)),
        address,
      );
      return media === '' ? whole : `@media ${media}{${whole}}`;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return leave(error.message);
    }
  }
}

/** CSS Values 4, 4.5.1: an address in a sheet is relative to that of the sheet. */
function resolved(address: string, from: string): string {
  if (!/^https?:/i.test(from) || /^(?:#|[a-z][a-z\d+.-]*:)/i.test(address)) return address;
  return URL.parse(address, from)?.href ?? address;
}

const textOf = ({ children }: HtmlElement): string => children.filter((child) => !isElement(child)).join('');

function sheetsOf(setup: PageSetup): Page {
  const { format, width, height, landscape = false } = setup;
  const paper = format ? PAPER_FORMATS[format] : null;
  const size: Page['size'] = paper
    ? [paper.width * PX_PER_INCH, paper.height * PX_PER_INCH]
    : [pixels(width ?? 0), pixels(height ?? 0)];
  return withMargin({ size, landscape, margin: 0, mirrored: false, cover: false }, setup);
}

function withMargin(page: Page, { margin }: PageSetup): Page {
  if (margin === undefined) return page;
  if (typeof margin !== 'object') return { ...page, margin };
  const { top = 0, right = 0, bottom = 0, left = 0 } = margin;
  return { ...page, margin: { top, right, bottom, left } };
}

/** What a page says of itself: the text of `<title>`, and its language. */
function propertiesOf(html: HtmlElement, all: readonly HtmlElement[]): DocumentProperties {
  const title = all.find(({ name }) => name === 'title');
  const words =
    title?.children
      .filter((node) => !isElement(node))
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 1_000) ?? '';
  const language = html.attributes.get('lang')?.trim() ?? '';
  return {
    ...(words !== '' && { title: words }),
    ...(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$/.test(language) && { language }),
  };
}

/** The properties of a file among those of `pdf`, without its sheets. */
function informationOf(pdf: HtmlPage['template']['pdf']): DocumentProperties {
  if (!pdf) return {};
  const { format, width, height, landscape, margin, media, ...rest } = pdf;
  return rest as DocumentProperties;
}
