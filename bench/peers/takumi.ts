// takumi: layout, painting and encoding in Rust, off the main thread. It caches decoded images between renders.

import { type Node, Renderer } from '@takumi-rs/core';
import { type CssNode, cssTree } from '../css-tree.ts';
import { type OpenPeer, QUALITY } from './peer.ts';

/** URL of takumi's module, for scripts that run elsewhere. */
export const TAKUMI = import.meta.resolve('@takumi-rs/core');

export function nodeOf(node: CssNode): Node {
  if (node.kind === 'text') return { type: 'text', text: node.text, style: { ...node.css, display: 'block' } };
  if (node.kind === 'box') return { type: 'container', style: node.css, children: node.children.map(nodeOf) };
  return { type: 'image', src: node.source, width: node.width, height: node.height, style: node.css };
}

export const open: OpenPeer = async ({ images, fonts, scripts }) => {
  const renderer = new Renderer();
  for (const { weight, bytes } of fonts) {
    await renderer.registerFont({ name: 'Inter', data: bytes, weight, style: 'normal' });
  }
  for (const { name, bytes } of scripts) {
    await renderer.registerFont({ name, data: bytes, weight: 400, style: 'normal' });
  }

  const sourceOf = (src: string) => {
    const image = images.get(src);
    if (!image) throw new Error(`no image "${src}"`);
    return { src, data: image.bytes };
  };
  const imagesOf = (node: CssNode): string[] =>
    node.kind === 'image' ? [node.source] : node.kind === 'box' ? node.children.flatMap(imagesOf) : [];

  return {
    outputs: ['png', 'jpeg', 'webp'],
    async render({ template, scale = 1 }, strings, output, quality = QUALITY) {
      if (output === 'pdf') throw new Error('takumi writes no PDF');
      const { width, height } = template;
      const tree = cssTree(template, strings);
      const used = new Set(imagesOf(tree));
      return renderer.render(nodeOf(tree), {
        width: scale * width,
        height: scale * height,
        devicePixelRatio: scale,
        format: output,
        images: [...used].map(sourceOf),
        ...(output === 'png' ? {} : { quality }),
      });
    },
  };
};
