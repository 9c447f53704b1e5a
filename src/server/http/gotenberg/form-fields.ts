// Translates the form fields of Gotenberg's Chromium routes into a screenshot request of ours.
//
// Names and defaults are those of Gotenberg 8; the four fields that Gotenberg 9 renamed are known by both names. A field
// that asks for something that Platen cannot do is refused by name, rather than ignored.

import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { inches, PAPER_FORMATS } from '#core/template/page-setup.ts';
import type { ScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';

export type FormFields = ReadonlyMap<string, string>;

/** What a form holds besides its fields. */
export interface FormParts {
  /** index.html; null on the routes that take a URL. */
  readonly index: string | null;
  readonly header: string | null;
  readonly footer: string | null;
}

/** Inches, as in Gotenberg. */
const PAPER = { width: 8.5, height: 11 };
const MARGIN = '0.39';
/** The viewport of a page, CSS px, as in Gotenberg. */
const VIEWPORT = { width: 800, height: 600 };
/** Fields that set how Gotenberg works, not what it makes. */
const WITHOUT_EFFECT = ['optimizeForSpeed'];
/** The field of a form for each field of our requests, for errors. */
const FIELD_OF: Readonly<Record<string, string>> = {
  'pdf.width': 'paperWidth',
  'pdf.height': 'paperHeight',
  'pdf.scale': 'scale',
  'pdf.pageRanges': 'nativePageRanges',
  'pdf.headerTemplate': 'header.html',
  'pdf.footerTemplate': 'footer.html',
  'pdf.margin.top': 'marginTop',
  'pdf.margin.right': 'marginRight',
  'pdf.margin.bottom': 'marginBottom',
  'pdf.margin.left': 'marginLeft',
  scale: 'deviceScaleFactor',
  'pdf.title': 'metadata',
  'pdf.author': 'metadata',
  'pdf.subject': 'metadata',
  'pdf.keywords': 'metadata',
  delay: 'waitDelay',
  headers: 'extraHttpHeaders',
};

/** @throws AppError `invalid_request` naming the field */
export function readPdfForm(fields: FormFields, pages: FormParts): ScreenshotRequest {
  const form = new Form(fields);
  const margin = Object.fromEntries(
    ['Top', 'Right', 'Bottom', 'Left'].map((side) => [side.toLowerCase(), form.length(`margin${side}`, MARGIN)]),
  ) as Record<'top' | 'right' | 'bottom' | 'left', string>;
  const paper = readPaper(form);
  const isSingle = form.switch('singlePage');
  const ranges = form.text('nativePages') || form.text('nativePageRanges');
  const outline = form.switch('nativeBookmarks') || form.switch('generateDocumentOutline');
  const tagged = form.switch('nativeTaggedPdf') || form.switch('generateTaggedPdf') || outline;
  if (form.switch('omitBackground')) throw unsupported('omitBackground', 'of a PDF');
  const room = inches(paper.width) - inches(margin.left) - inches(margin.right);
  const request = {
    ...readBoth(form, pages),
    ...VIEWPORT,
    output: 'pdf',
    // On one sheet the page is as wide as the paper leaves room for.
    ...(isSingle ? { fullPage: true, width: Math.max(16, Math.round(room * 96)) } : {}),
    pdf: {
      ...(isSingle ? {} : paper),
      landscape: form.switch('landscape'),
      margin,
      preferCSSPageSize: form.switch('preferCssPageSize') && !isSingle,
      printBackground: form.switch('printBackground'),
      scale: form.number('scale', 1),
      media: form.choice('emulatedMediaType', ['print', 'screen']),
      headerTemplate: pages.header,
      footerTemplate: pages.footer,
      pageRanges: ranges === '' ? null : ranges,
      tagged,
      outline,
      ...readMetadata(form),
    },
  };
  return form.finish(request);
}

/** @throws AppError `invalid_request` naming the field */
export function readScreenshotForm(fields: FormFields, pages: FormParts): ScreenshotRequest {
  const form = new Form(fields);
  const selector = form.text('selector');
  if (form.choice('emulatedMediaType', ['screen', 'print']) === 'print') {
    throw unsupported('emulatedMediaType', 'print of a picture');
  }
  const request = {
    ...readBoth(form, pages),
    width: form.number('width', VIEWPORT.width),
    height: form.number('height', VIEWPORT.height),
    fullPage: !form.switch('clip'),
    ...(selector === '' ? {} : { selector }),
    output: form.choice('format', ['png', 'jpeg', 'webp']),
    quality: form.number('quality', 100),
    scale: form.number('deviceScaleFactor', 1),
    omitBackground: form.switch('omitBackground'),
  };
  return form.finish(request);
}

/** The fields of both kinds of routes. */
function readBoth(form: Form, { index }: FormParts): Record<string, unknown> {
  const url = form.text('url');
  const waitForSelector = form.text('waitForSelector');
  const waitForExpression = form.text('waitForExpression');
  const userAgent = form.text('userAgent');
  const features = form.json('emulatedMediaFeatures', {}) as Record<string, unknown>;
  for (const [name, value] of Object.entries(features)) {
    const isKnown =
      (name === 'prefers-color-scheme' && /^(dark|light)$/.test(String(value))) ||
      (name === 'prefers-reduced-motion' && /^(reduce|no-preference)$/.test(String(value)));
    if (!isKnown) throw unsupported('emulatedMediaFeatures', `${name}: ${String(value)}`.slice(0, 100));
  }
  const waits = !form.switch('skipNetworkIdleEvent', true)
    ? 'networkidle0'
    : !form.switch('skipNetworkAlmostIdleEvent', true)
      ? 'networkidle2'
      : 'load';
  return {
    ...(index === null ? { url } : { html: '-', script: true }),
    waitUntil: waits,
    delay: form.duration('waitDelay'),
    timeout: 45_000,
    ...(waitForSelector === '' ? {} : { waitForSelector }),
    ...(waitForExpression === '' ? {} : { waitForExpression }),
    ...(userAgent === '' ? {} : { userAgent }),
    darkMode: features['prefers-color-scheme'] === 'dark',
    reducedMotion: features['prefers-reduced-motion'] === 'reduce',
    failOnStatus: readStatuses(form, 'failOnHttpStatusCodes', [499, 599]),
    // Platen does not tell a file's status from no answer: each of the two fields asks for both.
    failOnMissingFiles:
      form.switch('failOnResourceLoadingFailed') || readStatuses(form, 'failOnResourceHttpStatusCodes', []),
    headers: readHeaders(form),
    cookies: readCookies(form, url),
  };
}

/** The tags of a PDF's information, as ExifTool calls them, with our properties. */
const TAGS: Readonly<Record<string, string>> = {
  Title: 'title',
  Author: 'author',
  Subject: 'subject',
  Keywords: 'keywords',
};

function readMetadata(form: Form): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(form.json('metadata', {})).map(([tag, value]) => {
      const name = TAGS[tag];
      if (name === undefined) throw unsupported('metadata', `the tag ${tag}`.slice(0, 100));
      const isList = name === 'keywords' && typeof value === 'string';
      if (!isList) return [name, value];
      return [name, value.split(',').flatMap((word: string) => word.trim() || [])];
    }),
  );
}

