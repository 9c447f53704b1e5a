// Tests the architecture rules that a compiler does not check: the direction of imports, what core may use, and which
// part uses which library.

import { readFileSync } from 'node:fs';
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
  if (specifier.startsWith('#')) return join('src', specifier.slice(1).replace(/^errors$/, 'errors.ts'));
  return null;
}

/** The part that a file belongs to: its folder under src, `core/<stage>` inside core, or the file itself at the top. */
function room(file: string): string {
  const parts = file.split('/').slice(1);
  if (parts[0] === 'core') return parts.length > 2 ? `core/${parts[1]}` : `core/${parts[1]}`;
  return parts.length > 1 ? parts[0]! : parts[0]!;
}

/**
 * Which parts (folders or single files) may import which. A part may always import itself; core imports no other part.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  // How work waits: every room may use it, none has its own.
  concurrency: ['platform', 'errors.ts'],
  net: ['concurrency', 'errors.ts'],
  // What Node does in one way and src/edge/platform in another.
  platform: ['core', 'images'],
  images: ['core', 'concurrency', 'platform', 'errors.ts'],
  encoders: ['core', 'concurrency', 'images', 'platform', 'errors.ts'],
  fonts: ['core', 'concurrency', 'platform', 'errors.ts'],
  chromium: ['core', 'concurrency', 'net', 'images', 'encoders', 'output/formats.ts', 'errors.ts'],
  html: ['core', 'concurrency', 'platform', 'images', 'encoders/png/chunk.ts', 'errors.ts'],
  output: ['core', 'concurrency', 'images', 'encoders', 'platform', 'errors.ts'],
  renderer: [
    'core',
    'concurrency',
    'images',
    'encoders',
    'fonts',
    'html',
    'output',
    'observability/trace.ts',
    'errors.ts',
  ],
  storage: ['core', 'concurrency', 'output/formats.ts', 'observability/trace.ts', 'errors.ts', 'ids.ts'],
  jobs: ['concurrency', 'storage', 'errors.ts', 'ids.ts'],
  service: [
    'core',
    'concurrency',
    'net',
    'images',
    'encoders',
    'fonts',
    'html/check-template.ts',
    'html/tailwind/page-classes.ts',
    'chromium',
    'renderer',
    'output',
    'storage',
    'jobs',
    'errors.ts',
    'ids.ts',
    'observability',
  ],
  mcp: ['output/formats.ts', 'errors.ts'],
  http: ['core', 'concurrency', 'output', 'service', 'mcp', 'observability', 'errors.ts'],
  // Runs in browsers, and in runtimes with neither files nor threads.
  edge: [
    'core',
    'concurrency',
    'platform',
    'images',
    'encoders',
    'fonts',
    'output',
    'html',
    'renderer/load-codes.ts',
    'errors.ts',
  ],
  // Runs in browsers: it knows the server by its contract only. Without a server it draws as at the edge.
  studio: [
    'core',
    'edge',
    'output/formats.ts',
    'fonts/woff.ts',
    'images/limits.ts',
    'editor.ts',
    'starters/index.json',
    'clients/js/contract.generated.ts',
  ],
  'editor.ts': ['core'],
  'errors.ts': [],
  'ids.ts': [],
  // What is told of a running server: logs, traces, metrics.
  observability: ['concurrency', 'config'],
  // Beside the server or without it: backups, moves, what doctor checks.
  maintenance: ['core', 'concurrency', 'net', 'fonts', 'chromium', 'service', 'storage', 'config.ts', 'errors.ts'],
  'config.ts': ['config', 'errors.ts'],
  config: [],
};
/** Composition roots: nothing imports them. */
const ROOTS = ['server', 'index.ts', 'browser.ts', 'edge.ts', 'og.ts', 'main.ts', 'cli', 'config.ts'];

/** Inside core, a stage may import itself and the stages before it. */
const CORE_ORDER = [
  [
    'core/geometry.ts',
    'core/path.ts',
    'core/blend-mode.ts',
    'core/color.ts',
    'core/diagnostics.ts',
    'core/path-data.ts',
    'core/nearest-name.ts',
    'core/lru-cache.ts',
    'core/lazily.ts',
    'core/decimal.ts',
    'core/moment.ts',
    'core/page-link.ts',
    'core/role.ts',
    'core/csv-text.ts',
    'core/long-list.ts',
    'core/packed-list.ts',
    'core/without-end.ts',
  ],
  ['core/css'],
  ['core/template'],
  ['core/text', 'core/resolve'],
  ['core/design'],
  ['core/resources.ts', 'core/fonts'],
  ['core/sniff.ts'],
  ['core/layout'],
  ['core/paint'],
  ['core/svg', 'core/chart'],
  ['core/lost-content.ts', 'core/composition.ts'],
  ['core/pages'],
  ['core/compose.ts'],
];
const rank = (name: string) => CORE_ORDER.findIndex((rooms) => rooms.includes(name));

