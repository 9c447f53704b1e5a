// @react-pdf/renderer: lays out React elements with yoga and writes them with its own pdfkit. It draws no shadows, and
// no gradients behind boxes; leaving these out does not make it slower.

import { createRequire } from 'node:module';
import type * as ReactPdf from '@react-pdf/renderer';
import { type Css, type CssNode, cssTree } from '../css-tree.ts';
import type { OpenPeer } from './peer.ts';

/** Properties that it does not support and warns about. */
const UNKNOWN = new Set(['boxShadow', 'backgroundImage', 'boxSizing', 'display', 'objectFit']);

export const open: OpenPeer = async ({ images, fonts }) => {
  const { Document, Page, View, Text, Image, Font, renderToBuffer }: typeof ReactPdf = await import(
    '@react-pdf/renderer'
  );
  const { createElement } = createRequire(import.meta.url)('react') as {
    createElement: (type: unknown, props: unknown, ...children: unknown[]) => never;
  };
  Font.register({
    family: 'Inter',
    fonts: fonts.map(({ weight, bytes }) => ({
      src: `data:font/ttf;base64,${bytes.toString('base64')}`,
      fontWeight: weight,
    })),
  });
  // By default it breaks words between letters.
  Font.registerHyphenationCallback((word) => [word]);

  const styleOf = (css: Css, more: Css = {}) =>
    Object.fromEntries(Object.entries({ ...css, ...more }).filter(([name]) => !UNKNOWN.has(name)));

  const element = (node: CssNode): never => {
    if (node.kind === 'text') return createElement(Text, { style: styleOf(node.css) }, node.text);
    if (node.kind === 'box') return createElement(View, { style: styleOf(node.css) }, ...node.children.map(element));
    const { css, source, width, height } = node;
    return createElement(Image, {
      src: { data: images.get(source)?.bytes, format: source.endsWith('.png') ? 'png' : 'jpg' },
      style: styleOf(css, { width, height, objectFit: 'cover' }),
    });
  };

  return {
    outputs: ['pdf'],
    async render({ template }, strings) {
      const { width, height } = template;
      const page = createElement(Page, { size: [width, height], dpi: 72 }, element(cssTree(template, strings)));
      return renderToBuffer(createElement(Document, {}, page));
    },
  };
};
