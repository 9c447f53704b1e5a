// Reads CSS's mask properties (CSS Masking 1 §6).
//
// A mask's layers are drawn as a background is, so its values are passed on as those of a background.

import { AppError } from '#base/errors.ts';
import { foldCalc } from '#core/css/calc.ts';

/** The layers of a mask, in the values of the `background-…` properties. */
export interface MaskLayers {
  readonly image: string;
  readonly size: string;
  readonly position: string;
  readonly repeat: string;
}

/** Every property that these functions read. */
export const MASK_PROPERTIES =
  /^(-webkit-)?mask(-(image|size|position|repeat|origin|clip|composite|mode|type))?$|^mask-border/;

/** The initial value of each. */
const INITIAL: Readonly<Record<string, string>> = {
  'mask-image': 'none',
  'mask-size': 'auto',
  'mask-position': '0% 0%',
  'mask-repeat': 'repeat',
  'mask-origin': 'border-box',
  'mask-clip': 'border-box',
  'mask-composite': 'add',
  'mask-mode': 'match-source',
};

/** What is supported of the properties that backgrounds do not have. */
const ONLY: Readonly<Record<string, RegExp>> = {
  'mask-origin': /^(border-box|fill-box|stroke-box|view-box|initial|unset|inherit)$/,
  'mask-clip': /^(border-box|fill-box|stroke-box|view-box|no-clip|initial|unset|inherit)$/,
  'mask-composite': /^(add|source-over|intersect|source-in|initial|unset|inherit)$/,
  'mask-mode': /^(match-source|alpha|initial|unset|inherit)$/,
  'mask-type': /^(luminance|alpha|initial|unset|inherit)$/,
};

const RELATIVE = /(^|[\s,(])-?[\d.]+(?:r?em|ch|ex|lh)\b|\bcurrentcolor\b|\bimage-set\(|\belement\(/i;

/** The longhand that a property with a vendor's prefix is. */
const plainName = (property: string) => property.replace(/^-webkit-/, '');

/**
 * The longhands that a declaration sets. A shorthand with `var()` is `mask` itself, for `masksOf`.
 */
export function expandMask(property: string, value: string): readonly (readonly [string, string])[] {
  const name = plainName(property);
  if (name !== 'mask') return name in INITIAL ? [[name, value]] : [];
  if (/\bvar\(/i.test(value)) return [['mask', value]];
  return [...Object.entries(longhandsOf(value)), ['mask', 'initial']];
}

/** A reason why a declaration cannot be drawn, as far as it is seen without the page; null = none is known. */
export function unsupportedMask(property: string, value: string): boolean {
  if (/\bvar\(/i.test(value)) return false;
  const name = plainName(property);
  if (name.startsWith('mask-border')) return !/^(none|initial|unset)$/i.test(value);
  if (name !== 'mask') return unsupported(name, value);
  return Object.entries(longhandsOf(value)).some(([each, text]) => unsupported(each, text));
}

function unsupported(name: string, value: string): boolean {
  const only = ONLY[name];
  if (only) return !layersIn(value).every((layer) => only.test(layer.trim().toLowerCase()));
  return RELATIVE.test(value.replace(/url\([^)]*(?:\)|$)/gi, ''));
}

/** Hides nothing, as Tailwind has it where a mask has no layer of a kind. */
const OPAQUE = /^linear-gradient\(\s*#fff\s*,\s*#fff\s*\)$/i;

/**
 * The masks of an element, of which each hides something of what the others leave; null = none.
 *
 * @param declared the value of a property, with custom properties in place; null = the initial one
 * @throws AppError `invalid_request` naming a value that is not supported
 */
export function masksOf(declared: (property: string) => string | null): readonly MaskLayers[] | null {
  const shorthand = declared('mask');
  const whole = shorthand === null ? {} : longhandsOf(shorthand);
  const of = (name: string) => foldCalc(declared(name) ?? whole[name] ?? INITIAL[name] ?? '');
  const image = of('mask-image');
  if (/^\s*none\s*$/i.test(image) || image.trim() === '') return null;
  for (const name of Object.keys(INITIAL)) {
    if (!unsupported(name, of(name))) continue;
    throw refused(`${name}: ${of(name).slice(0, 80)}`);
  }
  const composites = layersIn(of('mask-composite')).map((each) => each.trim().toLowerCase());
  const mask = { image, size: of('mask-size'), position: of('mask-position'), repeat: of('mask-repeat') };
  const isIntersection = (composite: string) => /^(intersect|source-in)$/.test(composite);
  const images = layersIn(image);
  // What the last layer is composited with is nothing: its own word does not count.
  const between = images.slice(1).map((_, index) => composites[index % composites.length] ?? 'add');
  if (!between.some(isIntersection)) return [mask];
  if (!between.every(isIntersection)) throw refused(`mask-composite: ${of('mask-composite').slice(0, 80)}`);
  const layerOf = (value: string, index: number) =>
    layersIn(value).map((each) => each.trim())[index % layersIn(value).length] ?? '';
  const masks = images.map((each, index) => ({
    image: each.trim(),
    size: layerOf(mask.size, index),
    position: layerOf(mask.position, index),
    repeat: layerOf(mask.repeat, index),
  }));
  return masks.filter((each) => !OPAQUE.test(each.image));
}

function refused(what: string): AppError {
  return new AppError(
    'invalid_request',
    `${what} cannot be drawn with renderer "satori"; change it, or use renderer "chromium".`,
  );
}

/** The longhands of the shorthand (§6.10), of all its layers. */
function longhandsOf(value: string): Readonly<Record<string, string>> {
  const layers = layersIn(value).map(longhandsOfLayer);
  return Object.fromEntries(Object.keys(INITIAL).map((name) => [name, layers.map((layer) => layer[name]).join(', ')]));
}

function longhandsOfLayer(layer: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = { ...INITIAL };
  const [place = '', size] = splitTop(layer, '/');
  const lengths: string[] = [];
  const repeats: string[] = [];
  const boxes: string[] = [];
  const read = (word: string) => {
    const plain = word.toLowerCase();
    if (/\(/.test(word) && !/^(calc|min|max|clamp)\(/.test(plain)) found['mask-image'] = word;
    else if (/^(repeat|no-repeat|repeat-x|repeat-y|space|round)$/.test(plain)) repeats.push(plain);
    else if (/-box$|^no-clip$/.test(plain)) boxes.push(plain);
    else if (/^(add|subtract|intersect|exclude)$/.test(plain)) found['mask-composite'] = plain;
    else if (/^(alpha|luminance|match-source)$/.test(plain)) found['mask-mode'] = plain;
    else if (plain !== 'none') lengths.push(word);
  };
  for (const word of wordsIn(place)) read(word);
  if (lengths.length > 0) found['mask-position'] = lengths.join(' ');
  if (size !== undefined) {
    lengths.length = 0;
    for (const word of wordsIn(size)) read(word);
    found['mask-size'] = lengths.join(' ');
  }
  if (repeats.length > 0) found['mask-repeat'] = repeats.join(' ');
  const [origin, clip = origin] = boxes;
  if (origin !== undefined && origin !== 'no-clip') found['mask-origin'] = origin;
  if (clip !== undefined) found['mask-clip'] = clip;
  return found;
}

const layersIn = (value: string) => splitTop(value, ',');
const wordsIn = (value: string) => splitTop(value.trim().replace(/\s+/g, ' '), ' ').filter((word) => word !== '');

/** The parts of a value between separators that are in no brackets and no string. */
function splitTop(value: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (const character of value) {
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (character === separator && depth === 0 && quote === '') parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
