// Tests that Han characters take the glyphs of the language in the nearest `lang`.

import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { composePage } from './pages.ts';

const { missing } = await openFontLibrary({ folders: [] });

const runs = (ops: readonly PaintOp[]): string[] =>
  ops.flatMap((op) =>
    op.kind === 'group'
      ? runs(op.ops)
      : op.kind === 'glyphs'
        ? [`${op.run.text} ${op.run.face.replace(/ \d.*/, '')}`]
        : [],
  );

/** Each glyph run's text and font family. */
async function faces(html: string): Promise<readonly string[]> {
  const common = { name: 'T', width: 300, height: 200, engine: 'html', renderer: 'satori', background: '#fff' };
  const template = HtmlTemplate.parse({ ...common, html, css: 'body{font-family:Inter;font-size:16px}' });
  const { list, diagnostics } = await composePage(resolveHtml(template, {}));
  expect(diagnostics.filter(({ code }) => code !== 'satori-subset')).toEqual([]);
  return runs(list.ops);
}

const [SC, JP, KR] = ['直 Noto Sans SC', '直 Noto Sans JP', '直 Noto Sans KR'];
const check = (title: string, html: string, expected: readonly string[]) =>
  test.skipIf(missing.length > 0)(title, async () => expect(await faces(html)).toEqual(expected));

check('no language', '<p>直</p>', [SC]);
check('of the document', '<!doctype html><html lang="ja"><body><p>直</p></body></html>', [JP]);
check('of an element', '<p lang="ko">直</p>', [KR]);
check('of the nearest one', '<div lang="ja"><p>直</p><p lang="zh-CN">直</p><p><b>直</b></p></div>', [JP, SC, JP]);
check('of words in one line', '<p lang="zh" style="display:flex">直<span lang="ja">直</span></p>', [SC, JP]);
check('one without Han', '<html lang="en"><body><p>直</p></body></html>', [SC]);
check('one that is none', '<p lang="no language!">直</p>', [SC]);
check('none again inside', '<div lang="ja"><p lang="">直</p></div>', [SC]);
check('kana beside it', '<p>直</p><p>か</p>', ['直 Noto Sans JP', 'か Noto Sans JP']);
