import { expect, test } from 'vitest';
import { rotation } from '#core/geometry.ts';
import type { Brush, PaintOp } from '#core/paint/display-list.ts';
import { group } from '#core/paint/group.ts';
import { rectPath } from '#core/paint/outline.ts';
import type { Resources } from '#core/resources.ts';
import { type SvgOptions, writeSvg, writeSvgOps } from '#core/svg/write-svg.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { BLUE, RED, resources, rgb } from '../scene-nodes.ts';
import { face, match, query } from '../text/faces.ts';

const RESOURCES: Resources = {
  ...resources({ photo: { bytes: new Uint8Array([1, 2, 3, 4]) } }),
  fonts: new FontSet(new Map([[fontQueryKey(query('inter')), [match('inter')]]])),
};
const OPEN = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 100 50">';

const write = (ops: readonly PaintOp[], options?: SvgOptions) =>
  writeSvg({ width: 100, height: 50, ops }, RESOURCES, options);

/** Checks what is between the document's tags. */
function check(ops: PaintOp | readonly PaintOp[], expected: string, options?: SvgOptions): void {
  expect(write([ops].flat(), options)).toBe(`${OPEN}${expected}</svg>`);
}

const red: Brush = { kind: 'solid', color: RED };
const stops = [
  { offset: 0, color: RED },
  { offset: 1, color: rgb(0, 0, 255, 0.5) },
];
const box = (brush: Brush = red): PaintOp => ({
  kind: 'fill',
  path: rectPath({ x: 1, y: 2, width: 10, height: 5 }),
  rule: 'nonzero',
  brush,
});
const BOX = 'd="M1 2L11 2L11 7L1 7Z"';
const clip = { path: rectPath({ x: 0, y: 0, width: 5, height: 5 }), rule: 'nonzero' } as const;

test('a fill', () => check(box(), `<path ${BOX} fill="#ff0000"/>`));
test('a translucent fill by the even-odd rule', () =>
  check(
    { ...(box({ kind: 'solid', color: rgb(1, 2, 3, 0.25) }) as Extract<PaintOp, { kind: 'fill' }>), rule: 'evenodd' },
    `<path ${BOX} fill-rule="evenodd" fill="#010203" fill-opacity="0.25"/>`,
  ));
test('numbers are rounded to a thousandth', () =>
  check(
    { kind: 'fill', path: [['M', 1 / 3, -1e-9], ['L', 2, 1e5], ['Z']], rule: 'nonzero', brush: red },
    '<path d="M0.333 0L2 100000Z" fill="#ff0000"/>',
  ));
test('a stroke says only what is not the default', () =>
  check(
    {
      kind: 'stroke',
      path: [
        ['M', 0, 0],
        ['L', 9, 0],
      ],
      stroke: { width: 2, cap: 'round', join: 'miter', miterLimit: 4, dash: [3, 1.5] },
      brush: red,
    },
    '<path d="M0 0L9 0" fill="none" stroke="#ff0000" stroke-width="2" stroke-linecap="round" stroke-dasharray="3 1.5"/>',
  ));

test('equal gradients are defined once', () => {
  const linear: Brush = { kind: 'linear', from: { x: 0, y: 0 }, to: { x: 9, y: 0 }, stops };
  check(
    [box(linear), box(linear)],
    '<defs><linearGradient id="d0" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="9" y2="0">' +
      '<stop offset="0" stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff" stop-opacity="0.5"/>' +
      `</linearGradient></defs>${`<path ${BOX} fill="url(#d0)"/>`.repeat(2)}`,
  );
});
test('a radial gradient is a stretched unit circle', () =>
  expect(write([box({ kind: 'radial', transform: [3, 0, 0, 2, 5, 6], stops })])).toContain(
    '<radialGradient id="d0" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="1" gradientTransform="matrix(3 0 0 2 5 6)">',
  ));
