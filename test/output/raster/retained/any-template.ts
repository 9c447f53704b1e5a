// Templates at random, and what a caller changes in them from render to render: their pictures in one piece and from
// kept rasters, compared.

import fc from 'fast-check';
import { parseTemplate } from '#core/template/template.ts';
import { noise } from '../../../images/pictures.ts';
import { type Deviation, deviation, placeTemplate, plainly, retained } from './both-ways.ts';

const photo = await noise(90, 60).blur(2).jpeg().toBuffer();
const logo = await noise(40, 40).blur(1).ensureAlpha(0.6).png().toBuffer();
const sources = { read: async (source: string) => (source === 'photo.jpg' ? photo : logo) };

const [WIDTH, HEIGHT] = [200, 120];

const color = fc.constantFrom('#ff0000', '#0a7', 'rgba(20, 30, 200, 0.5)', '#111827', '#ffffff');
const fades = [{ color: '#fff' }, { color: '#0000' }];
const sunset = [{ color: '#f59e0b' }, { color: '#be185d' }];
const gradient = fc.constantFrom(
  { type: 'linear', angle: 30, stops: fades },
  { type: 'linear', angle: 75, stops: sunset },
  { type: 'linear', angle: 75, stops: sunset },
  { type: 'radial', stops: fades },
  { type: 'conic', angle: 20, stops: sunset },
);
const fill = fc.oneof({ weight: 3, arbitrary: color }, { weight: 2, arbitrary: gradient });

const moved = {
  x: fc.integer({ min: -80, max: 720 }).map((quarters) => quarters / 4),
  opacity: fc.constantFrom(1, 1, 1, 0.5, 0.3),
};
const place = {
  ...moved,
  y: fc.integer({ min: -20, max: 90 }),
  rotation: fc.constantFrom(0, 0, 0, 0, 0, 30, 90),
};
const size = { width: fc.integer({ min: 1, max: 150 }), height: fc.integer({ min: 1, max: 90 }) };
const shadow = fc.constantFrom(null, null, null, { y: 3, blur: 8, color: 'rgba(0, 0, 0, 0.4)' });
const borderRadius = fc.constantFrom(0, 0, 7, 12.5);

const strokeWidth = fc.constantFrom(1, 1.5, 4);

const text = fc.record({
  type: fc.constant('text'),
  ...place,
  text: fc.constantFrom('Plate', 'wavy AV', 'سلام', 'one two three four'),
  fontSize: fc.constantFrom(9, 16, 31.5),
  color: fill,
  stroke: fc.constantFrom(null, null, null, null, '#0369a1'),
  strokeWidth,
});
const shape = fc.record({
  type: fc.constant('shape'),
  ...place,
  ...size,
  shape: fc.constantFrom('rect', 'rect', 'ellipse', 'star'),
  fill,
  stroke: fc.constantFrom(null, null, null, '#7c2d12'),
  strokeWidth,
  shadow,
});
const image = fc.record({
  type: fc.constant('image'),
  ...place,
  ...size,
  src: fc.constantFrom('photo.jpg', 'logo.png'),
  borderRadius,
  filters: fc.constantFrom(null, null, null, { grayscale: 1 }, { blur: 3 }),
});
const leaf = fc.oneof(text, shape, image);
const frame = fc.record({
  type: fc.constant('frame'),
  ...place,
  ...size,
  background: fc.option(fill),
  border: fc.constantFrom(null, null, { width: 2, color: '#0a7' }, { width: 3, color: '#f0f', style: 'dashed' }),
  borderRadius,
  clip: fc.boolean(),
  children: fc.array(leaf, { maxLength: 3 }),
});
const layers = fc.array(fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 1, arbitrary: frame }), {
  minLength: 1,
  maxLength: 9,
});

/** What a caller changes in some of the layers, from render to render. */
const changes = fc.array(fc.dictionary(fc.nat(8).map(String), fc.record(moved)), { minLength: 1, maxLength: 4 });

type AnyLayer = Readonly<Record<string, unknown>>;

export interface AnyRenders {
  readonly layers: readonly AnyLayer[];
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  readonly scale: number;
}

export const anyRenders: fc.Arbitrary<AnyRenders> = fc.record({ layers, changes, scale: fc.constantFrom(1, 1, 2) });

function withName(layer: AnyLayer, name: string): AnyLayer {
  const { children } = layer;
  const named = Array.isArray(children)
    ? { children: children.map((child, i) => withName(child, `${name} ${i}`)) }
    : {};
  return { name, ...layer, ...named };
}

/**
 * What a render may be off by, of 255: nothing, but where the rasteriser rounds for itself. Letters whose outlines cross
 * within a sample may cover a 255th more or less. A turned picture and a
 * gradient that is worked out elsewhere are laid over the rest with one rounding more than in one piece, and lines no
 * wider than a pixel with two.
 */
export function roundings({ layers, scale }: AnyRenders): number {
  return layers.reduce((sum, layer) => sum + roundingsIn(layer, scale), 0);
}

function roundingsIn(layer: AnyLayer, scale: number): number {
  const { type, rotation, stroke, strokeWidth, children } = layer;
  const isTurned = type === 'image' && rotation !== 0;
  const isThin = (stroke && Number(strokeWidth) * scale <= 1) || isDashed(layer);
  const brushes = [layer.color, layer.fill, layer.background].filter(isWorkedOutElsewhere);
  const inner = Array.isArray(children) ? children.reduce((sum, child) => sum + roundingsIn(child, scale), 0) : 0;
  // All that a turned frame holds is turned.
  const pictures = rotation !== 0 && Array.isArray(children) ? children.length : 0;
  return Number(isTurned) + Number(type === 'text') + (isThin ? 2 : 0) + brushes.length + inner + pictures;
}

/** A dashed border is no wider than half of its box, which may be thin. */
function isDashed({ border }: AnyLayer): boolean {
  return typeof border === 'object' && border !== null && 'style' in border && border.style === 'dashed';
}

function isWorkedOutElsewhere(brush: unknown): boolean {
  return typeof brush === 'object' && brush !== null && 'type' in brush && brush.type !== 'linear';
}

/** How far each render is from what it looks like in one piece; ends where a list is drawn in no other way. */
export async function* deviations({ layers, changes, scale }: AnyRenders): AsyncGenerator<Deviation> {
  const named = layers.map((layer, i) => withName(layer, String(i)));
  // Without what fast-check notes down in an object.
  const document = JSON.parse(JSON.stringify({ name: 'Any', width: WIDTH, height: HEIGHT, layers: named }));
  const template = parseTemplate(document);
  for (const change of [{}, ...changes, {}]) {
    const known = Object.fromEntries(Object.entries(change).filter(([name]) => Number(name) < layers.length));
    const placed = await placeTemplate(template, known, sources, scale);
    const kept = await retained(placed);
    if (kept === null) return;
    yield deviation(await plainly(placed), kept);
  }
}