function readPaper(form: Form): { readonly width: string; readonly height: string } {
  const name = form.text('paperSize');
  const wanted = name.slice(0, 20).toLowerCase();
  const known = Object.entries(PAPER_FORMATS).find(([format]) => format.toLowerCase() === wanted)?.[1];
  if (name !== '' && !known) throw unsupported('paperSize', name.slice(0, 100));
  const { width, height } = known ?? PAPER;
  return {
    width: form.length('paperWidth', String(width)),
    height: form.length('paperHeight', String(height)),
  };
}

/** 499 and 599 stand for all statuses of 400 to 499 and 500 to 599. */
function readStatuses(form: Form, name: string, fallback: readonly number[]): boolean {
  const codes = form.json(name, fallback);
  const list: readonly unknown[] = Array.isArray(codes) ? codes : [codes];
  if (list.length === 0) return false;
  if (list.length === 2 && list.includes(499) && list.includes(599)) return true;
  throw invalid(name, 'must be [] or [499,599]; Platen tells no other statuses apart');
}

function readHeaders(form: Form): Record<string, unknown> {
  const headers = form.json('extraHttpHeaders', {}) as Record<string, unknown>;
  const scoped = Object.entries(headers).find(([, value]) => /;\s*scope\s*=/i.test(String(value)));
  if (scoped) throw unsupported('extraHttpHeaders', `a scope, as of ${scoped[0].slice(0, 100)}`);
  return headers;
}

