// Tests the architecture rules that a compiler does not check: the direction of imports, what core may use, and which
// part uses which library.

import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { LIBRARIES } from '../scripts/libraries.ts';

const root = join(import.meta.dirname, '..');
const sources = new Map<string, string[]>();
for await (const file of glob('src/**/*.{ts,tsx}', { cwd: root })) {
  const text = readFileSync(join(root, file), 'utf8');
  const imports = [
    ...text.matchAll(
      /^(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
    ),
  ];
  sources.set(
    file,
    imports.map((match) => match[1] ?? match[2] ?? match[3] ?? ''),
  );
}

/** `src/…` for an import of our own code, else null. */
function resolveOurs(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier));
  if (specifier.startsWith('#')) return join('src', specifier.slice(1));
  return null;
}

/** The building that a file belongs to, its folder under src; '' for the entries beside them. */
const building = (file: string) => file.split('/').slice(1, -1)[0] ?? '';

/** Which building may import which besides itself; entries may import all. Their tsconfig.json bound Node and the DOM. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  core: [],
  design: ['core'],
  import: ['base', 'core'],
  draw: ['base', 'core', 'design'],
  edge: ['base', 'core', 'draw'],
  server: ['base', 'core', 'design', 'import', 'draw'],
  cli: ['base', 'core', 'design', 'import', 'draw', 'server'],
  studio: ['core', 'design', 'import', 'draw', 'edge'],
};
/** Of entries: the command that serves starts the server, and the editor's types are those of its host. */
const OF_ENTRIES: readonly string[] = [
  'src/cli/serve.ts imports src/main.ts, which is in no building that it may import',
];

/** Which rooms and files of `draw` and `server` a room of these may import besides itself; files above the rooms, all. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'draw/platform': ['draw/images'],
  'draw/images': ['draw/platform'],
  'draw/encoders': ['draw/images', 'draw/platform'],
  'draw/fonts': ['draw/platform'],
  'draw/html': ['draw/platform', 'draw/images', 'draw/encoders/png/chunk.ts', 'draw/output/formats.ts'],
  'draw/output': ['draw/images', 'draw/encoders', 'draw/platform'],
  'draw/renderer': ['draw/images', 'draw/encoders', 'draw/fonts', 'draw/html', 'draw/output'],
  'server/net': [],
  'server/chromium': ['server/net', 'draw/images', 'draw/encoders', 'draw/output/formats.ts'],
  'server/storage': ['draw/output/formats.ts'],
  'server/jobs': ['server/storage'],
  'server/service': [
    ...['server/net', 'server/chromium', 'server/storage', 'server/jobs', 'server/observability'],
    ...['draw/images', 'draw/encoders', 'draw/fonts', 'draw/renderer', 'draw/output'],
    ...['draw/html/check-template.ts', 'draw/html/tailwind/page-classes.ts'],
  ],
  'server/mcp': ['draw/output/formats.ts'],
  'server/http': ['server/service', 'server/mcp', 'server/observability', 'draw/output'],
  'server/observability': ['server/config/forms.ts'],
  'server/maintenance': [
    ...['server/net', 'server/chromium', 'server/service', 'server/storage', 'server/config/config.ts', 'draw/fonts'],
  ],
  'server/config': ['server/storage/s3/s3-credentials.ts', 'server/observability/open-telemetry.ts'],
};

/** Inside core, a stage may import itself and the stages before it. */
const CORE_ORDER = [
  [
    'geometry.ts',
    'path.ts',
    'blend-mode.ts',
    'color.ts',
    'diagnostics.ts',
    'path-data.ts',
    'nearest-name.ts',
    'lru-cache.ts',
    'lazily.ts',
    'decimal.ts',
    'moment.ts',
    'page-link.ts',
    'role.ts',
    'long-list.ts',
    'packed-list.ts',
    'without-end.ts',
  ],
  ['css'],
  ['template'],
  ['text', 'resolve'],
  ['html'],
  ['resources.ts', 'fonts'],
  ['sniff.ts'],
  ['layout', 'fragmentation'],
  ['paint'],
  ['svg', 'chart'],
  ['lost-content.ts', 'composition.ts'],
  ['pages'],
  ['compose.ts'],
];

/** Inside the editor's core, the same: it has no page, so its views, and all that is around it, come after it. */
const EDITOR_ORDER = [
  ['clock.ts'],
  ['document'],
  ['design'],
  ['scene'],
  ['host.ts'],
  ['geometry'],
  ['state'],
  ['gestures'],
  ['keys.ts'],
  ['open-editor.ts'],
];

