// Lists the public suites of `npm run suites`, and reads the fixtures of each.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwrapWoff } from '#draw/fonts/woff.ts';
import type { Suite } from './checkout.ts';
import { type LayoutSuite, VIEWPORT } from './layout-suite.ts';

export const TAFFY: Suite = {
  name: 'taffy',
  repository: 'DioxusLabs/taffy',
  commit: '8d13fdc88468c83f01b13b36fadc0349950c6f51',
};
export const YOGA: Suite = {
  name: 'yoga',
  repository: 'facebook/yoga',
  commit: 'f6206ec3538bf1e344c3b8094d394bbeba8531f1',
};
export const TEXT_RENDERING: Suite = {
  name: 'text-rendering-tests',
  repository: 'unicode-org/text-rendering-tests',
  commit: '5823ddb172570f376e4b181688f85a7977866d9f',
};

/** Reads Taffy's fixtures: one page per file, and one style sheet for all, which contains the font. */
export async function readTaffy(folder: string): Promise<LayoutSuite> {
  const css = readFileSync(join(folder, 'scripts/gentest/test_base_style.css'), 'utf8');
  const font = /base64,([A-Za-z0-9+/=]+)/.exec(css)?.[1] ?? '';
  const files = globSync('**/*.html', { cwd: join(folder, 'test_fixtures') }).sort();
  return {
    css,
    font: await unwrapWoff(Buffer.from(font, 'base64')),
    rootSelector: 'body > #test-root',
    fixtures: files
      // The suite itself disables fixtures whose names begin with x.
      .filter((file) => !/(^|\/)x/.test(file))
      .map((file) => ({
        name: file.slice(0, -'.html'.length),
        body: readFileSync(join(folder, 'test_fixtures', file), 'utf8').replace(
          /<(script|link)[^>]*>(<\/script>)?/g,
          '',
        ),
      })),
  };
}

/** Reads Yoga's fixtures: many roots per file, each put into the suite's own page. */
export async function readYoga(folder: string): Promise<LayoutSuite> {
  const page = readFileSync(join(folder, 'gentest/test-template.html'), 'utf8');
  const font = readFileSync(
    join(folder, 'gentest', globSync('fonts/*.ttf', { cwd: join(folder, 'gentest') })[0] ?? ''),
  );
  const css = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? '';
  const files = globSync('*.html', { cwd: join(folder, 'gentest/fixtures') }).sort();
  const fixtures = files.flatMap((file) => {
    const text = readFileSync(join(folder, 'gentest/fixtures', file), 'utf8');
    const roots = text.split(/^(?=<div id=)/m).filter((root) => root.startsWith('<div'));
    return roots.map((root) => ({
      name: `${file.slice(0, -'.html'.length)}/${/id="([^"]+)"/.exec(root)?.[1]}`,
      body: `<div id="container">${root}</div>`,
    }));
  });
  return {
    // The roots' container is as large as our canvas.
    css: `${css} #container { width: ${VIEWPORT.width}px; height: ${VIEWPORT.height}px }`.replace(
      '%FONT_PATH%',
      `data:font/ttf;base64,${font.toString('base64')}`,
    ),
    font,
    rootSelector: '#container > div',
    fixtures,
  };
}
