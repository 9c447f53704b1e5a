import { expect, test } from 'vitest';
import { inspectImage } from '#images/inspect.ts';
import { scaleToPng } from '#images/scale.ts';
import { drawSvgText } from '#output/raster/draw-svg-text.ts';
import { noise } from '../../images/pictures.ts';

const root = (attributes: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${body}</svg>`;

test('pixels are RGBA with alpha premultiplied', async () => {
  const rect = '<rect width="2" height="1" fill="rgb(200,100,50)" fill-opacity="0.5"/>';
  const { pixels } = await drawSvgText(root('width="2" height="1"', rect), { width: 2, height: 1 });
  expect([...pixels]).toEqual([100, 50, 25, 128, 100, 50, 25, 128]);
});

test('a picture on the grid keeps each of its pixels', async () => {
  const image = await inspectImage(await noise(80, 40).png().toBuffer());
  const size = { width: 40, height: 20 };
  const png = await scaleToPng(image, { x: 0, y: 0, width: 80, height: 40 }, size);
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const picture = (at: string) => `<image ${at} preserveAspectRatio="none" href="${href}"/>`;
  const plain = await drawSvgText(root('width="40" height="20"', picture('width="40" height="20"')), size);
  const scaled = await drawSvgText(
    root('width="60" height="30" viewBox="0 0 30 15"', picture('x="5" y="2.5" width="20" height="10"')),
    { width: 60, height: 30 },
  );
  for (let y = 0; y < 20; y += 1) {
    const row = scaled.pixels.subarray(((y + 5) * 60 + 10) * 4, ((y + 5) * 60 + 50) * 4);
    expect(Buffer.compare(row, plain.pixels.subarray(y * 160, (y + 1) * 160))).toBe(0);
  }
});

test('another size than asked for is a bug', () =>
  expect(drawSvgText(root('width="3" height="3"', ''), { width: 4, height: 3 })).rejects.toThrow('resvg drew 3 × 3'));

test('memory does not grow with the number of drawings', async () => {
  const svg = root('width="1200" height="630"', '<g opacity=".5"><rect width="1200" height="630"/></g>');
  const draw = async (times: number) => {
    for (let round = 0; round < times; round += 1) await drawSvgText(svg, { width: 1200, height: 630 });
  };
  await draw(40);
  const before = process.memoryUsage().rss;
  await draw(120);
  // Each drawing allocates 9 MiB; never given back, they would come to a gigabyte.
  expect(process.memoryUsage().rss - before).toBeLessThan(250 * 2 ** 20);
});
