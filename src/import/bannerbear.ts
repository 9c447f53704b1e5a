// Reads a template as returned by Bannerbear's API: version 5, whose layers are `config.objects`, or version 2, whose
// `available_modifications` name layers by what can be changed in them, with `extended=true` also their values.
//
// https://developers.bannerbear.com/v5/ and /v2; neither documents every property of a layer, so unknown ones are
// reported.

import { AppError } from '#base/errors.ts';
import { BARCODE_FORMATS } from '#core/template/layer-properties.ts';
import {
  color,
  type ForeignFields,
  type ForeignFormat,
  type ForeignTemplate,
  isFields,
  layerList,
  length,
  pixels,
  type Rule,
  side,
  text,
} from './foreign-template.ts';

const KINDS = {
  text: 'text',
  text_container: 'text',
  image: 'image',
  image_container: 'image',
  rectangle: 'shape',
  shape: 'shape',
  circle: 'shape',
  ellipse: 'shape',
  qr_code: 'qr',
  qrcode: 'qr',
  bar_code: 'barcode',
  barcode: 'barcode',
} as const;

const ALIGN: Readonly<Record<string, string>> = { left: 'left', center: 'center', right: 'right' };
const VERTICAL: Readonly<Record<string, string>> = { top: 'top', center: 'middle', middle: 'middle', bottom: 'bottom' };
const ANCHOR: Readonly<Record<string, number>> = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 };

const choice =
  (property: string, values: Readonly<Record<string, unknown>>): Rule =>
  (value) =>
    typeof value === 'string' && Object.hasOwn(values, value) ? { [property]: values[value] } : null;

/** The colour of the text, the bars or the shape itself. */
const ownColor: Rule = (value, kind) => color(kind === 'shape' ? 'fill' : 'color')(value, kind);

/** Words for weights at the end of a family's name (OpenType usWeightClass). */
const WEIGHTS: Readonly<Record<string, number>> = {
  thin: 100,
  extralight: 200,
  light: 300,
  regular: 400,
  medium: 500,
  semibold: 600,
  bold: 700,
  extrabold: 800,
  black: 900,
};

/** `Roboto Bold Italic` → the family, its weight and its style. */
const family: Rule = (value, kind) => {
  if (kind !== 'text' || typeof value !== 'string') return null;
  const words = value.trim().split(' ');
  const isItalic = words.length > 1 && words.at(-1)?.toLowerCase() === 'italic';
  if (isItalic) words.pop();
  const weight = words.length > 1 ? WEIGHTS[words.at(-1)?.toLowerCase() ?? ''] : undefined;
  if (weight !== undefined) words.pop();
  return {
    fontFamily: words.join(' '),
    ...(weight === undefined ? {} : { fontWeight: weight }),
    ...(isItalic ? { fontStyle: 'italic' } : {}),
  };
};

