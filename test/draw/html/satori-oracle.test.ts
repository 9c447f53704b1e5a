// Compares Platen's drawing of a page with resvg's drawing of satori's own SVG, in which text is outlines: the
// conversion from SVG to a display list loses nothing.

import { Resvg } from '@resvg/resvg-js';
import satori from 'satori';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { composeHtml } from '#draw/html/compose-html.ts';
import { parsePage } from '#draw/html/parse-html.ts';
import { satoriTree } from '#draw/html/satori-tree.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { loadNeeds, PHOTO, satoriFontFiles } from './pages.ts';

const SIZE = { width: 200, height: 120 };
/**
 * The tolerated difference of a pixel, in levels, and the share of pixels that may differ by more: edges of letters and
 * curves.
 */
const NEAR = 24;
const MAX_SHARE = 0.008;
/** The same share on pages with text: our letters are on quarters of a pixel. */
const MAX_SHARE_OF_TEXT = 0.035;

const CASES: Readonly<Record<string, string>> = {
  text: '<p style="font-size:20px;margin:10px;color:#135">Hamburg AVATAR fi</p>',
  'letter spacing': '<p style="letter-spacing:3px;margin:10px">Spaced out</p>',
  'several styles': '<p style="margin:10px">A <b>bold</b>, <i>italic</i> and <code>mono</code> word</p>',
  'text on the right': '<p style="margin:10px;text-align:right">to the right<br>and again</p>',
  underline: '<p style="margin:10px;text-decoration:underline">gypsy</p>',
  ellipsis: '<p style="width:90px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis">A long line of words</p>',
  'text stroke': '<p style="font-size:40px;margin:8px;color:#fd0;-webkit-text-stroke:2px #c00">Stroke</p>',
  'text shadow': '<p style="font-size:30px;margin:20px;text-shadow:2px 3px 4px #00f,-2px -2px #f008">Shadow</p>',
  'text as a window':
    '<p style="font-size:40px;margin:8px;background:linear-gradient(90deg,red,blue);background-clip:text;color:transparent">Window</p>',
  'a linear gradient':
    '<div style="width:150px;height:80px;background:linear-gradient(30deg,#f00,#0f08 40%,#00f)"></div>',
  'a radial gradient':
    '<div style="width:150px;height:80px;background:radial-gradient(circle at 30% 40%,#ff0,#08f 60%,#000)"></div>',
  'an ellipse of a gradient':
    '<div style="width:150px;height:80px;background:radial-gradient(ellipse at center,#ff0,#08f)"></div>',
  'a repeating gradient':
    '<div style="width:150px;height:80px;background:repeating-linear-gradient(45deg,#000 0 8px,#fc0 8px 20px)"></div>',
  'a gradient with a corner':
    '<div style="width:150px;height:80px;border-radius:30px 0 60px 10px;background:linear-gradient(to bottom right,#fff,#f0f)"></div>',
  'two backgrounds':
    '<div style="width:150px;height:80px;background:linear-gradient(90deg,#f008,#0000),linear-gradient(#00f,#0ff)"></div>',
  'a tiled background':
    '<div style="width:150px;height:80px;background:radial-gradient(circle closest-side,#000 30%,#0000 40%) 0 0/20px 20px"></div>',
  'a border of each style':
    '<div style="margin:10px;width:120px;height:70px;border:6px solid #246;border-radius:20px;border-bottom:6px dashed #c33"></div>',
  'borders of several widths':
    '<div style="margin:10px;width:120px;height:70px;border-style:solid;border-width:2px 10px 20px 4px;border-color:red green blue orange"></div>',
  'a box shadow':
    '<div style="margin:30px;width:100px;height:50px;border-radius:12px;background:#fff;box-shadow:4px 8px 12px #0008"></div>',
  'a shadow that spreads':
    '<div style="margin:30px;width:100px;height:50px;border-radius:12px;background:#ff0;box-shadow:0 0 6px 8px #00f8"></div>',
  'an inner shadow':
    '<div style="margin:20px;width:120px;height:70px;border-radius:12px;background:#eee;box-shadow:inset 3px 4px 8px #000a"></div>',
  'a shadow that shrinks':
    '<div style="margin:30px;width:100px;height:50px;background:#fff8;box-shadow:0 16px 6px -8px #00f"></div>',
  'a round shadow that shrinks':
    '<div style="margin:30px;width:100px;height:50px;border-radius:12px;background:#fff;box-shadow:0 18px 6px -8px #00f"></div>',
  'an inner shadow that spreads':
    '<div style="margin:20px;width:120px;height:70px;background:#eee;box-shadow:inset 0 0 6px 8px #a00"></div>',
  'overflow in a thick border':
    '<div style="margin:10px;width:100px;height:60px;border-radius:8px;overflow:hidden;border:14px solid #333"><div style="width:200px;height:200px;background:#fa0"></div></div>',
  'a turned box that cuts':
    '<div style="margin:30px;width:80px;height:40px;border-radius:10px;overflow:hidden;background:#ccf;transform:rotate(15deg)"><p style="margin:0;font-size:30px;white-space:nowrap">Overflow</p></div>',
  'two shadows':
    '<div style="margin:30px;width:100px;height:50px;background:#fff;box-shadow:0 2px 4px #f00,0 12px 16px #00f"></div>',
  overflow:
    '<div style="margin:10px;width:100px;height:60px;border-radius:20px;overflow:hidden;border:5px solid #333"><div style="width:200px;height:200px;background:#fa0"></div></div>',
  'overflow of text':
    '<div style="margin:10px;width:60px;height:30px;overflow:hidden"><p style="margin:0;font-size:30px;white-space:nowrap">Overflowing</p></div>',
  opacity:
    '<div style="opacity:.5"><div style="width:90px;height:60px;background:#f00"></div><div style="margin-top:-30px;margin-left:40px;width:90px;height:60px;background:#00f"></div></div>',
  blending:
    '<div style="width:120px;height:80px;background:#0af"></div><div style="position:absolute;left:60px;top:20px;width:80px;height:80px;background:#fa0;mix-blend-mode:multiply"></div>',
  'a turned box':
    '<div style="margin:30px;width:80px;height:50px;background:#0a8;transform:rotate(20deg) scale(1.2)"><p style="margin:5px">Turned</p></div>',
  'a skewed gradient':
    '<div style="margin:30px;width:80px;height:50px;background:linear-gradient(90deg,#f00,#00f);transform:skewX(25deg)"></div>',
  'a blur': '<div style="margin:30px;width:80px;height:40px;background:#07f;filter:blur(4px)"></div>',
  'filters of colour':
    '<div style="margin:10px;width:120px;height:70px;background:linear-gradient(90deg,#f60,#06f);filter:grayscale(.6) brightness(1.2) hue-rotate(40deg)"></div>',
  'a drop shadow':
    '<div style="margin:30px;width:60px;height:40px;border-radius:50%;background:#fff;filter:drop-shadow(4px 6px 4px #0009)"></div>',
  'a clip path':
    '<div style="margin:10px;width:90px;height:90px;background:#808;clip-path:polygon(50% 0,100% 100%,0 100%)"></div>',
  'a circle to clip':
    '<div style="margin:10px;width:90px;height:90px;background:linear-gradient(#f0f,#0ff);clip-path:circle(40%)"></div>',
  flexbox:
    '<div style="display:flex;gap:8px;padding:10px;justify-content:space-between"><b style="background:#fcc;flex:1">a</b><b style="background:#cfc;flex:2">b</b><b style="background:#ccf">cc</b></div>',
  grid: '<div style="display:grid;grid-template-columns:1fr 2fr;gap:6px;padding:8px"><i style="background:#fcc">1</i><i style="background:#cfc">2</i><i style="background:#ccf;grid-column:span 2">3</i></div>',
  'a list': '<ul style="margin:4px"><li>One</li><li>Two</li></ul><ol style="margin:4px"><li>First</li></ol>',
  'what stands in order':
    '<div style="position:relative"><div style="position:absolute;z-index:2;left:20px;top:20px;width:60px;height:60px;background:#f00"></div><div style="position:absolute;z-index:1;left:40px;top:40px;width:60px;height:60px;background:#00f"></div></div>',
  'a picture': `<img src="${PHOTO}" style="width:120px;height:80px">`,
  'a picture that covers': `<img src="${PHOTO}" style="width:60px;height:100px;object-fit:cover;border-radius:20px">`,
  'a picture that is contained': `<img src="${PHOTO}" style="width:60px;height:100px;object-fit:contain;background:#eee">`,
  'a picture in a ring': `<img src="${PHOTO}" style="margin:6px;width:90px;height:90px;object-fit:cover;border-radius:50%;border:8px solid #c09">`,
  'a picture behind': `<div style="width:150px;height:90px;background:url(${PHOTO}) center/cover"></div>`,
  'a picture in tiles': `<div style="width:150px;height:90px;background:url(${PHOTO}) 5px 5px/40px 30px"></div>`,
  'a drawing':
    '<svg width="80" height="60" viewBox="0 0 40 30"><circle cx="15" cy="15" r="12" fill="#e33"/><path d="M20 5h15v20h-15z" fill="#36c" fill-opacity=".7"/></svg>',
  'an outline':
    '<div style="margin:20px;width:80px;height:40px;outline:3px dashed #b0b;outline-offset:4px;background:#efe"></div>',
  variables:
    '<style>:root{--c:#0b6;--w:calc(20px + 4em)}</style><div style="width:var(--w);height:40px;background:var(--c)"></div>',
};