/** The rooms of the studio, each after those that it may import; `shell/app.tsx` has all pages. */
const STUDIO_ORDER = [['texts'], ['parts', 'shell'], ['editor'], ['pages', 'embed'], ['module']];
/** Of texts: numbers and dates are written in the language of the interface. */
const UNDER_TEXTS = /^src\/studio\/shell\/(?:format|contract)\.ts$/;

const EDITOR_CORE = 'src/studio/editor/core/';

/** The same in the studio. */
function brokenInStudio(file: string, target: string): string | null {
  if (target.endsWith('.css') || file === 'src/studio/shell/app.tsx') return null;
  const rank = (order: readonly (readonly string[])[], path: string, depth: number) =>
    order.findIndex((rooms) => rooms.includes(path.split('/')[depth] ?? ''));
  if (file.startsWith(EDITOR_CORE)) {
    if (!target.startsWith(EDITOR_CORE))
      return /^src\/studio\/(?:texts\/|shell\/contract\.ts)/.test(target)
        ? null
        : 'is no part of the editor without a page';
    const [from, to] = [rank(EDITOR_ORDER, file, 4), rank(EDITOR_ORDER, target, 4)];
    if (from < 0 || to < 0) return 'has no place in EDITOR_ORDER';
    return to > from ? 'is a later room of the editor' : null;
  }
  const [from, to] = [rank(STUDIO_ORDER, file, 2), rank(STUDIO_ORDER, target, 2)];
  if (from < 0 || to < 0 || (from === 0 && UNDER_TEXTS.test(target))) return null;
  return to > from ? 'is a later room of the studio' : null;
}