test('imports point one way between the rooms', () => {
  const wrong: string[] = [];
  for (const [file, imports] of sources) {
    const from = room(file);
    if (ROOTS.includes(from)) continue;
    for (const specifier of imports) {
      const target = resolveOurs(file, specifier);
      if (target === null) continue;
      const to = room(target);
      if (from.startsWith('core/')) {
        if (!to.startsWith('core/')) wrong.push(`${file} imports ${target}`);
        else if (rank(to) > rank(from)) wrong.push(`${file} imports the later stage ${target}`);
        else if (rank(to) < 0 || rank(from) < 0) wrong.push(`${file} or ${target} has no place in CORE_ORDER`);
      } else if (to !== from) {
        const allowed = MAY_IMPORT[from] ?? [];
        const names = [to.startsWith('core/') ? 'core' : to, target.replace(/^src\//, '')];
        if (!names.some((name) => allowed.includes(name))) wrong.push(`${file} imports ${target}`);
      }
    }
  }
  expect(wrong).toEqual([]);
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

test('core is pure: no node: module, no I/O, no clock, no randomness', () => {
  const wrong: string[] = [];
  for (const [file, imports] of sources) {
    if (!file.startsWith('src/core/')) continue;
    for (const specifier of imports) if (specifier.startsWith('node:')) wrong.push(`${file} imports ${specifier}`);
    const code = readFileSync(join(root, file), 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    const impure =
      /(?<!hb\.)\b(process\.|Buffer\b|fetch\(|setTimeout|Date\.now|new Date\b|Math\.random|performance\.now|await )/.exec(
        code,
      );
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
  'core/design/scale-layer.ts scalings',
  'core/fonts/families.ts coverages',
  'core/fonts/match-face.ts known',
  'core/paint/backdrop.ts marked',
  'core/paint/bounds.ts outlineBounds',
  'core/paint/ink-outside.ts silhouettes',
  'core/paint/paint-chart.ts drawn',
  'core/paint/paint-frame.ts fillOps',
  'core/paint/paint-shape.ts paintShape',
  'core/paint/paint.ts canvasFill',
  'core/paint/shadow.ts outerShadow',
  'core/resolve/apply-modifications.ts charactersOf',
  'core/resolve/calculate.ts calculating',
  'core/resolve/check-parameters.ts known',
  'core/resolve/check.ts checkedAlternates',
  'core/resolve/check.ts demands',
  'core/resolve/condition.ts known',
  'core/resolve/format-value.ts DATES',
  'core/resolve/format-value.ts LISTS',
  'core/resolve/format-value.ts NUMBERS',
  'core/resolve/format-value.ts PLURALS',
  'core/resolve/format-value.ts latest',
  'core/resolve/repeat.ts kept',
  'core/resolve/repeat.ts templateNames',
  'core/resolve/resolve.ts backgrounds',
  'core/resolve/resolve.ts resolved',
  'core/svg/run-path.ts spelled',
  'core/text/font-fallback.ts ofChain',
  'core/text/font-set.ts keys',
  'core/text/font-set.ts tagsKeys',
];

test('core has no state but its memos', () => {
  const stateful: string[] = [];
  for (const file of sources.keys()) {
    if (!file.startsWith('src/core/')) continue;
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
      const target = resolveOurs(file, specifier)?.replace(/^src\/platform\//, 'src/edge/platform/');
      if (target) visit(target);
    }
  };
  visit('src/edge.ts');
  visit('src/og.ts');
  expect(wrong).toEqual([]);
});

test('the studio needs nothing of Node', () => {
  const wrong: string[] = [];
  for (const [file, imports] of sources) {
    if (!file.startsWith('src/studio/')) continue;
    for (const specifier of imports) if (specifier.startsWith('node:')) wrong.push(`${file} imports ${specifier}`);
  }
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
      if (target?.startsWith('src/output/')) visit(target);
    }
  };
  visit('src/output/raster/painter.ts');
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
  expect(readers.filter((file) => file !== 'src/config.ts' && file !== shown)).toEqual([]);
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