for (const [name, html] of Object.entries(CASES)) {
  test(name, async () => {
    const css = 'body{font-family:Inter,sans-serif;font-size:16px}';
    const template = HtmlTemplate.parse({
      name: 'T',
      ...SIZE,
      engine: 'html',
      renderer: 'satori',
      html,
      css,
      background: '#fff',
    });
    const { list, resources } = await composeHtml(resolveHtml(template, {}), loadNeeds);
    const drawn = await rasterize(list, resources, 1);

    const tree = satoriTree(parsePage(html).html, css, new Map([[PHOTO, PHOTO]]));
    const svg = await satori(tree as Parameters<typeof satori>[0], {
      ...SIZE,
      fonts: await satoriFontFiles(),
      onStyleError: () => {},
    });
    const wanted = new Resvg(svg, { background: '#fff', font: { loadSystemFonts: false } }).render().pixels;

    let far = 0;
    for (let at = 0; at < wanted.length; at += 4) {
      const worst = Math.max(...[0, 1, 2, 3].map((i) => Math.abs((wanted[at + i] ?? 0) - (drawn.pixels[at + i] ?? 0))));
      if (worst > NEAR) far += 1;
    }
    const share = far / (SIZE.width * SIZE.height);
    if (process.env.LOOK) {
      const raw = { raw: { ...SIZE, channels: 4 as const } };
      const both = [drawn.pixels, wanted].map((pixels) => sharp(Buffer.from(pixels), raw).png().toBuffer());
      const [ours = Buffer.alloc(0), theirs = Buffer.alloc(0)] = await Promise.all(both);
      const file = `${process.env.LOOK}/${name.replaceAll(' ', '-')}.png`;
      await sharp({ create: { width: 410, height: 120, channels: 3, background: '#888' } })
        .composite([
          { input: ours, left: 0, top: 0 },
          { input: theirs, left: 210, top: 0 },
        ])
        .toFile(file);
    }
    expect(share).toBeLessThan(/<p|<li|<i|<b/.test(html) ? MAX_SHARE_OF_TEXT : MAX_SHARE);
  });
}
