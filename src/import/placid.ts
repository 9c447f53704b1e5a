// Reads a template as returned by Placid's API: names and kinds of layers, optionally with values as in a render
// request.
//
// https://placid.app/docs/2.0/rest/templates and /rest/layers. Positions and styles are not part of the API.

import { AppError } from '#base/errors.ts';
import {
  color,
  type ForeignFields,
  type ForeignFormat,
  type ForeignTemplate,
  isFields,
  layerList,
  length,
  type Rule,
  side,
  text,
} from './foreign-template.ts';

const KINDS = { text: 'text', picture: 'image', rectangle: 'shape', shape: 'shape', barcode: 'barcode' } as const;

const ofText =
  (rule: Rule): Rule =>
  (value, kind) =>
    kind === 'text' ? rule(value, kind) : null;
const ofShape =
  (rule: Rule): Rule =>
  (value, kind) =>
    kind === 'shape' ? rule(value, kind) : null;

export const PLACID: ForeignFormat = {
  tool: 'Placid',
  kindOf({ type }) {
    if (typeof type !== 'string') return { unknown: 'a layer without a type' };
    return Object.hasOwn(KINDS, type) ? KINDS[type as keyof typeof KINDS] : { unknown: `a layer of type "${type}"` };
  },
  ignored: ['name', 'type'],
  rules: {
    hide: (value) => (typeof value === 'boolean' ? { visible: !value } : null),
    opacity: (value) => (typeof value === 'number' && value >= 0 && value <= 100 ? { opacity: value / 100 } : null),
    rotation: length('rotation'),
    position_x_absolute: length('x'),
    position_y_absolute: length('y'),
    width: length('width'),
    height: length('height'),
    link_target: text('link'),
    text: ofText(text('text')),
    text_color: ofText(color('color')),
    font: ofText(text('fontFamily')),
    image: (value, kind) => (kind === 'image' ? text('src')(value, kind) : null),
    background_color: ofShape(color('fill')),
    border_color: ofShape(color('stroke')),
    border_width: ofShape(length('strokeWidth')),
    border_radius: ofShape(length('borderRadius')),
    value: (value, kind) => (kind === 'barcode' ? text('value')(value, kind) : null),
  },
};

/**
 * @throws AppError `invalid_request` when it is no Placid template
 */
export function readPlacid(file: ForeignFields, size: { width?: number; height?: number }): ForeignTemplate {
  const found = oneOf(file);
  if (found.layers === undefined)
    throw new AppError('invalid_request', 'This is not a Placid template: it has no layers.');
  const layers = isFields(found.layers)
    ? Object.entries(found.layers).map(([name, values]) => ({ name, ...(isFields(values) ? values : {}) }))
    : layerList(found.layers, 'layers');
  return {
    name: typeof found.title === 'string' && found.title !== '' ? found.title.slice(0, 200) : 'Imported from Placid',
    width: side(size.width ?? found.width, 'width'),
    height: side(size.height ?? found.height, 'height'),
    background: null,
    layers,
  };
}

/** The template in a list of one. @throws AppError `invalid_request` for more */
function oneOf(file: ForeignFields): ForeignFields {
  if (!Array.isArray(file.data)) return isFields(file.data) ? file.data : file;
  const [first, ...others] = file.data;
  if (isFields(first) && others.length === 0) return first;
  throw new AppError('invalid_request', 'data must hold one template: ask for /api/rest/templates/{uuid}.');
}
