// Families of one template in which everything changes: every layer, every effect, all text, the picture.

import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { parseTemplate } from '#core/template/template.ts';
import { ALBUM } from '../assets.ts';
import { randomFrom } from '../statistics.ts';
import { type OpenFamily, seedOf } from './family.ts';
import { between, latinPhrase, passage, pick, type Random } from './words.ts';

const RACE = { outputs: ['png'], renderers: ['platen', 'takumi'], warmUp: 30, rounds: 60 } as const;
const [WIDTH, HEIGHT] = [1200, 630];

const color = (random: Random, alpha = 1) =>
  `hsl(${between(random, 0, 359)} ${between(random, 40, 90)}% ${between(random, 25, 75)}% / ${alpha})`;

const gradient = (random: Random) => ({
  type: pick(random, ['linear', 'linear', 'radial', 'conic'] as const),
  stops: Array.from({ length: between(random, 2, 4) }, () => ({ color: color(random) })),
});

/** A random place mostly inside the canvas. */
function place(random: Random, least: number, most: number) {
  const [width, height] = [between(random, least, most), between(random, least, Math.min(most, 400))];
  return { x: between(random, -40, WIDTH - width + 40), y: between(random, -40, HEIGHT - height + 40), width, height };
}

const shadow = (random: Random) => ({
  x: between(random, -6, 6),
  y: between(random, 2, 24),
  blur: between(random, 4, 60),
  color: `rgba(10, 16, 32, 0.${between(random, 15, 50)})`,
});

const draws =
  (seed: number, patch: (random: Random, i: number) => Modifications) =>
  (i: number): Modifications =>
    patch(randomFrom(seedOf(seed, i)), i);

/** Eighteen layers whose words, colours, positions, sizes and shadows differ in every render. */
export const allChange: OpenFamily = (seed) => {
  const boxes = Array.from({ length: 8 }, (_, n) => ({
    name: `box ${n}`,
    type: 'shape',
    shape: n % 3 === 2 ? 'ellipse' : 'rect',
  }));
  const pictures = ['picture 0', 'picture 1'].map((name) => ({
    name,
    type: 'image',
    src: 'portrait.jpg',
    width: 10,
    height: 10,
  }));
  const texts = Array.from({ length: 8 }, (_, n) => ({
    name: `text ${n}`,
    type: 'text',
    fontWeight: n % 2 ? 400 : 700,
  }));
  const template = parseTemplate({
    name: 'All change',
    width: WIDTH,
    height: HEIGHT,
    background: '#f1f5f9',
    layers: [...boxes, ...pictures, ...texts],
  });
  const modifications = draws(seed, (random) => ({
    ...Object.fromEntries(
      boxes.map(({ name, shape }) => [
        name,
        {
          ...place(random, 60, 420),
          fill: random() < 0.6 ? color(random) : gradient(random),
          shadow: shadow(random),
          ...(shape === 'rect' ? { borderRadius: between(random, 0, 30) } : {}),
        },
      ]),
    ),
    ...Object.fromEntries(
      pictures.map(({ name }) => [
        name,
        {
          ...place(random, 120, 360),
          borderRadius: between(random, 0, 40),
          shadow: shadow(random),
        },
      ]),
    ),
    ...Object.fromEntries(
      texts.map(({ name }) => [
        name,
        {
          x: between(random, 0, 700),
          y: between(random, 0, 560),
          width: between(random, 300, 500),
          text: latinPhrase(random, between(random, 2, 9)),
          fontSize: between(random, 16, 64),
          color: color(random),
        },
      ]),
    ),
  }));
  return {
    name: 'all-change',
    ...RACE,
    outputs: ['png', 'jpeg'],
    draw: (i) => ({ template, modifications: modifications(i) }),
  };
};

const BLENDS = ['multiply', 'screen', 'overlay', 'soft-light', 'color-dodge', 'luminosity', 'difference', 'darken'];

