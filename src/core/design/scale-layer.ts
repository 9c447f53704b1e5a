// Scales a layer: every length of it, and of what lies in it, by one factor.

import type { Layer } from '../template/layer.ts';
import { isLength, pixels } from '../template/page-setup.ts';

type Values = Readonly<Record<string, unknown>>;

/** Scales the value of one property. @param owner what has the property */
type Scale = (value: unknown, by: number, owner: Values) => unknown;

export const tidy = (length: number): number => Math.round(length * 100) / 100 + 0;

/** A number in px, or lists of them; percentages and words stay. */
const lengths: Scale = (value, by) => {
  if (typeof value === 'number') return tidy(value * by);
  return Array.isArray(value) ? value.map((one) => lengths(one, by, {})) : value;
};

/** A font size is at least 1 px. */
const fontSize: Scale = (value, by) => (typeof value === 'number' ? Math.max(1, tidy(value * by)) : value);

/** Corners as `[x, y]`; a number says how many there are. */
const corners: Scale = (value, by) => (Array.isArray(value) ? lengths(value, by, {}) : value);

/** Tracks of a grid, whose texts have lengths in px. */
const tracks: Scale = (value, by) => {
  if (typeof value === 'string')
    return value.replace(/(\d+(?:\.\d+)?)(px)?/g, (all, number, px) => (px ? `${tidy(Number(number) * by)}px` : all));
  return Array.isArray(value) ? value.map((one) => tracks(one, by, {})) : lengths(value, by, {});
};

/** Path data in px is stretched over the box that it was drawn for. */
const viewBox: Scale = (value, _, { d, width, height }) => {
  const isOwn = value === null && typeof d === 'string' && typeof width === 'number' && typeof height === 'number';
  return isOwn ? [0, 0, width, height] : value;
};

/** Some properties of an object, or of each in a list. */
const within =
  (scales: Readonly<Record<string, Scale>>): Scale =>
  (value, by) => {
    if (Array.isArray(value)) return value.map((one) => within(scales)(one, by, {}));
    return typeof value === 'object' && value !== null ? scaled(value as Values, by, scales) : value;
  };

const border = within({ width: lengths });
const blur = within({ blur: lengths });
const OUTLINE = { borderRadius: lengths, points: corners };
const CHARACTERS = {
  fontSize,
  letterSpacing: lengths,
  wordSpacing: lengths,
  strokeWidth: lengths,
  textDecorationThickness: lengths,
  image: within({ width: lengths, height: lengths }),
};

const CELL = {
  ...CHARACTERS,
  padding: lengths,
  border,
  borderTop: border,
  borderRight: border,
  borderBottom: border,
  borderLeft: border,
};
const cells = within(CELL);
/** A list of cells, or of rows: lists, or objects with `cells`. */
const rows: Scale = (value, by) => {
  if (Array.isArray(value)) return value.map((one) => rows(one, by, {}));
  if (typeof value === 'object' && value !== null && 'cells' in value)
    return { ...value, cells: rows(value.cells, by, {}) };
  return cells(value, by, {});
};
/** A width with a unit becomes one of px. */
const columnWidth: Scale = (value, by, owner) =>
  lengths(typeof value === 'string' && isLength(value) ? pixels(value) : value, by, owner);
/** Columns of a table are numbers, words or objects. */
const columns: Scale = (value, by, owner) => {
  if (Array.isArray(value)) return value.map((one) => columns(one, by, owner));
  return typeof value === 'object'
    ? within({ ...CELL, width: columnWidth })(value, by, owner)
    : columnWidth(value, by, owner);
};

const SCALES: Readonly<Record<string, Scale>> = {
  ...CHARACTERS,
  ...OUTLINE,
  ...Object.fromEntries(
    'x y width height top right bottom left minWidth maxWidth minHeight maxHeight flexBasis margin padding strokeDash textIndent blur'
      .split(' ')
      .map((name) => [name, lengths]),
  ),
  viewBox,
  border,
  borderTop: border,
  borderRight: border,
  borderBottom: border,
  borderLeft: border,
  rule: border,
  headerRule: border,
  footerRule: border,
  columnRule: border,
  columns,
  header: rows,
  row: rows,
  footer: rows,
  groupHeader: rows,
  groupFooter: rows,
  carryHeader: rows,
  carryFooter: rows,
  // The values of entries may come with styles.
  rows: (entries, by) => (entries as readonly Values[]).map((entry) => within(eachAs(cells, entry))(entry, by, {})),
  cell: cells,
  headerCell: cells,
  footerCell: cells,
  groupHeaderCell: cells,
  groupFooterCell: cells,
  carryCell: cells,
  shadow: within({ x: lengths, y: lengths, blur: lengths, spread: lengths }),
  filters: blur,
  backdropFilters: blur,
  mask: (mask, by, { width, height }) => {
    if (typeof mask !== 'object' || mask === null) return mask;
    const { width: _, height: __, ...outline } = scaled({ ...mask, width, height }, by, { ...OUTLINE, viewBox });
    return outline;
  },
  layout: within({ gap: lengths, columns: tracks, rows: tracks, gridAutoColumns: tracks, gridAutoRows: tracks }),
  spans: within(CHARACTERS),
  textPath: within({ radius: lengths }),
  autoFit: within({ min: fontSize, max: fontSize }),
  // The line background of a text; that of a frame is a fill, which has no lengths.
  background: within({ padding: lengths, borderRadius: lengths }),
  repeat: within({ alternate: (values, by) => within(eachOf(values))(values, by, {}) }),
  children: (children, by) => (children as readonly Layer[]).map((child) => scaleLayer(child, by)),
};

/** The properties of each patch by its name. */
const eachOf = (values: unknown): Readonly<Record<string, Scale>> =>
  Object.fromEntries(Object.keys(values ?? {}).map((name) => [name, within(SCALES)]));

const eachAs = (scale: Scale, values: Values): Readonly<Record<string, Scale>> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, scale]));

function scaled(values: Values, by: number, scales: Readonly<Record<string, Scale>>): Values {
  const result: Record<string, unknown> = { ...values };
  for (const name of Object.keys(values)) {
    const scale = Object.hasOwn(scales, name) ? scales[name] : undefined;
    if (scale) result[name] = scale(values[name], by, values);
  }
  return result;
}

/** @param by above 0 */
export const scaleLayer = (layer: Layer, by: number): Layer =>
  by === 1 ? layer : (scaled(layer as unknown as Values, by, SCALES) as unknown as Layer);
