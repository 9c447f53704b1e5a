// The order of properties in the inspector, and their controls. Properties that are not listed come last.

import type { LayerType } from '#core/template/layer.ts';
import { texts } from '../../texts/editor.ts';
import type { EditorTexts } from '../../texts/en/editor.ts';
import {
  alignVBottom,
  alignVMiddle,
  alignVTop,
  pilcrowLeft,
  pilcrowRight,
  textCenter,
  textEnd,
  textJustify,
  textStart,
} from '../icons.ts';
import type { FieldLook } from './field-look.ts';

export interface Section {
  /** Key of its title in the texts. */
  readonly name: keyof EditorTexts['sections'];
  /** Rows of one or two properties. */
  readonly rows: readonly (readonly string[])[];
  /** Whether a section without rows stays closed although some of it is set. */
  readonly isClosed?: boolean;
  /** Shown behind "More". */
  readonly more?: readonly (readonly string[])[];
}

/** Rows as text: properties beside each other, and a comma between rows. */
const rows = (...lines: readonly string[]) =>
  lines
    .join(', ')
    .split(', ')
    .map((row) => row.split(' '));

const PLACE: Section = {
  name: 'position',
  rows: rows('x y, width height, rotation opacity, flip, constraints'),
  more: rows('minWidth maxWidth, minHeight maxHeight, aspectRatio position, top right, bottom left, when'),
};

const IN_FRAME: Section = {
  name: 'inItsFrame',
  rows: [],
  more: rows(
    'flexGrow flexShrink, flexBasis alignSelf, justifySelf gridColumn, gridRow columnSpan',
    'rowSpan gridArea, margin',
  ),
};

const EFFECTS: Section = {
  name: 'effects',
  rows: rows('shadow, shadowType, blur, blendMode'),
  more: rows('filters, backdropFilters, mask, link'),
};

const PAGES: Section = {
  name: 'pages',
  rows: [],
  more: rows('pages, page, breakBefore breakAfter, breakInside repeatOnPages'),
};

const SIDE_BORDERS = rows('borderTop, borderRight, borderBottom, borderLeft');

const OF_TYPE: Readonly<Record<LayerType, readonly Section[]>> = {
  text: [
    {
      name: 'text',
      rows: rows(
        'text, fontFamily, fontWeight fontSize, lineHeight letterSpacing, align, verticalAlign, listStyle',
        'color, spans',
      ),
      more: rows(
        'fontStyle textTransform, textDecoration, textDecorationColor',
        'textDecorationThickness wordSpacing, fontVariantPosition fontSynthesis, fontVariantCaps',
        'fontVariantNumeric, fontVariantLigatures, stroke, strokeWidth, markup lang, format, calculate',
      ),
    },
    {
      name: 'lines',
      rows: rows('maxLines overflow, autoFit'),
      more: rows(
        'textWrap hyphens, wordBreak overflowWrap, textIndent paragraphSpacing, listIndent lineBreak',
        'direction writingMode, textOrientation, background, textPath, hideWhenEmpty',
      ),
    },
    { name: 'opentype', rows: [], more: rows('fontFeatures, fontVariations') },
    { name: 'linesOnPages', rows: [], more: rows('orphans widows, heading') },
  ],
  image: [
    {
      name: 'picture',
      rows: rows('src, fit, zoom, focus'),
      more: rows('imageRendering, fallback, pdfPage, optional'),
    },
    { name: 'frame', rows: rows('borderRadius, border'), more: SIDE_BORDERS },
  ],
  shape: [
    {
      name: 'shape',
      rows: rows('shape, points, innerRadius, borderRadius, d, fill, stroke, strokeWidth'),
      more: rows('viewBox, fillRule strokeCap, strokeJoin strokeDash'),
    },
  ],
  frame: [
    {
      name: 'layout',
      rows: rows('layout, padding'),
      more: rows('direction, clip, hideWhenEmpty, repeat, flow, boxDecorationBreak'),
    },
    { name: 'look', rows: rows('background, borderRadius, border'), more: SIDE_BORDERS },
  ],
  table: [
    {
      name: 'stripesAndLines',
      rows: rows('background, zebra, rule, headerRule, border, borderRadius'),
      more: rows('footerRule, columnRule, direction'),
    },
    {
      name: 'tableOnPages',
      rows: [],
      more: rows('repeatHeader, repeatFooter, splitRows, boxDecorationBreak, wide, keepWithNext, contents'),
    },
    {
      name: 'groupsAndSumsCarriedOn',
      rows: [],
      more: rows(
        'groupBy, groupBreak, repeatGroupHeader, groupHeader, groupFooter, carryFooter, carryHeader',
        'groupHeaderCell, groupFooterCell, carryCell',
      ),
      isClosed: true,
    },
    {
      name: 'cellsInDetail',
      isClosed: true,
      rows: [],
      more: rows('header, row, footer, totals, values, cell, headerCell, footerCell, hideWhenEmpty'),
    },
  ],
  chart: [
    {
      name: 'chart',
      rows: rows(
        'chart, from, data, stacked horizontal, smooth dots, borderRadius, strokeWidth gap, innerRadius, colors',
      ),
      more: rows('track, min max, series, labels, direction'),
    },
    {
      name: 'chartLabels',
      rows: rows('axes grid, legend showValues, legendValues, fontFamily, fontWeight fontSize, color'),
      more: rows('format'),
    },
  ],
  qr: [
    {
      name: 'qrCode',
      rows: rows('value, color, background, errorCorrection quietZone'),
      more: rows('spans'),
    },
  ],
  barcode: [
    {
      name: 'barcode',
      rows: rows('value, format, color, background, quietZone, showText'),
      more: rows('spans'),
    },
  ],
};