/** Words between stars are in the layer's second style there, and strong here. */
const starred: Rule = (value, kind) => {
  if (kind !== 'text' || typeof value !== 'string') return null;
  if (!/\*[^*\n]+\*/.test(value)) return { text: value };
  const escaped = value.replace(/[\\`_[\]~]/g, '\\$&');
  return { text: escaped.replace(/\*([^*\n]+)\*/g, '**$1**'), markup: 'markdown' };
};

/** As CSS writes it: `2px 4px 8px #0008`. */
const shadow: Rule = (value) => {
  const [x, y, ...others] = typeof value === 'string' ? value.replaceAll(', ', ',').trim().split(' ') : [];
  const lengths = [x, y, ...others.slice(0, 1)].map(pixels);
  const hasBlur = lengths.length === 3 && lengths[2] !== null;
  const ink = others.slice(hasBlur ? 1 : 0).join(' ');
  const painted = ink === '' ? {} : color('color')(ink, 'shape');
  if (lengths[0] == null || lengths[1] == null || painted === null) return null;
  return { shadow: { x: lengths[0], y: lengths[1], ...(hasBlur ? { blur: lengths[2] } : {}), ...painted } };
};

const barcodeFormat: Rule = (value) => {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const format = BARCODE_FORMATS.find((one) => plain(one) === plain(String(value)));
  return format === undefined ? null : { format };
};

const opacity: Rule = (value) =>
  typeof value === 'number' && value >= 0 && value <= 100 ? { opacity: value > 1 ? value / 100 : value } : null;

export const BANNERBEAR: ForeignFormat = {
  tool: 'Bannerbear',
  kindOf(layer) {
    if (typeof layer.type === 'string') {
      const type = layer.type.toLowerCase();
      return Object.hasOwn(KINDS, type)
        ? KINDS[type as keyof typeof KINDS]
        : { unknown: `a layer of type "${layer.type}"` };
    }
    if ('text' in layer) return 'text';
    if ('image_url' in layer) return 'image';
    if ('bar_code_data' in layer) return 'barcode';
    if ('rating' in layer) return { unknown: 'a star rating' };
    if ('chart_data' in layer) return { unknown: 'a chart' };
    if ('target' in layer) return 'qr';
    return 'color' in layer ? 'shape' : { unknown: 'a layer that says nothing of its kind' };
  },
  ignored: ['id', 'uid', 'name', 'locked'],
  rules: {
    type: (value) => (['circle', 'ellipse'].includes(String(value).toLowerCase()) ? { shape: 'ellipse' } : {}),
    x: length('x'),
    y: length('y'),
    left: length('x'),
    top: length('y'),
    width: length('width'),
    height: length('height'),
    rotation: length('rotation'),
    opacity,
    shadow,
    hide: (value) => (typeof value === 'boolean' ? { visible: !value } : null),
    text: starred,
    text_fit: (value, kind) =>
      kind === 'text' && typeof value === 'boolean' ? (value ? { autoFit: { min: 6 } } : {}) : null,
    color: ownColor,
    fill: ownColor,
    background: (value, kind) => (kind === 'image' || kind === 'shape' ? null : color('background')(value, kind)),
    font_family: family,
    font_size: (value, kind) => (kind === 'text' ? length('fontSize')(value, kind) : null),
    font_weight: (value) => (/^[1-9]00$/.test(String(value)) ? { fontWeight: Number(value) } : null),
    letter_spacing: length('letterSpacing'),
    line_height: (value) => (typeof value === 'number' && value > 0 && value <= 10 ? { lineHeight: value } : null),
    text_align_h: choice('align', ALIGN),
    text_align_v: choice('verticalAlign', VERTICAL),
    // Set by withFocus.
    focus: (value, kind) => (kind === 'image' && isFields(value) ? { focus: value } : null),
    image_url: (value, kind) => (kind === 'image' ? text('src')(value, kind) : null),
    fill_type: choice('fit', { fill: 'cover', fit: 'contain' }),
    border_radius: length('borderRadius'),
    border_color: (value, kind) => (kind === 'shape' ? color('stroke')(value, kind) : null),
    border_width: (value, kind) => (kind === 'shape' ? length('strokeWidth')(value, kind) : null),
    target: (value, kind) => text(kind === 'qr' ? 'value' : 'link')(value, kind),
    bar_code_type: barcodeFormat,
    bar_code_data: (value, kind) => (kind === 'barcode' ? text('value')(value, kind) : null),
  },
};

/**
 * @throws AppError `invalid_request` when it is no Bannerbear template
 */
export function readBannerbear(file: ForeignFields, size: { width?: number; height?: number }): ForeignTemplate {
  const config = isFields(file.config) ? file.config : {};
  const [where, list] =
    config.objects !== undefined
      ? ['config.objects', config.objects]
      : file.available_modifications !== undefined
        ? ['available_modifications', file.available_modifications]
        : ['objects', file.objects];
  if (list === undefined) {
    throw new AppError(
      'invalid_request',
      'This is not a Bannerbear template: it has neither config.objects (version 5) nor available_modifications (version 2).',
    );
  }
  return {
    name: typeof file.name === 'string' && file.name !== '' ? file.name.slice(0, 200) : 'Imported from Bannerbear',
    width: side(size.width ?? file.width, 'width'),
    height: side(size.height ?? file.height, 'height'),
    background: null,
    layers: layerList(list, where).map(withFocus),
  };
}

/** Converts an image's two anchors to one focal point. */
function withFocus({ anchor_x, anchor_y, ...layer }: ForeignFields): ForeignFields {
  const at = (anchor: unknown) => (typeof anchor === 'string' ? ANCHOR[anchor] : undefined);
  const [x, y] = [at(anchor_x), at(anchor_y)];
  return x === undefined && y === undefined ? layer : { ...layer, focus: { x: x ?? 0.5, y: y ?? 0.5 } };
}
