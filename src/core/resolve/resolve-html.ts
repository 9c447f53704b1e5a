// Resolves an html template and modifications to a page: the checked values of each layer, not yet applied to the
// markup.

import { z } from 'zod';
import { type Diagnostic, quoted, ValidationError } from '../diagnostics.ts';
import { nearestName } from '../nearest-name.ts';
import type { HtmlTemplate } from '../template/html-template.ts';
import { Href } from '../template/style.ts';
import { MAX_TEXT_LENGTH } from '../template/text-layer.ts';
import { formatPath, parse } from '../template/validation.ts';
import { MAX_MODIFICATIONS, type Modifications, unknownLayer } from './apply-modifications.ts';

/** The values that one layer is given. Absent = as in the template. */
export interface LayerValues {
  readonly name: string;
  /** The source of an image, or the text of any other element. */
  readonly value?: string;
  readonly text?: string;
  readonly src?: string;
  readonly href?: string;
  /** CSS properties, in CSS's spelling (`background-color`). */
  readonly style?: Readonly<Record<string, string>>;
  readonly hidden?: boolean;
}

export interface HtmlPage {
  readonly kind: 'html';
  readonly width: number;
  readonly height: number;
  readonly template: HtmlTemplate;
  readonly values: readonly LayerValues[];
  readonly diagnostics: readonly Diagnostic[];
}

const Text = z.union([z.string().max(MAX_TEXT_LENGTH), z.number().transform(String)], 'must be a string or a number');
const Source = z
  .string()
  .max(21_000_000)
  .regex(
    /^(https?:\/\/|data:image\/|img_\w{1,60}$)/i,
    'must be an http: or https: address, a data: URI of an image, or the id of an uploaded one',
  );
const Style = z
  .record(z.string(), z.union([z.string().max(2_000), z.number().transform(String)], 'must be a string or a number'))
  .superRefine((style, context) => {
    for (const name of Object.keys(style)) {
      if (!/^(--[\w-]{1,60}|-?[A-Za-z][A-Za-z-]{0,60})$/.test(name)) {
        context.addIssue({ code: 'custom', path: [name], message: 'is not the name of a CSS property' });
      }
    }
  });

const PROPERTIES = {
  value: Text,
  text: Text,
  src: Source,
  href: Href,
  style: Style,
  hidden: z.boolean(),
  visible: z.boolean(),
};
type Property = keyof typeof PROPERTIES;

/** @throws ValidationError naming `modifications.<layer>.<property>` when a value does not fit its property */
export function resolveHtml(template: HtmlTemplate, modifications: Modifications): HtmlPage {
  const names = Object.keys(modifications);
  if (names.length > MAX_MODIFICATIONS) {
    throw new ValidationError(
      'modifications',
      `must name at most ${MAX_MODIFICATIONS} layers, this names ${names.length}`,
    );
  }
  const diagnostics: Diagnostic[] = [...scriptWarning(template)];
  const values = names.map((name) => valuesOf(name, modifications[name], diagnostics));
  return { kind: 'html', width: template.width, height: template.height, template, values, diagnostics };
}

