// Generates a card from a seed: one of ten kinds that a service typically renders, with its own size, palette, type and
// picture.

import { parseTemplate, type Template } from '#core/template/template.ts';
import { ALBUM } from '../assets.ts';
import { randomFrom } from '../statistics.ts';
import { seedOf } from './family.ts';
import { between, latinPhrase, pick, type Random } from './words.ts';

export interface Card {
  readonly template: Template;
  /** New words for every text layer in the `i`-th render. */
  strings(i: number): Readonly<Record<string, string>>;
}

type Input = Record<string, unknown>;

const SIZES = [
  [1200, 630],
  [1080, 1080],
  [1080, 1350],
  [1080, 1920],
  [1600, 900],
  [800, 418],
  [1200, 675],
  [1500, 500],
] as const;

/** A palette from a hue: ink, paper, two accents. */
function palette(random: Random) {
  const hue = between(random, 0, 359);
  const turn = pick(random, [30, 120, 150, 180, 210]);
  const dark = random() < 0.5;
  return {
    dark,
    paper: dark ? `hsl(${hue} 40% 12%)` : `hsl(${hue} 35% 95%)`,
    panel: dark ? `hsl(${hue} 32% 20%)` : '#ffffff',
    ink: dark ? '#f8fafc' : `hsl(${hue} 45% 12%)`,
    muted: dark ? `hsl(${hue} 20% 72%)` : `hsl(${hue} 14% 42%)`,
    accent: `hsl(${hue} 75% 48%)`,
    second: `hsl(${(hue + turn) % 360} 72% 52%)`,
  };
}

/** Collects the layers of one card; positions and sizes are px. */
class Sheet {
  readonly random: Random;
  readonly width: number;
  readonly height: number;
  readonly colors: ReturnType<typeof palette>;
  readonly photo: string;
  /** Scale of type and spacing, relative to a card of 1200 px. */
  readonly unit: number;
  readonly words: { readonly name: string; readonly words: number }[] = [];
  #names = 0;

  constructor(random: Random, photo: string) {
    this.random = random;
    this.photo = photo;
    [this.width, this.height] = pick(random, SIZES);
    this.colors = palette(random);
    this.unit = Math.min(this.width, this.height * 1.6) / 1200;
  }

  px = (length: number) => Math.round(length * this.unit);
  name = (kind: string) => `${kind} ${++this.#names}`;

  text(words: number, size: number, more: Input = {}): Input {
    const name = this.name('text');
    this.words.push({ name, words });
    return {
      name,
      type: 'text',
      text: name,
      fontSize: Math.max(8, this.px(size)),
      fontWeight: pick(this.random, [400, 600, 700]),
      lineHeight: 1.2,
      color: this.colors.ink,
      flexShrink: 0,
      ...more,
    };
  }

  shape = (x: number, y: number, width: number, height: number, fill: unknown, more: Input = {}): Input => ({
    name: this.name('shape'),
    type: 'shape',
    x,
    y,
    width,
    height,
    fill,
    ...more,
  });

  image = (x: number, y: number, width: number, height: number, more: Input = {}): Input => ({
    name: this.name('image'),
    type: 'image',
    src: this.photo,
    x,
    y,
    width,
    height,
    ...more,
  });

  frame = (direction: 'row' | 'column', children: readonly Input[], more: Input = {}, layout: Input = {}): Input => ({
    name: this.name('frame'),
    type: 'frame',
    layout: { direction, ...layout },
    ...more,
    children,
  });

  gradient(from = this.colors.accent, to = this.colors.second): Input {
    const stops = [{ color: from }, { color: to }];
    const type = pick(this.random, ['linear', 'linear', 'linear', 'radial', 'conic']);
    return { type, stops, ...(type === 'radial' ? {} : { angle: between(this.random, 0, 359) }) };
  }

  shadow = (): Input => ({
    y: this.px(between(this.random, 2, 18)),
    blur: this.px(between(this.random, 6, 60)),
    color: `rgba(15, 23, 42, 0.${between(this.random, 12, 45)})`,
  });