test('a conic gradient is a tile of wedges around what it fills', () => {
  const svg = write([box({ kind: 'conic', centre: { x: 6, y: 4 }, angle: 0, stops })]);
  expect(svg).toContain('<pattern id="d0" patternUnits="userSpaceOnUse" x="0" y="1" width="12" height="7">');
  const wedges = svg.match(/<path d="M6 3L/g)?.length ?? 0;
  // There are 255 shades, but the rim is only 3 × 45 device px.
  expect(wedges).toBeGreaterThan(100);
  expect(wedges).toBeLessThan(150);
});
test('a hard stop of a conic gradient takes no wedge of its own', () => {
  const hard = [
    { offset: 0, color: RED },
    { offset: 0.5, color: RED },
    { offset: 0.5, color: BLUE },
    { offset: 1, color: BLUE },
  ];
  const svg = write([box({ kind: 'conic', centre: { x: 6, y: 4 }, angle: 0, stops: hard })]);
  expect(svg.match(/<path d="M6 3L[^>]*fill="#ff0000"/g)?.length).toBe(4);
  expect(svg.match(/<path d="M6 3L[^>]*fill="#0000ff"/g)?.length).toBe(4);
});

test('a group that moves', () =>
  check(
    group({ transform: [1, 0, 0, 1, 3, 4] }, [box()]),
    `<g transform="translate(3 4)"><path ${BOX} fill="#ff0000"/></g>`,
  ));
test('a group whose clip lies outside the canvas is left out', () =>
  check(group({ transform: rotation(90, { x: 0, y: 0 }), clip }, [box()]), ''));
test('a clip', () =>
  check(
    group({ clip }, [box()]),
    `<defs><clipPath id="d0"><path d="M0 0L5 0L5 5L0 5Z"/></clipPath></defs><g clip-path="url(#d0)"><path ${BOX} fill="#ff0000"/></g>`,
  ));
test('opacity and blend mode', () =>
  check(
    group({ opacity: 1 / 3, blend: 'multiply' }, [box()]),
    `<g opacity="0.3333333" style="mix-blend-mode:multiply"><path ${BOX} fill="#ff0000"/></g>`,
  ));
test('a filter works on what is painted and as far as it carries', () =>
  check(
    group({ filters: [{ kind: 'blur', sigma: 1.5 }] }, [box()]),
    '<defs><filter id="d0" filterUnits="userSpaceOnUse" x="-4" y="-3" width="20" height="15" color-interpolation-filters="sRGB">' +
      `<feGaussianBlur stdDeviation="1.5"/></filter></defs><g filter="url(#d0)"><path ${BOX} fill="#ff0000"/></g>`,
  ));
test('a filter works no farther than the canvas shows', () => {
  const huge = rectPath({ x: -1e5, y: -1e5, width: 2e5, height: 2e5 });
  const svg = write(
    group({ filters: [{ kind: 'blur', sigma: 10 }] }, [{ kind: 'fill', path: huge, rule: 'nonzero', brush: red }]),
  );
  expect(svg).toContain('x="-30" y="-30" width="160" height="110"');
});
test('a filtered group that cannot be seen is left out', () =>
  check(group({ transform: [1, 0, 0, 1, 500, 0], filters: [{ kind: 'blur', sigma: 1 }] }, [box()]), ''));
test('a colour matrix', () =>
  expect(write(group({ filters: [{ kind: 'color-matrix', values: [1, 0.2126] }] }, [box()]))).toContain(
    '<feColorMatrix type="matrix" values="1 0.2126"/>',
  ));

const image: PaintOp = {
  kind: 'image',
  image: 'photo',
  source: { x: 10, y: 0, width: 50, height: 50 },
  dest: { x: 1, y: 2, width: 25, height: 25 },
};
test('an image is embedded once and cropped where it is shown', () =>
  check(
    [image, image],
    '<defs><image id="d0" width="100" height="50" preserveAspectRatio="none" href="data:image/png;base64,AQIDBA=="/></defs>' +
      '<svg x="1" y="2" width="25" height="25" viewBox="10 0 50 50" preserveAspectRatio="none"><use href="#d0"/></svg>'.repeat(
        2,
      ),
  ));
test('a pixelated image says so', () => {
  expect(writeSvg({ width: 100, height: 50, ops: [{ ...image, isPixelated: true }] }, RESOURCES)).toContain(
    'preserveAspectRatio="none" image-rendering="pixelated"><use',
  );
});
test('a back end may hand in its own picture', () =>
  check(image, '<image x="1" y="2" width="25" height="25" preserveAspectRatio="none" href="a?b&#38;c&#34;"/>', {
    imageHref: () => 'a?b&c"',
  }));
test('or leave it out', () => check(image, '', { imageHref: () => null }));
function glyphs(text: string, more: Partial<Extract<PaintOp, { kind: 'glyphs' }>> = {}): PaintOp {
  const run = {
    face: 'inter',
    fontSize: 20,
    direction: 'ltr' as const,
    slant: 0,
    text,
    glyphs: Array.from(text, (char, i) => ({
      id: face('inter').glyph(char.codePointAt(0) ?? 0),
      cluster: i,
      x: i * 10,
      y: 0,
      advance: 10,
    })),
    width: text.length * 10,
  };
  return { kind: 'glyphs', run, origin: { x: 3, y: 30 }, brush: red, outline: null, ...more };
}

/** The points that a path of relative commands passes through. */
function walk(d: string): string[] {
  const points: string[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, command = '', rest = ''] of d.matchAll(/([MmlczZ])([^MmlczZ]*)/g)) {
    const numbers = (rest.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const [dx = 0, dy = 0] = numbers.slice(-2);
    if (command === 'z') [x, y] = [startX, startY];
    else if (command === 'M') [x, y] = [dx, dy];
    else [x, y] = [x + dx, y + dy];
    if (command === 'm') [startX, startY] = [x, y];
    if (command === 'm' || command === 'l' || command === 'c') points.push(`${x.toFixed(3)} ${y.toFixed(3)}`);
  }
  return points;
}

test('letters are one path that follows their outlines', () => {
  const d = / d="([^"]*)"/.exec(write([glyphs('gH')]))?.[1] ?? '';
  const scale = 20 / face('inter').unitsPerEm;
  const expected = ['g', 'H'].flatMap((char, i) =>
    face('inter')
      .outline(face('inter').glyph(char.codePointAt(0) ?? 0))
      .flatMap((segment) => {
        if (segment[0] === 'Z') return [];
        const [x, y] = segment.slice(-2).map(Number);
        return `${(3 + i * 10 + Math.round((x ?? 0) * scale * 1000) / 1000).toFixed(3)} ${(30 - Math.round((y ?? 0) * scale * 1000) / 1000).toFixed(3)}`;
      }),
  );
  expect(walk(d)).toEqual(expected);
});
test('spaces draw nothing', () => check(glyphs(' '), ''));
test('words behind a picture draw nothing', () => check(glyphs('Hi', { brush: null }), ''));
test('the outline of letters lies under their fill', () =>
  expect(
    write([
      glyphs('H', {
        outline: { brush: red, stroke: { width: 2, cap: 'butt', join: 'round', miterLimit: 4, dash: [] } },
      }),
    ]),
  ).toMatch(/ fill="#ff0000" stroke="#ff0000" stroke-width="2" stroke-linejoin="round" paint-order="stroke"\/>/));
test('the same list gives the same text', () => {
  const ops = [glyphs('Hello'), ...group({ clip, filters: [{ kind: 'blur', sigma: 1 }] }, [box()]), image];
  expect(write(ops)).toBe(write(structuredClone(ops)));
});

const gradient: Brush = { kind: 'linear', from: { x: 0, y: 0 }, to: { x: 10, y: 0 }, stops };
const each = (ops: readonly PaintOp[], memory?: WeakMap<PaintOp, string>) =>
  writeSvgOps({ width: 100, height: 50, ops }, RESOURCES, { idPrefix: 'c', pictureAddress: () => 'blob:1' }, memory);

test('operations one by one: an id is made of what it stands for, wherever the operation stands', () => {
  const [first, second] = each([box(), box(gradient)]);
  expect(first).toBe(`<path ${BOX} fill="#ff0000"/>`);
  expect(second).toMatch(/^<defs><linearGradient id="(c[a-z0-9]+)" .*<\/defs><path .* fill="url\(#\1\)"\/>$/);
  expect(each([box(gradient), box()])).toEqual([second, first]);
});
test('operations one by one: blends are classes, pictures are named by their address', () => {
  const picture: PaintOp = {
    kind: 'image',
    image: 'photo',
    source: { x: 0, y: 0, width: 4, height: 4 },
    dest: { x: 1, y: 2, width: 10, height: 5 },
  };
  const [blended, shown] = each([...group({ blend: 'multiply' }, [box()]), picture]);
  expect(blended).toBe(`<g class="blend-multiply"><path ${BOX} fill="#ff0000"/></g>`);
  expect(shown).toContain('href="blob:1"');
});
test('operations one by one: what lies beside the canvas is empty, what was written before is kept', () => {
  const memory = new WeakMap<PaintOp, string>();
  const beside = group({ transform: [1, 0, 0, 1, 500, 0], opacity: 0.5 }, [box()]);
  expect(each(beside, memory)).toEqual(['']);
  expect(memory.get(beside[0] as PaintOp)).toBe('');
});