/** Whether a script's start tag is of a script; JSON and other data in it would not run anyway. */
const isScript = (tag: string): boolean =>
  [...tag.matchAll(/\btype\s*=\s*["']?(module|(?:text|application)\/javascript)?/gi)].every(([, type]) => type);

/** Whether a script's start tag names a file, which the page's policy does not load. */
const isLinked = (tag: string): boolean => /\ssrc\s*=/i.test(tag);

/** The warning that a page has scripts which do not run. */
export function scriptWarning({
  html,
  script,
  renderer,
}: Pick<HtmlTemplate, 'html' | 'script' | 'renderer'>): readonly Diagnostic[] {
  const begins = [...html.matchAll(/<script\b/gi)].map(({ index }) => index);
  // A tag ends where the next one begins at the latest, so that markup without an end is read once.
  const tagAt = (index: number, i: number) => html.slice(index, begins[i + 1]).split('>', 1)[0] ?? '';
  const at = begins.find((index, i) => (script ? isLinked : isScript)(tagAt(index, i)));
  if (at === undefined) return [];
  const line = html.slice(0, at).split('\n').length;
  const how = renderer === 'chromium' ? 'set "script": true' : 'use renderer "chromium" with "script": true';
  const problem = script
    ? '<script src> does not run, as no page loads scripts; write its text into the page'
    : `<script> does not run; to run it, ${how}`;
  const message = `html, line ${line}: ${problem}.`;
  return [{ code: 'script-left-out', layer: null, message }];
}

function valuesOf(name: string, value: unknown, diagnostics: Diagnostic[]): LayerValues {
  const path = formatPath('modifications', [name]);
  if (typeof value === 'boolean') return { name, hidden: !value };
  if (typeof value === 'string' || typeof value === 'number') return { name, value: parse(Text, value, path) };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ValidationError(path, 'must be a string, a number, true, false or an object of properties');
  }
  const given: Record<string, unknown> = {};
  for (const [property, wish] of Object.entries(value)) {
    if (!isHtmlProperty(property)) diagnostics.push(unknownHtmlProperty(name, property));
    // null = as in the template (RFC 7396).
    else if (wish !== null) given[property] = parse(PROPERTIES[property as Property], wish, `${path}.${property}`);
  }
  const { visible, style, ...rest } = given as {
    visible?: boolean;
    style?: Record<string, string>;
  } & Omit<LayerValues, 'name' | 'style'>;
  return {
    name,
    ...rest,
    ...(style === undefined ? {} : { style: inCssSpelling(style) }),
    ...(visible === undefined || rest.hidden !== undefined ? {} : { hidden: !visible }),
  };
}

/** Renames `backgroundColor` to CSS's `background-color`. */
function inCssSpelling(style: Readonly<Record<string, string>>): Record<string, string> {
  const spelled = (name: string) =>
    name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(style).map(([name, value]) => [spelled(name), value]));
}

/** Whether a layer of an html template has a property of this name. */
export const isHtmlProperty = (name: string): boolean => Object.hasOwn(PROPERTIES, name);

/** The warning for a property that layers of html templates do not have. */
export function unknownHtmlProperty(layer: string, property: string): Diagnostic {
  const near = nearestName(property, Object.keys(PROPERTIES));
  const shown = quoted(property);
  const hint = near === null ? '.' : `; did you mean ${JSON.stringify(near)}?`;
  return {
    code: 'unknown-property',
    layer,
    message: `Layer ${JSON.stringify(layer)} (html) has no property ${shown}${hint}`,
  };
}

/** Text of a page that its picture does not show, or not entirely. */
export interface LostText {
  readonly layer: string | null;
  /** Its first words. */
  readonly words: string;
  /** Whether a box on the page cuts it, rather than the canvas. */
  readonly isCut: boolean;
}

/** Warnings per page. */
const MAX_LOST = 10;

/** One warning for each text that is not entirely shown. */
export function lostTextWarnings(texts: readonly LostText[]): readonly Diagnostic[] {
  return texts.slice(0, MAX_LOST).map(({ layer, words, isCut }) => {
    const place = layer === null ? '' : `Layer ${JSON.stringify(layer)}: `;
    const what = isCut ? 'is cut by the box around it' : 'stands outside the canvas, at least in part';
    const message = `${place}${place === '' ? 'The' : 'the'} text ${JSON.stringify(words)} ${what}.`;
    return { code: isCut ? 'text-overflow' : 'content-outside', layer, message };
  });
}

/** One warning for each layer that is given values but is not in the page. */
export function unknownLayers(values: readonly LayerValues[], known: readonly string[]): readonly Diagnostic[] {
  return values.filter(({ name }) => !known.includes(name)).map(({ name }) => unknownLayer(name, known));
}
