// Tests that pages which nest, repeat or refer as far as they may are laid out in time that grows with them: one that grew with
// their square, or beyond, would not end within a test's limit.

import { expect, test } from 'vitest';
import { boxesOf } from './boxes-of.ts';

const DEPTH = 240;
const nested = (open: string, close: string, inner = 'x', depth = DEPTH) =>
  open.repeat(depth) + inner + close.repeat(depth);
const FLOAT = '<div style="float:left;width:1px;height:9px"></div>';
const each = (count: number, markup: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => markup(i)).join('');

const PAGES: Readonly<Record<string, string>> = {
  'tables in tables': nested('<table width=100%><tr><td>a<td>', '</td></tr></table>', 'x', DEPTH / 4),
  'inline blocks in each other': nested('<span style="display:inline-block;padding:1px">a', '</span>'),
  'inline blocks in percent': nested('<span style="display:inline-block;width:90%">a', '</span>'),
  'floats in floats': nested('<div style="float:left">a', '</div>'),
  'contexts beside floats': nested(`${FLOAT}<div style="overflow:hidden">a`, '</div>'),
  'blocks beside floats': nested(`${FLOAT}<div>a`, '</div>'),
  'flex in flex': nested('<div style="display:flex">a', '</div>'),
  'grids in grids': nested('<div style="display:grid">a', '</div>'),
  'boxes around words in each other': nested('<b style="padding:1px">x ', '</b>'),
  'counters of counters': `<style>b{counter-increment:a}b::before{content:counters(a,".")}</style>${nested('<b style="counter-reset:a">', '</b>')}`,
  'words that every object has': `<style>p{constructor:red;font:constructor 1constructor constructor;list-style:constructor}
    p{border:constructor;background:linear-gradient(to constructor,red,blue);align-self:constructor;quotes:constructor}</style>
    <p><q lang=constructor>a</q><li type=constructor><img align=constructor><br clear=constructor><input type=constructor>`,
  'margins that meet': nested('<div><div></div><div></div>', '</div>', ''),
  'many floats': each(5_000, (i) => `<i style="float:left;width:${i % 50}px;height:${i % 37}px"></i>`),
  'cells over many rows and columns': `<table><tr><td colspan=1000 rowspan=1000>x${each(1_000, () => '<tr><td rowspan=500 colspan=7>y')}</table>`,
  'boxes in lines': each(4_000, () => '<b style="padding:1px">x</b> '),
  'blocks without height': each(10_000, () => '<div style="margin:1px"></div>'),
  'columns in columns': nested('<div style="columns:2">a', '</div>'),
  'columns in columns with many blocks': nested(
    '<div style="columns:2;height:99px"><p>a',
    '</div>',
    each(2_000, () => '<p>x'),
    8,
  ),
  'columns of many blocks': `<div style="columns:3">${each(5_000, () => '<div>x</div>')}</div>`,
  'columns without height': `<div style="columns:3;column-fill:auto;height:0">${each(10_000, () => '<div>x</div>')}</div>`,
  'more columns than there can be': `<div style="columns:999999999">${each(3_000, () => '<div>x</div>')}</div>`,
  'boxes over all columns': `<div style="columns:2">${each(10_000, (i) => `<p style="column-span:all">${i}`)}</div>`,
  'boxes over all columns in blocks': `<div style="columns:2">${nested(
    '<div>a',
    '</div>',
    each(100, () => '<p style="column-span:all">b'),
  )}</div>`,
  'breaks of columns': `<div style="columns:2">${each(10_000, () => '<div style="break-before:column">x</div>')}</div>`,
  'columns in each item of a list': each(
    500,
    () => '<ul style="columns:2"><li style="columns:2">a<li style="columns:2">b</ul>',
  ),
  'first lines in each other': `<style>div::first-line{font-size:1.01em}div::first-letter{font-size:1.01em}</style>${nested('<div>', '</div>')}`,
  'first lines of many blocks': `<style>p::first-line{color:red}p::first-letter{float:left}</style>${each(2_000, () => '<p>a <b>b</b> c')}`,
  'a first line of many elements': `<style>div::first-line{color:red}</style><div>${each(4_000, () => '<b>b</b> ')}</div>`,
  'a first line in many inlines': `<style>div::first-line{color:red}</style><div>${nested('<b>b', '</b>')}</div>`,
  'backgrounds of many tiles': `<style>p{height:9999px;background:linear-gradient(red,blue) 0 0/.1px .1px}</style>${each(1_000, () => '<p>x')}`,
  'variables of variables': `<style>:root{--a0:x x}${each(30, (i) => `:root{--a${i + 1}:var(--a${i}) var(--a${i})}`)}p{content:var(--a30)}</style><p>x`,
  'selectors in each other': `<style>${nested(':not(', ')', '.a', 300_000)}{color:red}</style><p>x`,
  'many cascade layers': `<style>${each(100_000, (i) => `@layer a${i};`)}</style><p>x`,
  'many frames of animations': `<style>${'@keyframes a{to{opacity:1}}'.repeat(40_000)}</style><p>x`,
  'frames that many animations repeat': `<style>@keyframes a{to{${'color:red;'.repeat(50_000)}}}${'p{animation:a 1s both}'.repeat(40_000)}</style><p>x`,
  'many families': `<style>p{font-family:${'a,'.repeat(400_000)}b}</style><p>x`,
  'many pictures behind': `<style>p{background:${'linear-gradient(red,blue),'.repeat(50_000)}red}</style><p>x`,
  'many shadows': `<style>p{box-shadow:${'1px 1px red,'.repeat(150_000)}1px 1px red;text-shadow:${'1px 1px red,'.repeat(10_000)}1px 1px red}</style><p>x`,
};

test.each(Object.entries(PAGES))('%s', async (_, html) => {
  const boxes = await boxesOf(html, { width: 600, height: 400 });
  expect(boxes.length).toBeGreaterThan(0);
});

test('selectors that take too long are refused', async () => {
  const sheet = each(3_000, (i) => `div div div .c${i} *{color:red}`);
  const html = `<style>${sheet}</style>${nested('<div>', '</div>')}`;
  await expect(boxesOf(html, { width: 600, height: 400 })).rejects.toThrow(
    'css: has selectors that take this long to match',
  );
});