  pill(words: number): Input {
    const height = this.px(44);
    const more = {
      background: this.colors.accent,
      borderRadius: height / 2,
      padding: [this.px(8), this.px(22), this.px(8), this.px(22)],
    };
    return this.frame('row', [this.text(words, 22, { color: '#ffffff' })], more, { align: 'center' });
  }

  person(): Input {
    const side = this.px(72);
    const face = this.image(0, 0, side, side, { borderRadius: side / 2 });
    const lines = [this.text(2, 26), this.text(3, 20, { color: this.colors.muted })];
    return this.frame(
      'row',
      [face, this.frame('column', lines, {}, { gap: 4 })],
      {},
      { gap: this.px(18), align: 'center' },
    );
  }

  /** The whole card as a column. */
  column = (children: readonly Input[], more: Input = {}, layout: Input = {}): Input =>
    this.frame('column', children, { width: this.width, height: this.height, padding: this.px(60), ...more }, layout);
}

const KINDS: Readonly<Record<string, (sheet: Sheet) => readonly Input[]>> = {
  hero(s) {
    const shade = {
      type: 'linear',
      angle: 180,
      stops: [{ color: 'rgba(8, 12, 24, 0.15)' }, { color: 'rgba(8, 12, 24, 0.9)' }],
    };
    const width = s.width - s.px(120);
    return [
      s.image(0, 0, s.width, s.height),
      s.shape(0, 0, s.width, s.height, shade),
      s.column(
        [
          s.pill(2),
          s.frame(
            'column',
            [s.text(7, 64, { color: '#ffffff', width }), s.text(20, 28, { color: '#d7deea', width, lineHeight: 1.4 })],
            {},
            { gap: s.px(18) },
          ),
        ],
        {},
        { justify: 'space-between', align: 'start' },
      ),
    ];
  },

  split(s) {
    const half = Math.round(s.width * 0.46);
    const room = s.width - half - s.px(150);
    const bullets = Array.from({ length: between(s.random, 2, 4) }, () =>
      s.frame(
        'row',
        [
          s.shape(0, 0, s.px(12), s.px(12), s.colors.second, { shape: 'ellipse' }),
          s.text(4, 24, { width: room - s.px(40), color: s.colors.muted }),
        ],
        {},
        { gap: s.px(14), align: 'center' },
      ),
    );
    const margin = s.px(50);
    return [
      s.image(margin, margin, half - margin, s.height - 2 * margin, { borderRadius: s.px(28), shadow: s.shadow() }),
      s.frame(
        'column',
        [s.text(5, 50, { width: room }), ...bullets],
        { x: half + s.px(50), y: s.px(80), width: room },
        { gap: s.px(22) },
      ),
    ];
  },

  quote(s) {
    const dots = Array.from({ length: between(s.random, 3, 6) }, () => {
      const side = between(s.random, s.px(80), s.px(380));
      const [x, y] = [between(s.random, -side / 2, s.width), between(s.random, -side / 2, s.height)];
      return s.shape(Math.round(x), Math.round(y), side, side, s.gradient(), { shape: 'ellipse', opacity: 0.35 });
    });
    const width = s.width - s.px(220);
    return [
      s.shape(0, 0, s.width, s.height, s.gradient()),
      ...dots,
      s.column(
        [s.text(16, 52, { width, color: '#ffffff', lineHeight: 1.25 }), s.person()],
        { padding: s.px(110) },
        { justify: 'center', gap: s.px(44) },
      ),
    ];
  },

  stats(s) {
    const count = between(s.random, 3, 4);
    const gap = s.px(24);
    const width = Math.floor((s.width - s.px(120) - gap * (count - 1)) / count);
    const cards = Array.from({ length: count }, () =>
      s.frame(
        'column',
        [s.text(2, 20, { color: s.colors.muted, width: width - s.px(48) }), s.text(1, 46)],
        {
          width,
          padding: s.px(24),
          borderRadius: s.px(20),
          background: s.colors.panel,
          shadow: s.shadow(),
        },
        { gap: s.px(8) },
      ),
    );
    const bars = between(s.random, 8, 24);
    const step = (s.width - s.px(120)) / bars;
    const chart = Array.from({ length: bars }, (_, bar) => {
      const height = between(s.random, s.px(20), s.px(190));
      const x = Math.round(s.px(60) + bar * step);
      const y = s.height - s.px(60) - height;
      return s.shape(x, y, Math.round(step * 0.7), height, bar % 3 ? s.colors.accent : s.gradient(), {
        borderRadius: s.px(6),
      });
    });
    return [
      ...chart,
      s.column(
        [s.text(5, 44, { width: s.width - s.px(120) }), s.frame('row', cards, {}, { gap })],
        {},
        { gap: s.px(30) },
      ),
    ];
  },

  prices(s) {
    const shadow = s.shadow();
    const rows = Array.from({ length: between(s.random, 3, 6) }, () =>
      s.frame(
        'row',
        [
          s.frame(
            'row',
            [
              s.shape(0, 0, s.px(56), s.px(56), s.gradient(), { borderRadius: s.px(14) }),
              s.frame('column', [s.text(3, 24), s.text(5, 17, { color: s.colors.muted })], {}, { gap: 4 }),
            ],
            {},
            { gap: s.px(18), align: 'center' },
          ),
          s.text(1, 30, { color: s.colors.accent }),
        ],
        {
          padding: [s.px(10), s.px(24), s.px(10), s.px(24)],
          borderRadius: s.px(16),
          background: s.colors.panel,
          shadow,
        },
        { justify: 'space-between', align: 'center' },
      ),
    );
    return [
      s.shape(0, 0, s.width, Math.round(s.height * 0.3), s.gradient()),
      s.column([s.text(4, 48, { width: s.width - s.px(120), color: '#ffffff' }), ...rows], {}, { gap: s.px(16) }),
    ];
  },

  ticket(s) {
    const [x, y] = [s.px(70), Math.round(s.height * 0.15)];
    const [width, height] = [s.width - 2 * x, s.height - 2 * y];
    const tear = Math.round(x + width * 0.72);
    const dashes = Array.from({ length: 14 }, (_, dash) =>
      s.shape(tear, Math.round(y + ((dash + 0.25) * height) / 14), 3, Math.round(height / 28), s.colors.muted),
    );
    const cell = Math.max(3, Math.round((width * 0.2) / 21));
    const code = Array.from({ length: 120 }, () =>
      s.shape(
        tear + s.px(30) + cell * between(s.random, 0, 20),
        y + s.px(60) + cell * between(s.random, 0, 20),
        cell,
        cell,
        s.colors.ink,
      ),
    );
    const lines = [
      s.text(4, 50, { width: tear - x - s.px(100) }),
      s.text(6, 26, { color: s.colors.muted }),
      s.text(3, 30),
      s.pill(2),
    ];
    return [
      s.shape(0, 0, s.width, s.height, s.gradient()),
      s.shape(x, y, width, height, s.colors.panel, { borderRadius: s.px(30), shadow: s.shadow() }),
      ...dashes,
      ...code,
      s.frame('column', lines, { x: x + s.px(50), y: y + s.px(50) }, { gap: s.px(20), align: 'start' }),
    ];
  },

  product(s) {
    const side = Math.round(Math.min(s.width, s.height) * 0.56);
    const [x, y] = [s.width - side - s.px(60), Math.round((s.height - side) / 2)];
    const badge = s.px(150);
    const mask = pick(s.random, [{ shape: 'ellipse' }, { shape: 'rect', borderRadius: s.px(48) }]);
    return [
      s.shape(x - s.px(60), y - s.px(40), side + s.px(120), side + s.px(80), s.gradient(), {
        shape: 'ellipse',
        opacity: 0.6,
      }),
      s.image(x, y, side, side, { mask }),
      s.shape(x - s.px(40), y + s.px(10), badge, badge, s.colors.second, {
        borderRadius: s.px(24),
        rotation: between(s.random, -25, 25),
        shadow: s.shadow(),
      }),
      s.text(1, 30, { x: x - s.px(20), y: y + s.px(60), color: '#ffffff', rotation: between(s.random, -25, 25) }),
      s.frame(
        'column',
        [
          s.pill(1),
          s.text(4, 46, { width: x - s.px(150) }),
          s.text(12, 22, { width: x - s.px(150), color: s.colors.muted }),
        ],
        { x: s.px(60), y: s.px(90) },
        { gap: s.px(22), align: 'start' },
      ),
    ];
  },

  panels(s) {
    const panels = Array.from({ length: between(s.random, 2, 4) }, () =>
      s.frame(
        'column',
        [s.text(3, 30, { color: '#ffffff' }), s.text(10, 22, { color: '#e2e8f0', width: s.width - s.px(240) })],
        {
          width: s.width - s.px(160),
          padding: s.px(36),
          borderRadius: s.px(26),
          background: `rgba(${between(s.random, 0, 60)}, ${between(s.random, 0, 60)}, ${between(s.random, 20, 90)}, 0.6)`,
          border: { width: 2, color: 'rgba(255, 255, 255, 0.3)' },
        },
        { gap: s.px(10) },
      ),
    );
    return [
      s.image(0, 0, s.width, s.height),
      s.column(panels, { padding: s.px(80) }, { justify: 'end', gap: s.px(24) }),
    ];
  },

  certificate(s) {
    const edge = s.px(36);
    const width = s.width - s.px(240);
    const ornaments = Array.from({ length: 12 }, (_, n) => {
      const side = s.px(26);
      const x = Math.round(edge + ((n + 0.5) * (s.width - 2 * edge)) / 12 - side / 2);
      return s.shape(x, edge - side / 2, side, side, n % 2 ? s.colors.accent : s.colors.second, { rotation: 45 });
    });
    const frame = s.frame('column', [], {
      x: edge,
      y: edge,
      width: s.width - 2 * edge,
      height: s.height - 2 * edge,
      border: { width: s.px(6), color: s.colors.accent },
      borderRadius: s.px(10),
    });
    const lines = [
      s.text(3, 30, { color: s.colors.muted, width, align: 'center' }),
      s.text(3, 62, { width, align: 'center' }),
      s.text(16, 24, { width, align: 'center', lineHeight: 1.5 }),
    ];
    return [frame, ...ornaments, s.column(lines, { padding: s.px(120) }, { gap: s.px(24) })];
  },

  agenda(s) {
    const rows = Array.from({ length: between(s.random, 4, 8) }, (_, row) =>
      s.frame(
        'row',
        [s.text(1, 24, { color: s.colors.accent, width: s.px(150) }), row % 2 ? s.text(6, 24) : s.person()],
        { padding: [s.px(6), 0, s.px(6), 0] },
        { gap: s.px(24), align: 'center' },
      ),
    );
    return [
      s.shape(0, 0, s.px(24), s.height, s.gradient()),
      s.column([s.text(4, 46), ...rows], { padding: s.px(70) }, { gap: s.px(10) }),
    ];
  },
};

/** @param photo the picture's source; default: one of the album, chosen by the seed */
export function cardOf(seed: number, photo?: string): Card {
  const random = randomFrom(seed);
  const kind = pick(random, Object.keys(KINDS));
  const sheet = new Sheet(random, photo ?? `album-${between(random, 0, ALBUM - 1)}.jpg`);
  const template = parseTemplate({
    name: `${kind} ${seed}`,
    width: sheet.width,
    height: sheet.height,
    background: sheet.colors.paper,
    layers: KINDS[kind]?.(sheet),
  });
  return {
    template,
    strings(i) {
      const words = randomFrom(seedOf(seed, i));
      return Object.fromEntries(sheet.words.slice(0, 200).map((text) => [text.name, latinPhrase(words, text.words)]));
    },
  };
}
