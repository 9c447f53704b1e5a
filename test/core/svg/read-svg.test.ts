import { expect, test } from 'vitest';
import { hex } from '#core/color.ts';
import type { Brush, PaintOp } from '#core/paint/display-list.ts';
import { parsePathData } from '#core/path-data.ts';
import { insetPath } from '#core/svg/read-clip.ts';
import { readSvg, type SvgMarks, UnreadableSvg } from '#core/svg/read-svg.ts';
import { pathString } from '#core/svg/syntax.ts';
import { FontSet } from '#core/text/font-set.ts';
import { parseXml } from '#draw/images/xml.ts';

const MARKS: SvgMarks = {
  texts: new Map(),
  backdrops: new Map(),
  images: new Map([['data:image/png;base64,AAAA', { key: 'photo', width: 40, height: 20, isPixelated: false }]]),
  fonts: new FontSet(new Map()),
};
const read = (body: string) =>
  readSvg(
    parseXml(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${body}</svg>`, {
      elements: 1_000,
      depth: 100,
    }),
    MARKS,
  );

const color = ({ r, g, b, a }: { r: number; g: number; b: number; a: number }) =>
  hex({ r, g, b, a }) + (a === 1 ? '' : `/${+a.toFixed(3)}`);
const point = ({ x, y }: { x: number; y: number }) => `${+x.toFixed(2)},${+y.toFixed(2)}`;
function showBrush(brush: Brush): string {
  if (brush.kind === 'solid') return color(brush.color);
  const stops = brush.stops.map((stop) => `${+stop.offset.toFixed(3)}:${color(stop.color)}`).join(' ');
  if (brush.kind === 'linear') return `linear(${point(brush.from)} ${point(brush.to)} ${stops})`;
  if (brush.kind === 'radial') return `radial(${brush.transform.map((value) => +value.toFixed(2))} ${stops})`;
  return brush.kind;
}
/** `fill(path colour)`; groups show their effects in brackets. */
function show(ops: readonly PaintOp[]): string {
  return ops
    .map((op): string => {
      switch (op.kind) {
        case 'fill':
          return `fill(${pathString(op.path)}${op.rule === 'evenodd' ? ' evenodd' : ''} ${showBrush(op.brush)})`;
        case 'stroke':
          return `stroke(${pathString(op.path)} ${op.stroke.width}${op.stroke.dash.length ? ` dash ${op.stroke.dash}` : ''} ${showBrush(op.brush)})`;
        case 'image':
          return `image(${op.image} ${point(op.source)} ${op.source.width}×${op.source.height} → ${point(op.dest)} ${op.dest.width}×${op.dest.height})`;
        case 'group': {
          const parts = [
            op.transform.join() === '1,0,0,1,0,0' ? '' : `matrix ${op.transform}`,
            op.opacity === 1 ? '' : `opacity ${op.opacity}`,
            op.blend === 'normal' ? '' : op.blend,
            op.clip ? `clip ${pathString(op.clip.path)}${op.clip.rule === 'evenodd' ? ' evenodd' : ''}` : '',
            ...op.filters.map((filter) =>
              filter.kind === 'blur'
                ? `blur ${filter.sigma}`
                : `matrix ${filter.values.map((value) => +value.toFixed(3))}`,
            ),
          ];
          return `group[${parts.filter((part) => part !== '').join('; ')}](${show(op.ops)})`;
        }
        default:
          return op.kind;
      }
    })
    .join(' ');
}
const check = (body: string, expected: string) => expect(show(read(body))).toBe(expected);
const refuses = (body: string, what: string) => {
  expect(() => read(body)).toThrow(UnreadableSvg);
  expect(() => read(body)).toThrow(what);
};

const BOX = 'd="M 0 0 L 10 0 L 10 5 L 0 5 Z"';
const PATH = 'M0 0L10 0L10 5L0 5Z';

test('a fill', () => check(`<path fill="#ff0000" ${BOX}/>`, `fill(${PATH} #ff0000)`));
test('a translucent one, by the even-odd rule', () =>
  check(`<path fill="#ff0000" fill-opacity="0.5" fill-rule="evenodd" ${BOX}/>`, `fill(${PATH} evenodd #ff0000/0.5)`));
test('black where nothing is said', () => check(`<path ${BOX}/>`, `fill(${PATH} #000000)`));
test('a line has no fill', () =>
  check(
    '<path fill="#000000" stroke="#0000ff" stroke-width="2" stroke-dasharray="3 1" d="M 0 0 L 10 0"/>',
    'stroke(M0 0L10 0 2 dash 3,1 #0000ff)',
  ));
test('a stroke under its fill', () =>
  check(
    `<path fill="#ff0000" stroke="#0000ff" stroke-width="2" paint-order="stroke" ${BOX}/>`,
    `stroke(${PATH} 2 #0000ff) fill(${PATH} #ff0000)`,
  ));
test('groups: coordinates, opacity, blending', () =>
  check(
    `<g transform="matrix(1 0 0 1 5 6)" opacity="0.5" style="mix-blend-mode:multiply"><path ${BOX}/></g>`,
    `group[matrix 1,0,0,1,5,6; opacity 0.5; multiply](fill(${PATH} #000000))`,
  ));
test('groups that do nothing are none', () => check(`<g><g><path ${BOX}/></g></g><g/>`, `fill(${PATH} #000000)`));

const gradient = (attributes: string, name = 'linearGradient') =>
  `<defs><${name} id="g" ${attributes}><stop offset="0" stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff" stop-opacity="0.5"/></${name}></defs><path fill="url(#g)" ${BOX}/>`;
const STOPS = '0:#ff0000 1:#0000ff/0.5';
test('a gradient in px', () =>
  check(
    gradient('gradientUnits="userSpaceOnUse" x1="1" y1="2" x2="3" y2="2"'),
    `fill(${PATH} linear(1,2 3,2 ${STOPS}))`,
  ));
test('a gradient relative to its box stands upright on its own lines, not on the box', () =>
  // The box is 10 × 5 and the gradient runs from corner to corner: lines of one colour run along the other diagonal.
  check(gradient('x1="0" y1="0" x2="1" y2="1"'), `fill(${PATH} linear(0,0 4,8 ${STOPS}))`));
test('a gradient that repeats', () =>
  check(
    gradient('gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="5" y2="0" spreadMethod="repeat"'),
    `fill(${PATH} linear(0,0 10,0 0:#ff0000 0.5:#0000ff/0.5 0.5:#ff0000 1:#0000ff/0.5))`,
  ));
test('a gradient that turns back', () =>
  check(
    gradient('gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="5" y2="0" spreadMethod="reflect"'),
    `fill(${PATH} linear(0,0 10,0 0:#ff0000 0.5:#0000ff/0.5 0.5:#0000ff/0.5 1:#ff0000))`,
  ));
test('a radial gradient', () =>
  check(
    gradient('gradientUnits="userSpaceOnUse" cx="5" cy="2" r="4"', 'radialGradient'),
    `fill(${PATH} radial(4,0,0,4,5,2 ${STOPS}))`,
  ));
test('a gradient without length is its last colour', () =>
  check(gradient('gradientUnits="userSpaceOnUse" x1="1" y1="1" x2="1" y2="1"'), `fill(${PATH} #0000ff/0.5)`));

const pattern = (attributes: string, content: string) =>
  `<defs><pattern id="p" ${attributes}>${content}</pattern></defs><path fill="url(#p)" ${BOX}/>`;
test('a pattern of one tile that covers all is a fill', () =>
  check(
    pattern('x="0" y="0" width="1" height="1"', '<path fill="#00ff00" d="M 0 0 L 10 0 L 10 5 L 0 5 Z"/>'),
    `fill(${PATH} #00ff00)`,
  ));
test('a pattern in tiles, cut to its outline', () =>
  check(
    pattern(
      'patternUnits="userSpaceOnUse" x="0" y="0" width="6" height="5"',
      '<path fill="#00ff00" d="M 1 1 L 2 1 L 2 2 Z"/>',
    ),
    `group[clip ${PATH}](group[clip M0 0L6 0L6 5L0 5Z](fill(M1 1L2 1L2 2Z #00ff00)) group[matrix 1,0,0,1,6,0](group[clip M0 0L6 0L6 5L0 5Z](fill(M1 1L2 1L2 2Z #00ff00))))`,
  ));

test('pictures: stretched, within their box, over it', () => {
  const image = (how: string) =>
    `<image x="0" y="0" width="20" height="20" preserveAspectRatio="${how}" xlink:href="data:image/png;base64, AAAA"/>`;
  check(image('none'), 'image(photo 0,0 40×20 → 0,0 20×20)');
  check(image('xMidYMid'), 'image(photo 0,0 40×20 → 0,5 20×10)');
  check(image('xMidYMid slice'), 'image(photo 10,0 20×20 → 0,0 20×20)');
  check(image('xMaxYMid slice'), 'image(photo 20,0 20×20 → 0,0 20×20)');
});
test('a picture that nobody knows is left out', () =>
  check('<image width="9" height="9" xlink:href="http://example.com/"/>', ''));

const WHITE = '<path fill="#ffffff" d="M 0 0 L 9 0 L 9 9 L 0 9 Z"/>';
const BLACK = '<path fill="#000000" d="M 1 1 L 2 1 L 2 2 Z"/>';
const masked = (mask: string, more = '') =>
  `<defs><mask id="m">${mask}</mask>${more}</defs><g mask="url(#m)"><path ${BOX}/></g>`;
test('clips, and clips of clips', () =>
  check(
    `<defs><clipPath id="a"><path d="M 0 0 L 1 0 L 1 1 Z"/></clipPath><clipPath id="b" clip-path="url(#a)"><path clip-rule="evenodd" d="M 0 0 L 2 0 L 2 2 Z"/></clipPath></defs><g clip-path="url(#b)"><path ${BOX}/></g>`,
    `group[clip M0 0L1 0L1 1Z](group[clip M0 0L2 0L2 2Z evenodd](fill(${PATH} #000000)))`,
  ));
test('a mask that shows', () => check(masked(WHITE), `group[clip M0 0L9 0L9 9L0 9Z](fill(${PATH} #000000))`));
test('a mask with a hole', () =>
  check(masked(WHITE + BLACK), `group[clip M0 0L9 0L9 9L0 9ZM1 1L2 1L2 2Z evenodd](fill(${PATH} #000000))`));
test('what a mask hides before it shows anything does not count', () =>
  check(masked(BLACK + WHITE), `group[clip M0 0L9 0L9 9L0 9Z](fill(${PATH} #000000))`));
const lightOf = (mask: string, attributes: string) => {
  const [op] = read(
    `<defs><mask id="m" x="0" y="0" width="9" height="9" ${attributes}>${mask}</mask></defs><g mask="url(#m)"><path ${BOX}/></g>`,
  );
  return op?.kind === 'group' && op.mask ? show(op.mask) : 'no mask';
};
test('a mask that fades is the light of its luminance, or its opacity in white', () => {
  const grey = '<path fill="#808080" d="M 0 0 L 9 0 L 9 9 Z"/>';
  expect(lightOf(grey, '')).toBe(
    'group[clip M0 0L9 0L9 9L0 9Z](group[matrix 0.213,0.715,0.072,0,0,0.213,0.715,0.072,0,0,0.213,0.715,0.072,0,0,0,0,0,1,0](fill(M0 0L9 0L9 9Z #808080)))',
  );
  const faint = '<path fill="#ff0000" fill-opacity="0.5" d="M 0 0 L 9 0 L 9 9 Z"/>';
  const white = 'group[clip M0 0L9 0L9 9L0 9Z](fill(M0 0L9 0L9 9Z #ffffff/0.5))';
  expect(lightOf(faint, 'mask-type="alpha"')).toBe(white);
});
test('a mask without anything hides all', () => expect(lightOf('', '')).toBe(''));
test('a mask that fades inside a mask of outlines is refused', () =>
  refuses(
    '<defs><mask id="f"><path fill="#808080" d="M 0 0 L 9 0 L 9 9 Z"/></mask><clipPath id="c"><g mask="url(#f)"><path d="M 0 0 L 9 0 L 9 9 Z"/></g></clipPath></defs><g clip-path="url(#c)"><path d="M 0 0 L 9 0 L 9 9 Z"/></g>',
    'fades, inside another',
  ));
test('a mask of itself', () =>
  refuses(
    '<defs><mask id="m" mask="url(#m)"><path fill="#ffffff" d="M 0 0 L 9 0 L 9 9 Z"/></mask></defs><g mask="url(#m)"><path d="M 0 0 L 9 0 L 9 9 Z"/></g>',
    'nested this deep',
  ));

test('a box with round corners, made smaller', () => {
  const inset = (d: string, by: number) => {
    const parsed = parsePathData(d);
    return 'path' in parsed ? pathString(insetPath(parsed.path, by)) : '';
  };
  expect(inset('M 0 0 L 10 0 L 10 10 L 0 10 Z', 2)).toBe('M2 2L8 2L8 8L2 8Z');
  expect(inset('M 4 0 L 16 0 C 18 0 20 2 20 4 L 20 20', 2)).toBe('M4 2L16 2C17 2 18 3 18 4L18 20');
  // The border is thicker than the corner's radius, so the inner corner is sharp.
  expect(inset('M 4 0 L 16 0 C 18 0 20 2 20 4 L 20 20', 6)).toBe('M4 6L16 6L14 6L14 4L14 20');
});

const filtered = (steps: string) =>
  `<defs><filter id="f">${steps}</filter></defs><g filter="url(#f)"><path ${BOX}/></g>`;
test('a blur', () => check(filtered('<feGaussianBlur stdDeviation="3 3"/>'), `group[blur 3](fill(${PATH} #000000))`));
test('a drop shadow: a blurred silhouette below', () =>
  check(
    filtered(
      '<feGaussianBlur in="SourceAlpha" stdDeviation="2" result="b"/><feOffset in="b" dx="1" dy="2" result="o"/><feFlood flood-color="#ff0000" flood-opacity="0.5" result="c"/><feComposite in="c" in2="o" operator="in" result="s"/><feMerge><feMergeNode in="s"/><feMergeNode in="SourceGraphic"/></feMerge>',
    ),
    `group[matrix 0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0.5,0](group[matrix 1,0,0,1,1,2](group[blur 2](group[matrix 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0](fill(${PATH} #000000))))) fill(${PATH} #000000)`,
  ));
test('what comes out of a function of colours', () =>
  check(
    filtered(
      '<feComponentTransfer><feFuncR type="linear" slope="2"/><feFuncA type="table" tableValues="0 0.5"/></feComponentTransfer>',
    ),
    `group[matrix 2,0,0,0,0,0,1,0,0,0,0,0,1,0,0,0,0,0,0.5,0](fill(${PATH} #000000))`,
  ));
test('steps that operations cannot say', () => {
  refuses(filtered('<feTurbulence/>'), 'a filter with feTurbulence');
  refuses(filtered('<feGaussianBlur stdDeviation="3 1"/>'), 'feGaussianBlur of two sizes');
  refuses(filtered('<feOffset in="BackgroundImage"/>'), 'feOffset in="BackgroundImage"');
});
test('elements that usvg does not write', () => refuses('<text>x</text>', '<text>'));
test('references to nothing', () => refuses(`<path fill="url(#none)" ${BOX}/>`, 'a reference to nothing (#none)'));
