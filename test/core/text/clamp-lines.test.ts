// Tests text that is cut, by `maxLines` or by the height of its box, with and without an ellipsis.

import { expect, test } from 'vitest';
import type { TextNode } from '#core/resolve/scene.ts';
import { layOut, query, style, textNode } from './faces.ts';

const FOX = 'The quick brown fox jumps over the lazy dog';

/** The lines as drawn: the text of each run, from left to right. */
function drawn(node: TextNode, width: number | null, height: number | null = null): string[] {
  return layOut(node, width, height).lines.map((line) => line.runs.map(({ run }) => run.text).join('|'));
}
function check(more: Partial<TextNode>, box: [number | null, number | null], expected: string[], text = FOX): void {
  const node = textNode(text, more);
  expect(drawn(node, ...box)).toEqual(expected);
}

test('maxLines cuts behind the line', () => check({ maxLines: 2 }, [120, null], ['The quick', 'brown fox']));
test('an ellipsis fills the last line to the cluster', () =>
  check({ maxLines: 2, overflow: 'ellipsis' }, [120, null], ['The quick', 'brown fox ju|…']));
test('no ellipsis where all text fits', () =>
  check({ maxLines: 4, overflow: 'ellipsis' }, [120, null], ['The quick', 'brown fox', 'jumps over the', 'lazy dog']));
test('no white space before an ellipsis', () =>
  check({ maxLines: 1, overflow: 'ellipsis' }, [50, null], ['The|…'], 'The quick'));
test('an ellipsis at an explicit break', () =>
  check({ maxLines: 1, overflow: 'ellipsis' }, [200, null], ['one|…'], 'one\ntwo'));
test('an ellipsis alone on an empty line', () =>
  check({ maxLines: 2, overflow: 'ellipsis' }, [200, null], ['one', '…'], 'one\n\ntwo'));
test('white space behind the last line is no text left out', () =>
  check({ maxLines: 1, overflow: 'ellipsis' }, [200, null], ['one'], 'one \n \n'));
test('a line too narrow for anything is the ellipsis', () =>
  check({ maxLines: 1, overflow: 'ellipsis' }, [1, null], ['…']));
test('an ellipsis without a width', () =>
  check({ maxLines: 1, overflow: 'ellipsis' }, [null, null], ['one two|…'], 'one two\nthree'));

test('a low box cuts with an ellipsis', () =>
  check({ overflow: 'ellipsis' }, [120, 45], ['The quick', 'brown fox ju|…']));
test('a low box keeps one line in any case', () => check({ overflow: 'ellipsis' }, [120, 5], ['The quick bro|…']));
test('maxLines and a low box: the lower counts', () =>
  check({ overflow: 'ellipsis', maxLines: 3 }, [120, 25], ['The quick bro|…']));
test('a clipped box keeps the lines that show in part', () =>
  check({ overflow: 'clip' }, [120, 45], ['The quick', 'brown fox', 'jumps over the']));
test('a visible box keeps all', () => check({}, [120, 45], ['The quick', 'brown fox', 'jumps over the', 'lazy dog']));

test('an ellipsized line says so', () => {
  const { lines, overflows } = layOut(textNode(FOX, { maxLines: 2, overflow: 'ellipsis' }), 120);
  expect(lines.map((line) => line.ellipsized)).toEqual([false, true]);
  expect(overflows).toBe(true);
});
test('an ellipsized line is no wider than the box', () => {
  for (let width = 20; width < 300; width += 7) {
    const { lines } = layOut(textNode(FOX, { maxLines: 1, overflow: 'ellipsis' }), width);
    expect(lines[0]?.box.width).toBeLessThanOrEqual(width + 0.01);
  }
});

function checkOverflows(expected: boolean, more: Partial<TextNode>, width: number | null, height: number | null): void {
  expect(layOut(textNode(FOX, more), width, height).overflows).toBe(expected);
}
test('text that fits does not overflow', () => checkOverflows(false, {}, 400, 20));
test('text higher than its box overflows', () => checkOverflows(true, {}, 120, 45));
test('cut text overflows', () => checkOverflows(true, { maxLines: 1 }, 120, null));
test('a word wider than its box breaks, which is no overflow', () => checkOverflows(false, {}, 20, null));
test('a cluster wider than its box overflows', () => checkOverflows(true, {}, 2, null));

test('the ellipsis has the layer’s own style, not that of what it follows', () => {
  const spans = [
    { text: 'The quick ', style: style(), link: null, counter: null, image: null },
    { text: 'brown fox jumps', style: style({ fontSize: 20 }), link: null, counter: null, image: null },
  ];
  const [line] = layOut(textNode(spans, { maxLines: 1, overflow: 'ellipsis' }), 130).lines;
  expect(line?.runs.map(({ run, span }) => `${run.text} ${run.fontSize} ${span}`)).toEqual([
    'The quick  16 0',
    'bro 20 1',
    '… 16 null',
  ]);
});
test('the ellipsis comes from a fallback where the first face lacks it', () => {
  const font = query('emoji', 'inter');
  const node = textNode([{ text: '😀😀😀😀', style: style({ font }), link: null, counter: null, image: null }], {
    maxLines: 1,
    overflow: 'ellipsis',
  });
  const [line] = layOut(node, 60).lines;
  expect(line?.runs.map(({ run }) => `${run.text} ${run.face}`)).toEqual(['😀😀 emoji', '… inter']);
});

test('in a right-to-left paragraph the ellipsis stands on the left', () => {
  const hebrew = style({ font: query('inter', 'hebrew') });
  const spans = [{ text: 'שלום עולם שלום עולם', style: hebrew, link: null, counter: null, image: null }];
  const [line] = layOut(textNode(spans, { maxLines: 1, overflow: 'ellipsis' }), 90).lines;
  expect(line?.runs[0]?.run.text).toBe('…');
  expect((line?.box.x ?? 0) + (line?.box.width ?? 0)).toBeCloseTo(90, 6);
});

test('an ellipsis looks as the layer does, whatever the words before it', () => {
  const own = style({ fontSize: 20 });
  const spans = [
    { text: 'E = mc', style: own, link: null, counter: null, image: null },
    {
      text: 'superscripted words',
      style: { ...own, position: 'super' as const },
      link: null,
      counter: null,
      image: null,
    },
  ];
  const [line] = layOut(textNode(spans, { maxLines: 1, overflow: 'ellipsis', strut: own }), 120).lines;
  const last = line?.runs.at(-1);
  expect(last).toMatchObject({ span: null, run: { text: '…', fontSize: 20 } });
  expect(last?.baseline).toBe(line?.baseline);
});
test('an ellipsis behind a span that looks like the layer belongs to it', () => {
  const [line] = layOut(textNode('some words that are cut', { maxLines: 1, overflow: 'ellipsis' }), 80).lines;
  expect(line?.runs.map(({ span }) => span)).toEqual([0, 0]);
});