/** @param properties all that the type has */
export function sectionsOf(type: LayerType, properties: readonly string[]): readonly Section[] {
  const sections = [PLACE, ...OF_TYPE[type], EFFECTS, IN_FRAME, PAGES];
  const placed = new Set([
    'name',
    'visible',
    'locked',
    // In the panel of a table, and in the sheet of its rows.
    ...['empty', 'columns', 'rows'],
    ...sections.flatMap(({ rows, more = [] }) => [...rows.flat(), ...more.flat()]),
  ]);
  const left = properties.filter((name) => !placed.has(name));
  return left.length > 0 ? [...sections, { name: 'other', rows: left.map((name) => [name]) }] : sections;
}

const VERTICAL = { top: alignVTop, middle: alignVMiddle, bottom: alignVBottom };

const NONE: FieldLook = { placeholder: '–' };
const LOOKS: Readonly<Record<string, FieldLook>> = {
  ...{ minWidth: NONE, maxWidth: NONE, minHeight: NONE, maxHeight: NONE, min: NONE, max: NONE },
  ...{ top: NONE, right: NONE, bottom: NONE, left: NONE },
  rotation: { prefix: '∠', unit: '°' },
  opacity: { prefix: '◐', unit: '%', scale: 100 },
  aspectRatio: { step: 0.1 },
  gap: { unit: '%', scale: 100 },
  lineHeight: { prefix: '↕', step: 0.05 },
  letterSpacing: { prefix: '↔', step: 0.1, unit: 'px' },
  wordSpacing: { step: 0.5, unit: 'px' },
  innerRadius: { unit: '%', scale: 100 },
  text: { multiline: 'usual' },
  value: { multiline: 'rare' },
  align: {
    icons: {
      left: textStart,
      center: textCenter,
      right: textEnd,
      justify: textJustify,
      start: pilcrowRight,
      end: pilcrowLeft,
    },
  },
  verticalAlign: { icons: VERTICAL },
  zoom: { unit: '%', scale: 100, step: 5 },
  d: { multiline: 'usual' },
  lang: { placeholder: 'en' },
};

/** How the control of a property looks, in the language of the interface; undefined: as its schema says. */
export function lookOf(name: string): FieldLook | undefined {
  const words = (texts.value.looks as Readonly<Record<string, FieldLook>>)[name];
  return words ? { ...LOOKS[name], ...words } : LOOKS[name];
}

/** Properties whose control is clear by itself, so no label is shown. */
export const UNLABELLED = new Set(
  'fontWeight text data from fontFamily layout shadow mask border filters backdropFilters autoFit textPath spans clip hideWhenEmpty optional showText fontFeatures constraints'.split(
    ' ',
  ),
);