/** Three blurs, three shadows, three masks and three blend modes over a photo, all different in every render. */
export const effects: OpenFamily = (seed) => {
  const kinds = ['blur', 'shadow', 'mask', 'blend'] as const;
  const layers = Array.from({ length: 12 }, (_, n) => ({ name: `${kinds[n % 4]} ${n}`, kind: kinds[n % 4] }));
  const template = parseTemplate({
    name: 'Effects',
    width: WIDTH,
    height: HEIGHT,
    layers: [
      { name: 'photo', type: 'image', src: 'photo.jpg', width: WIDTH, height: HEIGHT },
      ...layers.map(({ name, kind }, n) =>
        kind === 'mask' && n % 8 === 2
          ? { name, type: 'image', src: 'portrait.jpg', width: 10, height: 10 }
          : { name, type: 'shape', fill: '#38bdf8' },
      ),
      { name: 'caption', type: 'text', x: 40, y: 540, fontSize: 40, color: '#ffffff' },
    ],
  });
  const effect = {
    blur: (random: Random) => ({ blur: between(random, 2, 40), fill: color(random, 0.8) }),
    shadow: (random: Random) => ({ shadow: shadow(random), fill: color(random), borderRadius: between(random, 0, 60) }),
    mask: (random: Random) => ({
      mask: pick(random, [
        { shape: 'ellipse' },
        { shape: 'rect', borderRadius: between(random, 10, 50) },
        { shape: 'star', points: between(random, 5, 9) },
        { shape: 'polygon', points: between(random, 3, 8) },
      ]),
    }),
    blend: (random: Random) => ({
      blendMode: pick(random, BLENDS),
      fill: random() < 0.5 ? color(random) : gradient(random),
    }),
  } as const;
  const modifications = draws(seed, (random) => ({
    ...Object.fromEntries(
      layers.map(({ name, kind }) => [name, { ...place(random, 140, 480), ...effect[kind ?? 'blur'](random) }]),
    ),
    caption: latinPhrase(random, 5),
  }));
  return { name: 'effects', ...RACE, rounds: 40, draw: (i) => ({ template, modifications: modifications(i) }) };
};

/** A thousand new characters each of Latin, Japanese and Arabic. */
export const scripts: OpenFamily = (seed) => {
  const column = (name: string, x: number, more = {}) => ({
    name,
    type: 'text',
    x,
    y: 40,
    width: 480,
    fontSize: 20,
    lineHeight: 1.5,
    color: '#1f2937',
    ...more,
  });
  const template = parseTemplate({
    name: 'Three scripts',
    width: 1600,
    height: 1600,
    background: '#fffdf7',
    layers: [column('latin', 40), column('japanese', 560, { lang: 'ja' }), column('arabic', 1080)],
  });
  const modifications = draws(seed, (random) => ({
    latin: passage(random, 'latin', 1000),
    japanese: passage(random, 'japanese', 1000),
    arabic: passage(random, 'arabic', 1000),
  }));
  return { name: 'scripts', ...RACE, draw: (i) => ({ template, modifications: modifications(i) }) };
};

/** A photo that has not been decoded before, of any size, rotated by any angle and cropped to any box. */
export const photos: OpenFamily = (seed) => {
  const template = parseTemplate({
    name: 'New photo',
    width: WIDTH,
    height: HEIGHT,
    background: '#0f172a',
    layers: [
      { name: 'photo', type: 'image', src: '', width: 10, height: 10 },
      { name: 'caption', type: 'text', x: 40, y: 550, fontSize: 36, fontWeight: 700, color: '#ffffff' },
    ],
  });
  const modifications = draws(seed, (random, i) => ({
    photo: {
      src: `album-${between(random, 0, ALBUM - 1)}~${i}.jpg`,
      ...place(random, 240, 900),
      rotation: between(random, -180, 180),
      borderRadius: between(random, 0, 40),
    },
    caption: latinPhrase(random, 6),
  }));
  return {
    name: 'photos',
    ...RACE,
    outputs: ['jpeg'],
    renderers: ['platen', 'takumi', 'chromium'],
    warmUp: 20,
    draw: (i) => ({ template, modifications: modifications(i) }),
  };
};
