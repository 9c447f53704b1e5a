// The order of properties in the inspector, and their controls. Properties that are not listed come last.

import type { LayerType } from '#core/template/layer.ts';
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
  readonly title: string;
  /** Rows of one or two properties. */
  readonly rows: readonly (readonly string[])[];
  /** Whether a section without rows stays closed although some of it is set. */
  readonly isClosed?: boolean;
  /** Shown behind "More". */
  readonly more?: readonly (readonly string[])[];
}

const PLACE: Section = {
  title: 'Position',
  rows: [['x', 'y'], ['width', 'height'], ['rotation', 'opacity'], ['constraints']],
  more: [
    ['minWidth', 'maxWidth'],
    ['minHeight', 'maxHeight'],
    ['aspectRatio', 'position'],
    ['top', 'right'],
    ['bottom', 'left'],
    ['when'],
  ],
};

const IN_FRAME: Section = {
  title: 'In its frame',
  rows: [],
  more: [
    ['flexGrow', 'flexShrink'],
    ['flexBasis', 'alignSelf'],
    ['justifySelf', 'gridColumn'],
    ['gridRow', 'columnSpan'],
    ['rowSpan', 'gridArea'],
    ['margin'],
  ],
};

const EFFECTS: Section = {
  title: 'Effects',
  rows: [['shadow'], ['blur', 'blendMode']],
  more: [['filters'], ['backdropFilters'], ['mask'], ['link']],
};

const PAGES: Section = {
  title: 'Pages',
  rows: [],
  more: [['pages'], ['breakBefore', 'breakAfter'], ['breakInside', 'repeatOnPages']],
};

const SIDE_BORDERS = [['borderTop'], ['borderRight'], ['borderBottom'], ['borderLeft']];

const OF_TYPE: Readonly<Record<LayerType, readonly Section[]>> = {
  text: [
    {
      title: 'Text',
      rows: [
        ['text'],
        ['fontFamily'],
        ['fontWeight', 'fontSize'],
        ['lineHeight', 'letterSpacing'],
        ['align'],
        ['verticalAlign'],
        ['color'],
        ['spans'],
      ],
      more: [
        ['fontStyle', 'textTransform'],
        ['textDecoration'],
        ['textDecorationColor'],
        ['textDecorationThickness', 'wordSpacing'],
        ['fontVariantPosition', 'fontSynthesis'],
        ['fontVariantCaps'],
        ['fontVariantNumeric'],
        ['fontVariantLigatures'],
        ['stroke'],
        ['strokeWidth'],
        ['markup', 'lang'],
        ['format'],
        ['calculate'],
      ],
    },
    {
      title: 'Lines',
      rows: [['maxLines', 'overflow'], ['autoFit']],
      more: [
        ['textWrap', 'hyphens'],
        ['wordBreak', 'overflowWrap'],
        ['lineBreak', 'textIndent'],
        ['direction', 'writingMode'],
        ['textOrientation'],
        ['background'],
        ['textPath'],
        ['hideWhenEmpty'],
      ],
    },
    { title: 'OpenType', rows: [], more: [['fontFeatures'], ['fontVariations']] },
    { title: 'Lines on pages', rows: [], more: [['orphans', 'widows'], ['heading']] },
  ],
  image: [
    {
      title: 'Picture',
      rows: [['src'], ['fit', 'zoom'], ['focus']],
      more: [['imageRendering'], ['fallback'], ['optional']],
    },
    { title: 'Frame', rows: [['borderRadius'], ['border']], more: SIDE_BORDERS },
  ],
  shape: [
    {
      title: 'Shape',
      rows: [['shape'], ['borderRadius'], ['fill'], ['stroke'], ['strokeWidth']],
      more: [['points'], ['innerRadius'], ['d'], ['viewBox'], ['fillRule', 'strokeCap'], ['strokeJoin', 'strokeDash']],
    },
  ],
  frame: [
    {
      title: 'Layout',
      rows: [['layout'], ['padding']],
      more: [['direction'], ['clip'], ['hideWhenEmpty'], ['repeat'], ['flow'], ['boxDecorationBreak']],
    },
    { title: 'Look', rows: [['background'], ['borderRadius'], ['border']], more: SIDE_BORDERS },
  ],
  table: [
    {
      title: 'Stripes and lines',
      rows: [['background'], ['zebra'], ['rule'], ['headerRule'], ['border'], ['borderRadius']],
      more: [['footerRule'], ['columnRule']],
    },
    {
      title: 'Table on pages',
      rows: [],
      more: [['repeatHeader'], ['repeatFooter'], ['splitRows'], ['boxDecorationBreak'], ['keepWithNext'], ['contents']],
    },
    {
      title: 'Groups and sums carried on',
      rows: [],
      more: [
        ['groupBy'],
        ['groupBreak'],
        ['repeatGroupHeader'],
        ['groupHeader'],
        ['groupFooter'],
        ['carryFooter'],
        ['carryHeader'],
        ['groupHeaderCell'],
        ['groupFooterCell'],
        ['carryCell'],
      ],
    },
    {
      title: 'The table as it is written',
      isClosed: true,
      rows: [],
      more: [
        ['columns'],
        ['header'],
        ['row'],
        ['footer'],
        ['rows'],
        ['values'],
        ['cell'],
        ['headerCell'],
        ['footerCell'],
        ['hideWhenEmpty'],
      ],
    },
  ],
  chart: [
    {
      title: 'Chart',
      rows: [
        ['chart'],
        ['data'],
        ['stacked', 'horizontal'],
        ['smooth', 'dots'],
        ['borderRadius'],
        ['strokeWidth', 'gap'],
        ['innerRadius'],
        ['colors'],
      ],
      more: [['track'], ['min', 'max'], ['series'], ['labels']],
    },
    {
      title: 'Labels',
      rows: [['axes', 'grid'], ['legend', 'showValues'], ['fontFamily'], ['fontWeight', 'fontSize'], ['color']],
      more: [['format']],
    },
  ],
  qr: [{ title: 'QR code', rows: [['value'], ['color'], ['background'], ['errorCorrection', 'quietZone']] }],
  barcode: [
    { title: 'Barcode', rows: [['value'], ['format'], ['color'], ['background'], ['quietZone'], ['showText']] },
  ],
};

