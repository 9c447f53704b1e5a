// Draws published programs for satori, @vercel/og, Next.js and takumi with `platen/og` and with what they are for:
// @vercel/og, or takumi. Compares the pictures. They run unchanged but for their imports; those of takumi that have
// Tailwind's classes get `tailwind: true`.
//
// node scripts/og-examples/main.ts [--checkouts DIR] [--packages DIR] [--look DIR] [--only TEXT] [--offline]
//
// DIR has the check-outs of FROM_GIT, by name. Missing ones are fetched by git, and left out if that fails. Documents of
// packages come from npm, or from --packages, a node_modules that has them. None of these files is kept. Pictures, fonts and texts that examples fetch are replaced if the network does not
// have them, and always with --offline. Ends with 1 if Platen refuses an example that @vercel/og draws.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { meanDifference } from '../../test/heavy/edge/mean-difference.ts';
import { buildEdge } from '../build-edge.ts';
import { type Example, findExamples, type Source } from './find-examples.ts';
import { bundleExample, type DrawOptions, NotRunnable, type Responder, runExample } from './run-example.ts';
import { fetchOrStandIn, REGULAR } from './stand-ins.ts';

const PACKAGES = ['@vercel/og', 'next', 'satori', 'takumi-js'];
const FROM_NPM: readonly Omit<Source, 'folder'>[] = [
  { name: '@vercel/og', files: ['README.md'] },
  { name: 'next', files: ['dist/docs/01-app/**/*.md'] },
  { name: 'takumi-js', files: ['README.md'] },
];
const FROM_GIT: Readonly<Record<string, Omit<Source, 'folder'> & { url: string }>> = {
  satori: {
    url: 'https://github.com/vercel/satori',
    name: 'satori',
    files: ['README.md', 'playground/cards/*-data.ts'],
  },
  examples: {
    url: 'https://github.com/vercel/examples',
    name: 'vercel/examples',
    files: [
      '**/api/{*og*,static,emoji,param,vercel,tailwind,language,image-svg,encrypted,dynamic-image,custom-font}.tsx',
      '**/og/route.tsx',
      '**/{opengraph,twitter}-image.tsx',
    ],
  },
  takumi: {
    url: 'https://github.com/kane50613/takumi',
    name: 'takumi',
    files: [
      'docs/app/playground/templates/*.tsx',
      'docs/app/registry/image/*.tsx',
      'example/{nextjs,cloudflare-workers}/**/*.tsx',
      'docs/content/docs/**/*.mdx',
    ],
  },
  commerce: {
    url: 'https://github.com/vercel/commerce',
    name: 'vercel/commerce',
    files: ['components/opengraph-image.tsx'],
  },
  playground: {
    url: 'https://github.com/vercel/next-app-router-playground',
    name: 'vercel/next-app-router-playground',
    files: ['app/api/og/route.tsx'],
  },
  'next-auth': {
    url: 'https://github.com/nextauthjs/next-auth',
    name: 'nextauthjs/next-auth',
    files: ['docs/app/api/og/route.tsx'],
  },
  taxonomy: {
    url: 'https://github.com/shadcn-ui/taxonomy',
    name: 'shadcn-ui/taxonomy',
    files: ['app/api/og/route.tsx'],
  },
  precedent: {
    url: 'https://github.com/steven-tey/precedent',
    name: 'steven-tey/precedent',
    files: ['app/opengraph-image.tsx'],
  },
  fumadocs: {
    url: 'https://github.com/fuma-nama/fumadocs',
    name: 'fuma-nama/fumadocs',
    files: ['packages/base-ui/src/og.tsx', 'packages/base-ui/src/og/takumi.tsx', 'apps/docs/app/og/**/route.tsx'],
  },
};

const { values } = parseArgs({
  options: {
    checkouts: { type: 'string' },
    packages: { type: 'string' },
    look: { type: 'string' },
    only: { type: 'string' },
    offline: { type: 'boolean', default: false },
  },
});

type Verdict = { readonly example: string; readonly kind: Kind; readonly detail: string };
type Kind =
  | 'same'
  | 'different'
  | 'refused by both'
  | 'refused by Platen alone'
  | 'drawn by Platen alone'
  | 'no program';

/** Mean difference of 255 below which two pictures count as the same, because edges of letters differ. */
const SAME = 1;

const work = await mkdtemp(join(tmpdir(), 'og-examples-'));

async function run(): Promise<void> {
  await buildEdge(join(work, 'edge'));
  await writeFile(join(work, 'package.json'), '{"private":true,"type":"module"}');
  if (values.packages === undefined) installPackages();
  else await symlink(resolve(values.packages), join(work, 'node_modules'));
  globalThis.fetch = fetchOrStandIn(globalThis.fetch, values.offline);
  const ours = withInter((await imported('edge/og-node.js')).ImageResponse as Responder);
  const oursOfTailwind = withInter(ours, { tailwind: true });
  // @vercel/og's own build for Node needs a bundler; the one in Next.js does not.
  const next = await imported('node_modules/next/dist/compiled/@vercel/og/index.node.js');
  const vercel = withInter(next.ImageResponse as Responder);
  await writeFile(join(work, 'takumi.mjs'), "export { ImageResponse } from 'takumi-js/response';");
  const takumi = withInter((await imported('takumi.mjs')).ImageResponse as Responder);
  if (values.look !== undefined) await mkdir(values.look, { recursive: true });
  const verdicts: Verdict[] = [];
  for (const source of sources()) {
    for (const example of await findExamples(source)) {
      if (!example.name.includes(values.only ?? '')) continue;
      const isTakumi = /takumi/.test(`${example.name} ${example.code}`);
      // Its `tw` takes classes of Tailwind 4.
      const mine = isTakumi && /\btw=/.test(example.code) ? oursOfTailwind : ours;
      const number = String(verdicts.length).padStart(3, '0');
      verdicts.push(await judge(example, number, mine, isTakumi ? takumi : vercel));
    }
  }
  report(verdicts);
}

