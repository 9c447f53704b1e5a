// satori lays out and writes SVG, resvg-js paints it, and sharp encodes JPEG and WebP, which resvg-js cannot.

import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import sharp from 'sharp';
import { type CssNode, cssTree } from '../css-tree.ts';
import { type OpenPeer, QUALITY } from './peer.ts';

export const open: OpenPeer = async ({ images, fonts }) => {
  const faces = fonts.map(({ weight, bytes }) => ({ name: 'Inter', data: bytes, weight, style: 'normal' as const }));

  const element = (node: CssNode): { type: string; props: Record<string, unknown> } => {
    if (node.kind === 'text')
      return { type: 'div', props: { style: { ...node.css, display: 'flex' }, children: node.text } };
    if (node.kind === 'box') return { type: 'div', props: { style: node.css, children: node.children.map(element) } };
    const { source, css: style, width, height } = node;
    return { type: 'img', props: { src: images.get(source)?.dataUri, style, width, height } };
  };

  return {
    outputs: ['png', 'jpeg', 'webp'],
    async render({ template }, strings, output, quality = QUALITY) {
      const { width, height } = template;
      const tree = element(cssTree(template, strings)) as unknown as Parameters<typeof satori>[0];
      const svg = await satori(tree, { width, height, fonts: faces });
      // By default it reads the system's fonts, which would cost another 10 ms per render.
      const picture = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
      if (output === 'png') return picture.asPng();
      const pixels = sharp(picture.pixels, { raw: { width, height, channels: 4, premultiplied: true } });
      return output === 'jpeg'
        ? pixels.removeAlpha().jpeg({ quality }).toBuffer()
        : pixels.webp({ quality }).toBuffer();
    },
  };
};