/** @param properties all that the type has */
export function sectionsOf(type: LayerType, properties: readonly string[]): readonly Section[] {
  const sections = [PLACE, ...OF_TYPE[type], EFFECTS, IN_FRAME, PAGES];
  const placed = new Set([
    'name',
    'visible',
    'locked',
    // In the panel of a table.
    'empty',
    ...sections.flatMap(({ rows, more = [] }) => [...rows.flat(), ...more.flat()]),
  ]);
  const left = properties.filter((name) => !placed.has(name));
  return left.length > 0 ? [...sections, { title: 'Other', rows: left.map((name) => [name]) }] : sections;
}

const VERTICAL = { top: alignVTop, middle: alignVMiddle, bottom: alignVBottom };

export const LOOKS: Readonly<Record<string, FieldLook>> = {
  x: { prefix: 'X' },
  y: { prefix: 'Y' },
  width: { prefix: 'W' },
  height: { prefix: 'H' },
  rotation: { prefix: '∠', unit: '°' },
  opacity: { prefix: '◐', unit: '%', scale: 100 },
  minWidth: { prefix: 'Min W', placeholder: '–' },
  maxWidth: { prefix: 'Max W', placeholder: '–' },
  minHeight: { prefix: 'Min H', placeholder: '–' },
  maxHeight: { prefix: 'Max H', placeholder: '–' },
  aspectRatio: { prefix: 'Ratio', step: 0.1 },
  position: { names: { static: 'In the flow', relative: 'Relative', absolute: 'Absolute' } },
  top: { prefix: 'Top', placeholder: '–' },
  right: { prefix: 'Right', placeholder: '–' },
  bottom: { prefix: 'Bottom', placeholder: '–' },
  left: { prefix: 'Left', placeholder: '–' },
  flexGrow: { prefix: 'Grow' },
  flexShrink: { prefix: 'Shrink' },
  flexBasis: { prefix: 'Basis' },
  gridColumn: { prefix: 'Col' },
  gridRow: { prefix: 'Row' },
  gridArea: { placeholder: 'Area' },
  columnSpan: { prefix: 'Col span' },
  rowSpan: { prefix: 'Row span' },
  blur: { prefix: 'Blur' },
  pages: { label: 'On pages' },
  orphans: { prefix: 'Before a break' },
  widows: { prefix: 'After it' },
  flow: { label: 'Goes on over pages' },
  gap: { prefix: 'Gap', unit: '%', scale: 100 },
  min: { prefix: 'From', placeholder: 'Auto' },
  max: { prefix: 'To', placeholder: 'Auto' },
  track: { label: 'Behind' },
  zebra: { label: 'Stripes' },
  rule: { label: 'Below each row' },
  headerRule: { label: 'Below the header' },
  footerRule: { label: 'Above the footer' },
  columnRule: { label: 'Between columns' },
  repeatHeader: { label: 'The header on each page' },
  repeatFooter: { label: 'The footer on each page' },
  splitRows: { label: 'A page may end within a row' },
  fontSize: { prefix: 'Size' },
  lineHeight: { prefix: '↕', step: 0.05, label: 'Line height' },
  letterSpacing: { prefix: '↔', step: 0.1, unit: 'px' },
  wordSpacing: { prefix: 'Word', step: 0.5, unit: 'px' },
  textDecorationThickness: { prefix: 'Thick' },
  strokeWidth: { prefix: 'Width' },
  maxLines: { prefix: 'Lines', placeholder: 'Any' },
  quietZone: { prefix: 'Quiet' },
  innerRadius: { prefix: 'Inner', unit: '%', scale: 100 },
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
    names: { start: 'Start of the reading direction', end: 'End of the reading direction' },
  },
  verticalAlign: { icons: VERTICAL },
  errorCorrection: { label: 'Error correction', names: { L: 'L, 7 %', M: 'M, 15 %', Q: 'Q, 25 %', H: 'H, 30 %' } },
  zoom: { prefix: 'Zoom', unit: '%', scale: 100, step: 5 },
  focus: { label: 'Focal point' },
  d: { label: 'Path data', multiline: 'usual' },
  points: { label: 'Points' },
  autoFit: { label: 'Fit to the box' },
  spans: { label: 'Styled words' },
  src: { label: 'Source' },
  lang: { label: 'Language', placeholder: 'en' },
};

/** Properties whose control is clear by itself, so no label is shown. */
export const UNLABELLED = new Set([
  'fontWeight',
  'text',
  'data',
  'fontFamily',
  'layout',
  'shadow',
  'mask',
  'border',
  'filters',
  'backdropFilters',
  'autoFit',
  'textPath',
  'spans',
  'clip',
  'hideWhenEmpty',
  'optional',
  'showText',
  'fontFeatures',
  'constraints',
]);
