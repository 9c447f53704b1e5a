// Tests CommonMark's inline rules case by case: each run of text is shown with the letters of its marks.

import { expect, test } from 'vitest';
import { parseInlineMarkdown } from '#core/resolve/inline-markdown.ts';

/**
 * `text/b` is strong, `i` emphasis, `s` strikethrough, `c` code; a link is shown as its address, `{red}` is a colour.
 */
function check(source: string, ...expected: string[]): void {
  const shown = parseInlineMarkdown(source).map(({ text, strong, emphasis, strikethrough, code, link, color }) => {
    const marks = `${strong ? 'b' : ''}${emphasis ? 'i' : ''}${strikethrough ? 's' : ''}${code ? 'c' : ''}`;
    return [
      text,
      ...(marks ? [marks] : []),
      ...(link === null ? [] : [link]),
      ...(color === null ? [] : [`{${color}}`]),
    ].join('/');
  });
  expect(shown).toEqual(expected);
}

test('plain text', () => check('Hello, world', 'Hello, world'));
test('no text', () => check(''));
test('strong', () => check('a **b** c', 'a ', 'b/b', ' c'));
test('strong by underscores', () => check('__b__', 'b/b'));
test('emphasis', () => check('a *b* c', 'a ', 'b/i', ' c'));
test('emphasis by underscores', () => check('_b_', 'b/i'));
test('both at once', () => check('***b***', 'b/bi'));
test('emphasis in strong', () => check('**a *b* c**', 'a /b', 'b/bi', ' c/b'));
test('strong in emphasis', () => check('*a **b***', 'a /i', 'b/bi'));
test('within a word', () => check('un*frigging*believable', 'un', 'frigging/i', 'believable'));
test('underscores within a word are letters', () => check('snake_case_name', 'snake_case_name'));
test('stars between spaces are letters', () => check('2 * 3 * 4', '2 * 3 * 4'));
test('an unclosed mark is letters', () => check('**a *b', '**a *b'));
test('more closing marks than opening', () => check('**a***', 'a/b', '*'));
test('lengths that add up to a multiple of three', () => check('*a**b*', 'a**b/i'));
test('crossing marks: the first pair holds', () => check('*a _b* c_', 'a _b/i', ' c_'));
test('strikethrough', () => check('a ~~b~~ c', 'a ', 'b/s', ' c'));
test('one tilde is a letter', () => check('~b~ ~ ~~~c~~~', '~b~ ~ ~~~c~~~'));
test('code keeps its marks', () => check('`a *b* \\`', 'a *b* \\/c'));
test('code in two backticks holds one', () => check('`` a`b ``', 'a`b/c'));
test('code takes a line feed for a space', () => check('`a\nb`', 'a b/c'));
test('code binds before emphasis', () => check('*a `b* c`', '*a ', 'b* c/c'));
test('an unclosed backtick is a letter', () => check('`a ``b', '`a ``b'));
test('a colour', () => check('a [b]{color=red} c', 'a ', 'b/{red}', ' c'));
test('a colour with spaces in it', () => check('[b]{color="rgb(0 0 0 / 50%)"}', 'b/{rgb(0 0 0 / 50%)}'));
test('marks in a colour, and a colour in marks', () => check('**[a *b*]{color=#d00}**', 'a /b/{#d00}', 'b/bi/{#d00}'));
test('the inner colour holds', () => check('[a [b]{color=red} c]{color=blue}', 'a /{blue}', 'b/{red}', ' c/{blue}'));
test('two colours side by side', () => check('[a]{color=red}[b]{color=blue}', 'a/{red}', 'b/{blue}'));
test('a link in a colour, and a colour in a link', () => {
  check('[[a](https://x.y/)]{color=red}', 'a/https://x.y//{red}');
  check('[[a]{color=red}](https://x.y/)', 'a/https://x.y//{red}');
});
test('what is no colour is letters', () => {
  check('[a]{color=reddish}', '[a]{color=reddish}');
  check('[a]{.red}', '[a]{.red}');
  check('[a] {color=red}', '[a] {color=red}');
});
test('escapes', () => check('\\*a\\* \\\\ \\a \\[b](c)', '*a* \\ \\a [b](c)'));
test('an escaped line feed is a line break', () => check('a\\\nb', 'a\nb'));
test('a line feed stays', () => check('a\n*b*', 'a\n', 'b/i'));
test('link', () => check('a [b](https://x.y/z) c', 'a ', 'b/https://x.y/z', ' c'));
test('link in angle brackets, with a title', () => check('[b](<https://x.y/> "t")', 'b/https://x.y/'));
test('link with parentheses', () => check('[b](https://x.y/(z))', 'b/https://x.y/(z)'));
test('link with marks inside', () => check('[a **b**](mailto:a@b.c)', 'a /mailto:a@b.c', 'b/b/mailto:a@b.c'));
test('emphasis around a link', () => check('*[a](https://x.y)*', 'a/i/https://x.y'));
test('marks do not cross a link', () => check('*[a*](https://x.y)', '*', 'a*/https://x.y'));
test('links do not nest', () => check('[a [b](https://x.y)](https://z.w)', '[a ', 'b/https://x.y', '](https://z.w)'));
test('an address of another scheme is text', () => check('[a](javascript:b)', '[a](javascript:b)'));
test('brackets without an address are text', () => check('[a] (b) ]', '[a] (b) ]'));
test('punctuation outside Latin', () => check('**「重要」** です', '「重要」/b', ' です'));
test('letters beyond the basic plane', () => check('*😀* **𝒂**', '😀/i', ' ', '𝒂/b'));

for (const [name, part] of Object.entries({
  stars: '*',
  openers: '*a ',
  mixed: '**a*b_c`d[e](f)',
  brackets: '[a](',
  backticks: '`` ` ',
  escapes: '[a](http://\\!\\!',
  parentheses: '[a](http://(((',
  titles: '[a](http://x "',
})) {
  test(`a hundred thousand characters of ${name} are read at once`, { timeout: 2_000 }, () => {
    const source = part.repeat(100_000 / part.length);
    const length = parseInlineMarkdown(source).reduce((sum, { text }) => sum + text.length, 0);
    expect(length).toBeLessThanOrEqual(source.length);
  });
}
