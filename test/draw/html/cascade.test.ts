// Tests which declarations apply to elements: selectors, specificity, layers, nesting, media and custom properties.

import { expect, test } from 'vitest';
import { Cascade, mediaApplies } from '#core/css/cascade.ts';
import { elementsOf, parseSelectors, UnreadSelector } from '#core/css/selectors.ts';
import { parsePage } from '#draw/html/parse-html.ts';

const CANVAS = { width: 400, height: 300 };
const PAGE = `<main id="m" class="card wide"><p lang="en-GB">a</p><p class="x">b<i data-on="Yes no">c</i></p><a href="#">d</a><b></b></main>`;

/** The ids, classes or names of the elements for which `mark` is declared as `1`. */
function marked(css: string, html = PAGE): string {
  const page = parsePage(html).html;
  const expand = (property: string, value: string) => (property === 'mark' ? [[property, value] as const] : []);
  const refusal = (what: string) => new Error(`${what} cannot be drawn`);
  const cascade = new Cascade([page], [css], CANVAS, { expand, refusal });
  return [...elementsOf([page])]
    .filter((element) => !/^(html|head|body)$/.test(element.name) && cascade.declared(element, 'mark') === '1')
    .map(({ name, attributes }) => attributes.get('class')?.split(' ')[0] ?? name)
    .join(' ');
}
const check = (selector: string, expected: string) =>
  test(selector, () => expect(marked(`${selector} { mark: 1 }`)).toBe(expected));

check('p', 'p x');
check('.card > p', 'p x');
check('#m i, .none', 'i');
check('p + p', 'x');
check('p ~ a', 'a');
check('[lang|="en"]', 'p');
check('[data-on~=no]', 'i');
check('[data-on="yes NO" i]', 'i');
check('p:first-child', 'p');
check('main > :last-child', 'b');
check(':nth-child(2n+1)', 'card p i a');
check('p:nth-of-type(2)', 'x');
check('main > :not(p, .card)', 'a b');
check(':is(b, a:link)', 'a b');
check('b:empty', 'b');
check('p:hover', '');
check(':root p', 'p x');
check('body > main', 'card');
check('.\\77 ide', 'card');

test('the more specific rule, then the later, then !important, then the attribute', () => {
  expect(marked('.x { mark: 1 } p { mark: 2 }')).toBe('x');
  expect(marked('p { mark: 1 } p { mark: 2 }')).toBe('');
  expect(marked('p { mark: 1 !important } .x { mark: 2 }')).toBe('p x');
  expect(marked('p { mark: 2 }', '<p style="mark: 1">')).toBe('p');
  expect(marked(':where(.x) { mark: 2 } p { mark: 1 }')).toBe('p x');
});
test('layers, in the order in which they are named first', () => {
  expect(marked('@layer a, b; @layer b { p { mark: 1 } } @layer a { .x { mark: 2 } }')).toBe('p x');
  expect(marked('@layer a { #m p { mark: 2 } } p { mark: 1 }')).toBe('p x');
  expect(marked('@layer a { p { mark: 1 !important } } #m p { mark: 2 !important }')).toBe('p x');
});
test('nested rules', () => {
  expect(marked('.card { p { mark: 1 } }')).toBe('p x');
  expect(marked('.card { &.wide > a { mark: 1 } }')).toBe('a');
  expect(marked('.card { > a, > p { mark: 1 } }')).toBe(marked('.card > a, .card > p { mark: 1 }'));
  expect(marked('.card { > a { mark: 1 } }')).not.toBe('');
  expect(marked('.x { mark: 1; @media (min-width: 999px) { mark: 2 } }')).toBe('x');
});
test('custom properties are inherited, and have fallbacks', () => {
  expect(marked(':root { --one: 1 } p { mark: var(--one) }')).toBe('p x');
  expect(marked('p { mark: var(--none, 1) }')).toBe('p x');
  expect(marked('main { --one: 2 } .x { --one: 1 } p { mark: var(--one) }')).toBe('x');
  expect(marked('p { --a: var(--b); --b: var(--a); mark: var(--a) }')).toBe('');
});
test.each([
  ['screen', true],
  ['print', false],
  ['(min-width: 400px) and (max-height: 20em)', true],
  ['(width < 400px)', false],
  ['print, (orientation: landscape)', true],
  ['(prefers-color-scheme: dark)', false],
  ['(monochrome)', null],
  ['not print', true],
  ['not (min-width: 100px)', false],
  ['not (update: fast)', null],
] as const)('@media %s', (query, expected) => expect(mediaApplies(query, CANVAS)).toBe(expected));

test('rules that are not read change nothing', () => {
  expect(marked('p::before { mark: 1 }')).toBe('');
  expect(marked('p:lang(de) { mark: 1 } .x { mark: 1 }')).toBe('x');
  expect(marked('@container (width > 1px) { p { mark: 1 } }')).toBe('');
  expect(() => parseSelectors('p >')).toThrow(UnreadSelector);
});

test('a selector that would backtrack for long is refused', () => {
  const html = `${'<i>'.repeat(55)}${'</i>'.repeat(55)}`;
  expect(() => marked(`b ${'i '.repeat(20)} { mark: 1 }`, html)).toThrow('take this long');
});