function readCookies(form: Form, url: string): unknown[] {
  const cookies = form.json('cookies', []);
  if (!Array.isArray(cookies)) throw invalid('cookies', 'must be a list');
  const host = URL.parse(url)?.hostname ?? '';
  return cookies.map((cookie: { name?: unknown; value?: unknown; domain?: unknown }, index) => {
    const domain = String(cookie?.domain ?? '').replace(/^\./, '');
    if (domain === host || host.endsWith(`.${domain}`)) return { name: cookie?.name, value: cookie?.value };
    throw invalid(`cookies[${index}].domain`, 'must be that of the page: cookies of other hosts are not sent');
  });
}

/** Reads fields by name, and knows at the end which ones nobody has asked for. */
class Form {
  readonly #fields: FormFields;
  readonly #read = new Set<string>(WITHOUT_EFFECT);

  constructor(fields: FormFields) {
    this.#fields = fields;
  }

  /** '' if it is absent. */
  text(name: string): string {
    this.#read.add(name);
    return this.#fields.get(name)?.trim() ?? '';
  }

  switch(name: string, fallback = false): boolean {
    const text = this.text(name).toLowerCase();
    if (text === '') return fallback;
    if (/^(true|t|1)$/.test(text)) return true;
    if (/^(false|f|0)$/.test(text)) return false;
    throw invalid(name, 'must be true or false');
  }

  number(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === '') return fallback;
    const number = Number(text);
    if (!Number.isFinite(number)) throw invalid(name, 'must be a number');
    return number;
  }

  /** A length with a unit; Gotenberg's numbers without one are inches. */
  length(name: string, fallback: string): string {
    const [, number, unit = ''] = /^(\d+(?:\.\d*)?|\.\d+)(pt|px|in|mm|cm|pc)?$/.exec(this.text(name) || fallback) ?? [];
    if (number === undefined)
      throw invalid(name, 'must be a number of inches, or a number with in, cm, mm, pt, px or pc');
    return `${Number(Number(number).toFixed(4))}${unit || 'in'}`;
  }

  /** A duration as Go writes it, ms. */
  duration(name: string): number {
    const text = this.text(name);
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m)/gy)];
    if (text !== '' && parts.map(([part]) => part).join('') !== text && text !== '0') {
      throw invalid(name, 'must be a duration, such as "500ms" or "1.5s"');
    }
    const unit = { ms: 1, s: 1_000, m: 60_000 } as const;
    return Math.round(parts.reduce((sum, [, number, of]) => sum + Number(number) * unit[of as keyof typeof unit], 0));
  }

  /** One of these; the first one by default. */
  choice<const T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    const text = this.text(name);
    const found = text === '' ? choices[0] : choices.find((choice) => choice === text);
    if (found === undefined) throw invalid(name, `must be one of ${choices.join(', ')}`);
    return found;
  }

  json(name: string, fallback: object): object {
    const text = this.text(name);
    if (text === '') return fallback;
    let value: unknown = null;
    try {
      value = JSON.parse(text);
    } catch {}
    if (typeof value !== 'object' || value === null) throw invalid(name, 'must be JSON');
    return value;
  }

  /** Checks the request, and that no field asks for more than was read. */
  finish(request: Record<string, unknown>): ScreenshotRequest {
    for (const [name, value] of this.#fields) {
      const asksNothing = /^(|false|0|\[\]|\{\})$/.test(value.trim());
      if (!this.#read.has(name) && !asksNothing) throw unsupported(name.slice(0, 100));
    }
    try {
      return readScreenshotRequest(request);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw invalid(FIELD_OF[error.path] ?? error.path, error.problem);
    }
  }
}

const invalid = (name: string, problem: string) =>
  new AppError('invalid_request', `Invalid form data: form field '${name}': ${problem}.`);
const unsupported = (name: string, what?: string) =>
  new AppError(
    'invalid_request',
    `Invalid form data: form field '${name}' is not supported by Platen${what === undefined ? '' : ` (${what})`}; leave it out.`,
  );
