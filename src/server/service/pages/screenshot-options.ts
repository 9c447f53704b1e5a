// The request schema of `POST /v1/screenshots`, with its bounds and defaults.

import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import { DocumentProperties } from '#core/template/document-properties.ts';
import { checkPageFields, PAGE_FIELDS } from '#core/template/page-setup.ts';
import { parse } from '#core/template/validation.ts';
import { PAGE_OUTPUTS } from '#draw/output/formats.ts';
import type { CaptureOptions } from '#server/chromium/capture-page.ts';
import { PAGE_EVENTS } from '#server/chromium/guarded-page.ts';
import type { Metadata } from '../rendering/metadata.ts';

/** ms: the maximum timeout of a page, and the default. */
const MAX_TIMEOUT = 45_000;
const DEFAULT_TIMEOUT = 30_000;

const Selector = z.string().min(1).max(1_000);
/** Headers that belong to the connection or the browser, or that `cookies` sets. */
const FIXED_HEADERS =
  /^(accept-encoding|connection|content-length|content-type|(set-)?cookie2?|date|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|(proxy|sec)-.*)$/;

const HeaderValue = z
  .string()
  .max(8_192)
  // RFC 9110, section 5.5, without the non-ASCII bytes that it discourages.
  .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII');
const Headers = z.record(z.string(), HeaderValue).superRefine((headers, context) => {
  const names = Object.keys(headers);
  if (names.length > 50) context.addIssue('must be at most 50');
  for (const name of names) {
    const isName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name);
    if (!isName) context.addIssue({ code: 'custom', path: [name], message: 'is not the name of a header' });
    else if (FIXED_HEADERS.test(name.toLowerCase())) {
      context.addIssue({ code: 'custom', path: [name], message: 'cannot be set' });
    }
  }
});

const Cookie = z.object({
  name: z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, 'is not the name of a cookie'),
  // RFC 6265, section 4.1.1.
  value: z
    .string()
    .max(4_096)
    .regex(
      /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/,
      'must not contain spaces, quotes, commas, semicolons or backslashes',
    ),
});

const isTimezone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
};
const isLocale = (tag: string) => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};

const { title, author, subject, keywords } = DocumentProperties.shape;
/** The properties of a PDF that a page is printed as. */
const SCREENSHOT_PDF = { title, author, subject, keywords, ...PAGE_FIELDS } as const;
export const SCREENSHOT_PDF_FIELDS = Object.keys(SCREENSHOT_PDF);

export const ScreenshotBody = z
  .object({
    url: z.string('url is required.').optional().meta({ description: 'The page, unless `html` is given.' }),
    html: z.string().min(1).max(500_000).nullable().default(null).meta({
      description: 'The page itself, instead of `url`: a document, or what stands in its body.',
    }),
    script: z.boolean().default(false).meta({ description: 'Whether inline scripts of `html` run.' }),
    width: z.int().min(16).max(2_400).default(1_200),
    height: z.int().min(16).max(2_400).default(630),
    fullPage: z.boolean().default(false),
    maxHeight: z.int().min(16).max(100_000).nullable().default(null).meta({
      description: 'Cuts a full page off at this height, in CSS px, with a warning: for pages without end.',
    }),
    scale: z.number().min(0.1).max(3).default(1),
    output: z.enum(PAGE_OUTPUTS).default('png'),
    selector: Selector.nullable().default(null),
    quality: z.int().min(0).max(100).default(80),
    omitBackground: z.boolean().default(false),
    waitUntil: z.enum(PAGE_EVENTS).default('load'),
    waitForSelector: Selector.nullable().default(null),
    waitForExpression: z.string().min(1).max(2_000).nullable().default(null).meta({
      description: 'JavaScript that is evaluated in the page until it is true.',
    }),
    delay: z.int().min(0).max(10_000).default(0),
    timeout: z.int().min(1_000).max(MAX_TIMEOUT).default(DEFAULT_TIMEOUT),
    blockAds: z.boolean().default(false).meta({ description: 'Hosts that serve advertisements are not reached.' }),
    blockTrackers: z
      .boolean()
      .default(false)
      .meta({ description: 'Hosts that count visitors, and tag managers, are not reached.' }),
    blockCookieBanners: z
      .boolean()
      .default(false)
      .meta({ description: 'Hosts of consent managers are not reached; the banners of the common ones are hidden.' }),
    hideSelectors: z.array(Selector).max(50).default([]),
    css: z.string().max(50_000).nullable().default(null),
    failOnStatus: z.boolean().default(false).meta({
      description: 'Whether a page that answers 400 to 599 is a failure. Otherwise that is a warning.',
    }),
    failOnMissingFiles: z.boolean().default(false).meta({
      description:
        'Whether an image, style sheet or font that cannot be loaded is a failure. Otherwise it is left out, of `html` with a warning.',
    }),
    darkMode: z.boolean().default(false),
    reducedMotion: z.boolean().default(false),
    userAgent: z
      .string()
      .min(1)
      .max(500)
      .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
      .nullable()
      .default(null),
    timezone: z
      .string()
      .max(100)
      .refine(isTimezone, 'must be an IANA time zone, such as "Europe/Paris"')
      .nullable()
      .default(null),
    locale: z
      .string()
      .max(35)
      .refine(isLocale, 'must be a BCP 47 language tag, such as "fr-CA"')
      .nullable()
      .default(null),
    headers: Headers.default({}),
    cookies: z.array(Cookie).max(50).default([]),
    pdf: z.object(SCREENSHOT_PDF).superRefine(checkPageFields).prefault({}),
  })
  .refine(({ delay, timeout }) => delay < timeout, { path: ['delay'], message: 'must be less than timeout' })
  .superRefine(({ url, html, headers, cookies }, context) => {
    if (html === null) return;
    const wrong = { url: url !== undefined, headers: Object.keys(headers).length > 0, cookies: cookies.length > 0 };
    for (const [name, isGiven] of Object.entries(wrong)) {
      if (!isGiven) continue;
      const message =
        name === 'url' ? 'cannot stand beside html; leave one of them out' : 'need url: they go to its origin';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .refine(({ maxHeight, fullPage }) => maxHeight === null || fullPage, {
    path: ['maxHeight'],
    message: 'cuts off a full page: it takes fullPage: true',
  })
  .refine(({ html, script, waitForExpression }) => waitForExpression === null || html === null || script, {
    path: ['waitForExpression'],
    message: 'is a script: it takes script: true beside html',
  })
  .refine(({ selector, output }) => selector === null || output !== 'pdf', {
    path: ['selector'],
    message: 'cannot be drawn as a PDF; leave it out or choose another output',
  });

/**
 * Parses a request as the caller sent it; unknown fields are ignored.
 *
 * @throws AppError `invalid_request` or ValidationError saying what is wrong and where
 */
export function readScreenshotRequest(body: Readonly<Record<string, unknown>>): ScreenshotRequest {
  const hasHtml = body.html !== undefined && body.html !== null;
  if (!hasHtml && (typeof body.url !== 'string' || body.url === '')) {
    throw new AppError('invalid_request', 'url is required.');
  }
  const { url = null, ...rest } = parse(ScreenshotBody, body);
  return { url, ...rest, watermark: false };
}

/** A request with every default. */
export const defaultScreenshot = (url: string): ScreenshotRequest => readScreenshotRequest({ url });

/** Complete plain data, which can be stored as a job and run later. */
export type ScreenshotRequest = CaptureOptions & { readonly metadata?: Metadata };