/** The rule that an import between rooms of `core`, `draw`, `server` and `studio` breaks; null where it breaks none. */
function broken(file: string, target: string): string | null {
  if (file.startsWith('src/studio/') && target.startsWith('src/studio/')) return brokenInStudio(file, target);
  const [from, to] = [file, target].map((path) => path.split('/').slice(1, 3).join('/')) as [string, string];
  if (from.startsWith('core/') && to.startsWith('core/')) {
    const rank = (name: string) => CORE_ORDER.findIndex((rooms) => rooms.includes(name.slice('core/'.length)));
    if (rank(from) < 0 || rank(to) < 0) return 'has no place in CORE_ORDER';
    return rank(to) > rank(from) ? 'is a later stage' : null;
  }
  if (from === to || !/^(draw|server)\//.test(to) || !/^(draw|server)\//.test(from) || from.endsWith('.ts'))
    return null;
  const allowed = ROOMS[from] ?? [];
  return allowed.some((one) => one === to || `src/${one}` === target) ? null : 'is no room that it may import';
}

test('imports point one way between the buildings, and between their rooms', () => {
  const wrong: string[] = [];
  for (const [file, imports] of sources) {
    const from = building(file);
    if (from === '') continue;
    for (const specifier of imports) {
      const target = resolveOurs(file, specifier);
      if (target === null || !target.startsWith('src/')) continue;
      const to = building(target);
      const isOdd =
        to === '' ? from !== 'studio' || target !== 'src/editor.ts' : to !== from && !MAY_IMPORT[from]?.includes(to);
      const why = isOdd ? 'is in no building that it may import' : broken(file, target);
      if (why !== null) wrong.push(`${file} imports ${target}, which ${why}`);
    }
  }
  expect(wrong).toEqual(OF_ENTRIES);
});

test('each building is compiled by itself, with what it may use of Node and the DOM', () => {
  const { types } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  for (const name of Object.keys(MAY_IMPORT)) {
    expect(types).toContain(` src/${name} `);
    expect(existsSync(join(root, 'src', name, 'tsconfig.json')), name).toBe(true);
  }
});

test('no file imports itself by way of others, not even for a type or by a dynamic import', () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const specifier of sources.get(file) ?? []) {
      const target = resolveOurs(file, specifier);
      if (target !== null) visit(target, [...path, file]);
    }
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test('folders meet through "#" imports', () => {
  const wrong: string[] = [];
  for (const [file, imports] of sources) {
    for (const specifier of imports) {
      // The compiler of kernels does not know "#".
      if (!specifier.startsWith('..') || file.includes('/kernels/')) continue;
      const target = resolveOurs(file, specifier)!;
      if (!target.startsWith('src/')) continue;
      const top = (path: string) => path.split('/')[1];
      if (top(target) !== top(file) && target.split('/').length > 2) wrong.push(`${file} imports ${specifier}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('core and design have no clock and no randomness', () => {
  const wrong: string[] = [];
  for (const file of sources.keys()) {
    if (!/^src\/(core|design|import)\//.test(file)) continue;
    const code = readFileSync(join(root, file), 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    const impure = /\b(Date\.now|new Date\b|Math\.random|await )/.exec(code);
    if (impure) wrong.push(`${file} uses ${impure[0]}`);
  }
  expect(wrong).toEqual([]);
});

/**
 * What core remembers between renders. Nobody can tell that it does: a WeakMap forgets a value with the template, face or
 * node that it belongs to, and the others hold a stated number of values that depend on nothing but their key.
 */
const MEMOS: readonly string[] = [
  'core/color.ts parsed',
  'core/css/selectors.ts classes',
  'core/fonts/families.ts coverages',
  'core/fonts/match-face.ts known',
  'core/html/page-scene.ts kept',
  'core/layout/block.ts floating',
  'core/paint/backdrop.ts marked',
  'core/paint/bounds.ts outlineBounds',
  'core/paint/gradient.ts placed',
  'core/paint/ink-outside.ts silhouettes',
  'core/paint/paint-boxes.ts fillOps',
  'core/paint/paint-boxes.ts paintShape',
  'core/paint/paint-chart.ts drawn',
  'core/paint/paint.ts canvasFill',
  'core/paint/shadow.ts outerShadow',
  'core/resolve/apply-modifications.ts charactersOf',
  'core/resolve/apply-modifications.ts completing',
  'core/resolve/check-parameters.ts known',
  'core/resolve/condition.ts known',
  'core/resolve/format-value.ts DATES',
  'core/resolve/format-value.ts LISTS',
  'core/resolve/format-value.ts NUMBERS',
  'core/resolve/format-value.ts PLURALS',
  'core/resolve/format-value.ts latest',
  'core/resolve/repeat.ts kept',
  'core/resolve/repeat.ts templateNames',
  'core/resolve/resolve-any.ts checkedAlternates',
  'core/resolve/resolve-any.ts demands',
  'core/resolve/resolve-layers.ts backgrounds',
  'core/resolve/resolve-layers.ts resolved',
  'core/resolve/table-cells.ts markedStyles',
  'core/svg/run-path.ts spelled',
  'core/text/font-fallback.ts ofChain',
  'core/text/font-set.ts keys',
  'core/text/font-set.ts tagsKeys',
  'design/scale-layer.ts scalings',
];

test('core has no state but its memos', () => {
  const stateful: string[] = [];
  for (const file of sources.keys()) {
    if (!/^src\/(core|design)\//.test(file)) continue;
    const code = readFileSync(join(root, file), 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    const name = file.replace('src/', '');
    for (const [, variable] of code.matchAll(/^(?:export )?(?:let|var) (\w+)/gm))
      stateful.push(`${name} let ${variable}`);
    // A collection that begins empty is filled later.
    const memo =
      /^(?:export )?const (\w+)(?:: (?!Readonly|Resources|SvgStyle)[^=\n]*)? = (?:new (?:WeakMap|WeakSet|LruCache|Map|Set)(?:<[^(]*>)?\((?!\[|\n|[\w.]+\.|Object)|memoizePaint\()/gm;
    for (const [, variable] of code.matchAll(memo)) stateful.push(`${name} ${variable}`);
  }
  expect(stateful.sort()).toEqual(MEMOS);
});

test('an editor has no state outside of itself, so that a page may have several', () => {
  const stateful: string[] = [];
  for (const file of sources.keys()) {
    if (!file.startsWith(EDITOR_CORE)) continue;
    const code = readFileSync(join(root, file), 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    const found = code.matchAll(
      /^(?:export )?(?:let (\w+)|const (\w+)[^=\n]* = (?:signal|computed|new (?:Map|Set|LruCache)(?:<[^(]*>)?\((?:\)|\d)))/gm,
    );
    for (const [, variable, constant] of found)
      stateful.push(`${file.replace(EDITOR_CORE, '')} ${variable ?? constant}`);
  }
  // Files and codes that are the same for all.
  expect(stateful).toEqual(['scene/compositor.ts loaded', 'scene/compositor.ts known']);
});

test('what runs at the edge needs nothing of Node', () => {
  const reached = new Set<string>();
  const wrong: string[] = [];
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    const code = text.replace(/^import type [^;]*;/gm, '');
    if (/(?<!hb\.)\b(Buffer\b|process\.)/.test(code)) wrong.push(`${file} uses Buffer or process`);
    for (const specifier of sources.get(file) ?? []) {
      if (!code.includes(`'${specifier}'`)) continue;
      if (specifier.startsWith('node:')) wrong.push(`${file} imports ${specifier}`);
      const target = resolveOurs(file, specifier);
      // The condition of package.json holds for specifiers alone, not for relative paths.
      const isSwapped = specifier.startsWith('#');
      const at = /^src\/(draw\/platform|base(?=\/runtime\.ts))\//;
      if (target) visit(isSwapped ? target.replace(at, 'src/edge/platform/') : target);
    }
  };
  visit('src/edge.ts');
  visit('src/og.ts');
  expect(wrong).toEqual([]);
});

test('the painter needs nothing of Node', () => {
  const reached = new Set<string>();
  const wrong: string[] = [];
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(join(root, file), 'utf8').replace(/^import type [^;]*;/gm, '');
    for (const specifier of sources.get(file) ?? []) {
      if (!text.includes(`'${specifier}'`)) continue;
      if (!/^[.#]/.test(specifier)) wrong.push(`${file} imports ${specifier}`);
      const target = resolveOurs(file, specifier);
      if (target?.startsWith('src/draw/output/')) visit(target);
    }
  };
  visit('src/draw/output/raster/painter.ts');
  expect(wrong).toEqual([]);
});

test('each library has one door', () => {
  const wrong: string[] = [];
  for (const [file, imports] of sources) {
    for (const specifier of imports) {
      if (/^[.#]|^node:/.test(specifier)) continue;
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      const door = LIBRARIES[name]?.door;
      if (door === undefined) wrong.push(`${file} imports ${name}, which has no door in scripts/libraries.ts`);
      else if (![door].flat().some((one) => file.startsWith(one)))
        wrong.push(`${file} imports ${name}; its door is ${door}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('each library that has a door is imported through it', () => {
  const imported = new Set([...sources.values()].flat());
  const isImported = (name: string) => [...imported].some((one) => one === name || one.startsWith(`${name}/`));
  expect(Object.keys(LIBRARIES).filter((name) => !isImported(name))).toEqual([]);
});

test('only the composition root reads the environment', () => {
  const readers = [...sources.keys()].filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'));
  // The studio shows it in code to copy.
  const shown = 'src/studio/pages/use/snippets.ts';
  expect(readers.filter((file) => file !== 'src/server/config/config.ts' && file !== shown)).toEqual([]);
});

test('files and folders are named for what they are', () => {
  const vague = /(^|[/-])(utils?|helpers?|common|misc|types|manager|lib)(\.tsx?|\/|$)/;
  expect([...sources.keys()].filter((file) => vague.test(file.replace('src/', '')) || /[A-Z_]/.test(file))).toEqual([]);
});

test('every file says in its first line what it is for', () => {
  const silent = [...sources.keys()].filter(
    (file) => !/^(#!.*\n)?\/\/ \S/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(silent).toEqual([]);
});

/** Files that give their names to one of several sides: kernels, runtimes, and the schema of one release. */
const OTHER_SIDES = /\/(?:kernels|platform|migrations)\/|\.d\.ts$/;
/** Exported names that are declared in several files. Some are one thing on two sides, such as the studio and the server. */
const MOST_TWICE = 121;

test('an exported name stands for one thing, but for a number that only falls', () => {
  const declared = new Map<string, Set<string>>();
  for (const file of sources.keys()) {
    if (OTHER_SIDES.test(file)) continue;
    const names = readFileSync(join(root, file), 'utf8').matchAll(
      /^export (?:async |abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm,
    );
    for (const [, name = ''] of names) declared.set(name, (declared.get(name) ?? new Set()).add(file));
  }
  const twice = [...declared].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files].join(' '));
  expect(twice.length > MOST_TWICE ? twice : []).toEqual([]);
});

/**
 * The most files and thousands of lines that each building may have. A bound is raised by what was taken away elsewhere: in the
 * commit that raises one, another falls by as much, or the message says what users get for it.
 */
const MOST: Readonly<Record<string, readonly [files: number, lines: number]>> = {
  '': [6, 0.6],
  base: [17, 1.2],
  cli: [33, 2.81],
  core: [257, 46.2],
  design: [18, 2.4],
  draw: [212, 28.9],
  edge: [26, 2.6],
  import: [6, 1.8],
  server: [284, 41.3],
  studio: [286, 40.5],
};

test('no building grows beyond its bounds', () => {
  const found = Object.groupBy(sources.keys(), building);
  const beyond = Object.entries(found).flatMap(([name, files = []]) => {
    const lines =
      files.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length, 0) / 1_000;
    const [mostFiles, mostLines] = MOST[name] ?? [0, 0];
    return files.length > mostFiles || lines > mostLines
      ? [`${name}: ${files.length} files, ${lines} thousand lines`]
      : [];
  });
  expect(beyond).toEqual([]);
});