function installPackages(): void {
  // npm chooses versions that suit the Node it runs on.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  execFileSync('npm', ['install', ...flags, ...PACKAGES], { cwd: work, env, stdio: 'ignore' });
}

function imported(file: string): Promise<Readonly<Record<string, unknown>>> {
  return import(pathToFileURL(join(work, file)).href);
}

/** Adds a font, so that all draw the same letters. */
function withInter(Base: Responder, more: object = {}): Responder {
  return class extends Base {
    constructor(element: unknown, options: DrawOptions = {}) {
      super(element, { fonts: INTER, ...more, ...options });
    }
  };
}
const INTER = [{ name: 'Inter', data: REGULAR, weight: 400, style: 'normal' }];

function sources(): readonly Source[] {
  const packaged = FROM_NPM.map((each) => ({ ...each, folder: join(work, 'node_modules', each.name) }));
  const checkouts = Object.entries(FROM_GIT).flatMap(([key, { url, ...source }]) => {
    const given = values.checkouts === undefined ? null : resolve(values.checkouts, key);
    const folder = given !== null && existsSync(given) ? given : cloned(url, key);
    if (folder === null) console.log(`${url} cannot be fetched; put a check-out of it into the folder of --checkouts.`);
    return folder === null ? [] : [{ ...source, folder }];
  });
  return [...packaged, ...checkouts];
}

function cloned(url: string, key: string): string | null {
  const folder = join(work, key);
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', url, folder], { stdio: 'ignore', timeout: 300_000 });
    return folder;
  } catch {
    return null;
  }
}

async function judge(example: Example, number: string, ours: Responder, theirs: Responder): Promise<Verdict> {
  const verdict = (kind: Kind, detail: string): Verdict => ({ example: `${number} ${example.name}`, kind, detail });
  // A module runs only once, so each side imports a file of its own.
  const files = await Promise.all(
    ['ours', 'theirs'].map((side) => bundleExample(example, join(work, `${number}-${side}.mjs`)).catch(failure)),
  );
  const [mine, other] = [
    typeof files[0] === 'string' ? await runExample(files[0], example, ours).catch(failure) : files[0],
    typeof files[1] === 'string' ? await runExample(files[1], example, theirs).catch(failure) : files[1],
  ];
  if (mine instanceof NotRunnable) return verdict('no program', mine.message);
  if (values.look !== undefined) {
    const pictures = [mine, other].map((side) => (side instanceof Error ? [] : (side ?? [])));
    await writeFile(join(values.look, `${number}.png`), await sideBySide(pictures.map(([first]) => first)));
  }
  if (mine instanceof Error) {
    return verdict(other instanceof Error ? 'refused by both' : 'refused by Platen alone', mine.message);
  }
  if (other instanceof Error) return verdict('drawn by Platen alone', other.message);
  const differences = (mine ?? []).map((png, i) => meanDifference(png, other?.[i] ?? png));
  const most = Math.max(...(await Promise.all(differences)));
  return verdict(most < SAME ? 'same' : 'different', `by ${most.toFixed(2)} of 255`);
}

function failure(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

async function sideBySide(pictures: readonly (Uint8Array | undefined)[]): Promise<Uint8Array> {
  const there = pictures.map((png) => png ?? null);
  const sizes = await Promise.all(there.map((png) => (png ? sharp(png).metadata() : null)));
  const [width, height] = [
    Math.max(1, ...sizes.map((size) => size?.width ?? 0)),
    Math.max(1, ...sizes.map((size) => size?.height ?? 0)),
  ];
  return sharp({ create: { width: width * 2 + 10, height, channels: 3, background: '#888' } })
    .composite(there.flatMap((png, i) => (png ? [{ input: Buffer.from(png), left: i * (width + 10), top: 0 }] : [])))
    .png()
    .toBuffer();
}

function report(verdicts: readonly Verdict[]): void {
  console.log(`Published examples: ${verdicts.length}.`);
  for (const [kind, those] of Map.groupBy(verdicts, (each) => each.kind)) {
    console.log(`\n${kind}: ${those.length}`);
    for (const { example, detail } of those) console.log(`  ${example}: ${detail.split('\n')[0]?.slice(0, 200)}`);
  }
  if (verdicts.some(({ kind }) => kind === 'refused by Platen alone')) process.exitCode = 1;
}

try {
  await run();
} finally {
  await rm(work, { recursive: true, force: true });
}
