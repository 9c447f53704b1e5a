// Templates and modifications at random: whatever was kept by earlier renders, the picture is that of drawing it anew.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTemplate } from '#core/template/template.ts';
import { noise } from '../../../pixels/pictures.ts';
import { deviation, placeTemplate, plainly, retained } from './both-ways.ts';

const photo = await noise(90, 60).blur(2).jpeg().toBuffer();
const logo = await noise(40, 40).blur(1).ensureAlpha(0.6).png().toBuffer();
const sources = { read: async (source: string) => (source === 'photo.jpg' ? photo : logo) };

const color = fc.constantFrom('#ff0000', '#0a7', 'rgba(20, 30, 200, 0.5)', '#111827', '#ffffff');
const place = {
  x: fc.integer({ min: -20, max: 180 }),
  y: fc.integer({ min: -20, max: 90 }),
  rotation: fc.constantFrom(0, 0, 0, 0, 30),
  opacity: fc.constantFrom(1, 1, 1, 0.5),
};
const size = { width: fc.integer({ min: 1, max: 150 }), height: fc.integer({ min: 1, max: 90 }) };
const shadow = fc.constantFrom(undefined, undefined, { y: 3, blur: 8, color: 'rgba(0, 0, 0, 0.4)' });
const gradient = fc.constant({ type: 'linear', angle: 30, stops: [{ color: '#fff' }, { color: '#0000' }] });
const sunset = fc.constant({ type: 'linear', angle: 75, stops: [{ color: '#f59e0b' }, { color: '#be185d' }] });
const text = fc.record({
  type: fc.constant('text'),
  ...place,
  text: fc.constantFrom('Plate', 'wavy AV', 'سلام', 'one two three four'),
  fontSize: fc.constantFrom(9, 16, 31.5),
  color: fc.oneof(color, gradient, sunset),
});
const shape = fc.record({
  type: fc.constant('shape'),
  ...place,
  ...size,
  shape: fc.constantFrom('rect', 'ellipse'),
  borderRadius: fc.constantFrom(0, 0, 7),
  fill: fc.oneof(color, gradient),
  shadow,
});
const image = fc.record({
  type: fc.constant('image'),
  ...place,
  ...size,
  src: fc.constantFrom('photo.jpg', 'logo.png'),
  borderRadius: fc.constantFrom(0, 12),
});
const layers = fc.array(fc.oneof(text, shape, image), { minLength: 1, maxLength: 9 });

/** What a caller changes in some of the layers, from render to render. */
const changes = fc.array(fc.dictionary(fc.nat(8).map(String), fc.record({ x: place.x, opacity: place.opacity })), {
  minLength: 1,
  maxLength: 4,
});

test('any template, render after render', { timeout: 120_000 }, async () => {
  const property = fc.asyncProperty(layers, changes, fc.constantFrom(1, 1, 2), async (list, renders, scale) => {
    const named = list.map(({ shadow, ...layer }: Record<string, unknown>, i) => ({
      name: String(i),
      ...layer,
      ...(shadow ? { shadow } : {}),
      ...(layer.type === 'shape' && layer.shape === 'ellipse' ? { borderRadius: undefined } : {}),
    }));
    const template = parseTemplate(JSON.parse(JSON.stringify({ name: 'Any', width: 200, height: 120, layers: named })));
    for (const change of [{}, ...renders, {}]) {
      const known = Object.fromEntries(Object.entries(change).filter(([name]) => Number(name) < list.length));
      const placed = await placeTemplate(template, known, sources, scale);
      const kept = await retained(placed);
      if (kept === null) return;
      const { most, share } = deviation(await plainly(placed), kept);
      // At the edges of a turned picture a pixel is rounded once more than in one piece.
      expect(most).toBeLessThanOrEqual(2);
      expect(share).toBeLessThan(0.001);
    }
  });
  await fc.assert(property, { numRuns: 40, seed: 7 });
});
