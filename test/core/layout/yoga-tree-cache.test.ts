// Tests that a reused layout tree gives the same result as a new one, whatever was laid out in it before.

import { expect, test } from 'vitest';
import { describeLayout } from '#core/layout/describe-layout.ts';
import { layOut } from '#core/layout/layout.ts';
import { YogaTreeCache } from '#core/layout/yoga-tree-cache.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { fontSet, style } from '../text/faces.ts';

const WORDS = [{}, { a: 'word' }, { a: 'many more words than one', b: 'b' }, { b: false }, { a: '', b: 'in between' }];

const DIRECTIONS = ['row', 'column', 'row-reverse', 'column-reverse'];
const LAYOUTS = [
  { justify: 'space-between', align: 'center' },
  { align: 'start', gap: 7 },
  { align: 'baseline' },
  { wrap: 'wrap', align: 'end' },
].flatMap((layout) => DIRECTIONS.map((direction) => ({ direction, ...layout })));
const ITEMS = [
  {},
  { flexGrow: 1 },
  { width: 'fill', height: 'fill' },
  { flexShrink: 2, minWidth: 30 },
  { maxHeight: 12 },
];
const FRAMES = [
  { width: 160, height: 90 },
  { width: 'hug', maxHeight: 40 },
  { width: 60, direction: 'rtl' },
];

const fonts = fontSet(style({ font: { ...style().font, families: ['inter'] } }));
const resources = { fonts, images: new Map(), codes: new Map(), hyphenators: new Map() };

test.each(LAYOUTS)('$direction $justify $align $wrap', (layout) => {
  for (const item of ITEMS) {
    for (const frame of FRAMES) {
      const stored = {
        name: 'card',
        width: 300,
        height: 200,
        layers: [
          {
            name: 'frame',
            type: 'frame',
            layout,
            ...frame,
            children: [
              { name: 'a', type: 'text', text: 'a', fontFamily: 'inter', ...item },
              { name: 'b', type: 'text', text: 'b', fontFamily: 'inter', margin: 3 },
              { name: 'c', type: 'shape', width: 20, height: 10 },
            ],
          },
        ],
      };
      const template = parseTemplate(stored);
      const trees = new YogaTreeCache();
      const layers = (from: typeof template, modifications: object, kept?: { trees: YogaTreeCache }) => {
        const scene = resolve(from, { ...modifications });
        return describeLayout(scene, layOut(scene, resources, kept).boxes).layers;
      };
      for (const words of [...WORDS, ...WORDS.toReversed()]) {
        expect(layers(template, words, { trees })).toEqual(layers(parseTemplate(stored), words));
      }
    }
  }
});
