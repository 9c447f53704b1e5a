// Runs the recipes of docs/recipes.md and requests the picture at the URL that each makes: `node
// test/clients/run-recipes.ts [name…]`.
// A recipe runs in its framework or, where that is not installed, in its language alone.
//
// Next.js, Astro and Hono come from npm into a temporary folder; Django is Debian's python3-django; Rails, Laravel and
// WordPress are plain Ruby and PHP with stubs. A run takes minutes and 500 MB, so it is started by hand and is not part
// of the tests.

import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../scripts/build-client.ts';
import { commandLine } from '../command.ts';
import { fencesOf, ROOT } from '../docs/fences.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);
const recipes = new Map(
  fencesOf('docs/recipes.md', await readFile(join(ROOT, 'docs/recipes.md'), 'utf8')).map(({ words, code }) => [
    words.find((word) => word.startsWith('recipe='))?.slice('recipe='.length) ?? '',
    code,
  ]),
);

await using folder = await temporaryFolder();
const data = join(folder.path, 'data');
await using server = await startProcess(data);
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
  PLATEN_URL: server.url,
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
};
env.PLATEN_TEMPLATE = /PLATEN_TEMPLATE=(\S+)/.exec(server.printed)?.[1] ?? '';
const [program, ...args] = commandLine('secret', 'show', '--json');
const { stdout: secrets } = await run(program, args, { env: { ...env, PLATEN_DATA: data } });
env.PLATEN_SIGNING_SECRET = JSON.parse(secrets).signing;

/** Makes a project with the client and these packages. */
async function project(
  name: string,
  packages: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const to = join(folder.path, name);
  const client = join(folder.path, 'client');
  await buildClient(join(client, 'dist'));
  await cp(join(ROOT, 'clients/js/package.json'), join(client, 'package.json'));
  for (const [file, text] of Object.entries({ 'package.json': '{"private": true, "type": "module"}', ...files })) {
    await mkdir(join(to, file, '..'), { recursive: true });
    await writeFile(join(to, file), text);
  }
  await run('npm', ['install', '--no-audit', '--no-fund', '--install-links', client, ...packages], { cwd: to, env });
  return to;
}

async function write(name: string, text: string): Promise<string> {
  const file = join(folder.path, name);
  await writeFile(file, text);
  return file;
}

const og = (html: string) =>
  (/property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '').replace(/&(amp|#0?38);/g, '&');
const php = (recipe: string) => recipe.replace('<?php', '');

/** Each runs a recipe and returns the URL that it made. */
const RUNNERS: Readonly<Record<string, (code: string) => Promise<string>>> = {
  async next(code) {
    const to = await project(
      'next',
      ['next', 'react@19', 'react-dom@19', 'typescript@5', '@types/react@19', '@types/node@24'],
      {
        'app/layout.tsx':
          'export default ({ children }: { children: React.ReactNode }) => <html lang="en"><body>{children}</body></html>;',
        'app/blog/[slug]/page.tsx': `${code}\nexport default function Page() { return <p>Post</p>; }\n`,
      },
    );
    await run('npx', ['next', 'build'], { cwd: to, env, timeout: 300_000 });
    const port = String(20_000 + (process.pid % 10_000));
    const next = spawn('node', ['node_modules/next/dist/bin/next', 'start', '-p', port], { cwd: to, env });
    try {
      for (let tries = 0; tries < 100; tries += 1) {
        const answer = await fetch(`http://127.0.0.1:${port}/blog/hello-world`).catch(() => null);
        if (answer?.ok) return og(await answer.text());
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      throw new Error('next start does not answer');
    } finally {
      next.kill();
    }
  },
  async astro(code) {
    const to = await project('astro', ['astro'], { 'src/pages/[slug].astro': code });
    await run('npx', ['astro', 'build'], { cwd: to, env, timeout: 300_000 });
    return og(await readFile(join(to, 'dist/hello-world/index.html'), 'utf8'));
  },
  async hono(code) {
    const to = await project('hono', ['hono'], {
      'app.ts': code,
      'ask.ts':
        "import { app } from './app.ts';\nconsole.log((await app.request('/card/Hello%20world')).headers.get('location'));\n",
    });
    return (await run('node', ['ask.ts'], { cwd: to, env })).stdout.trim();
  },
  async rails(code) {
    const file = await write(
      'rails.rb',
      `require "erb"\nrequire "openssl"\n${code}\ninclude CardHelper\nputs card_url(title: "Hello & world")\n`,
    );
    return (await run('ruby', [file], { env })).stdout.trim();
  },
  async django(code) {
    const to = join(folder.path, 'django');
    await mkdir(join(to, 'blog/templatetags'), { recursive: true });
    for (const name of ['blog/__init__.py', 'blog/templatetags/__init__.py']) await writeFile(join(to, name), '');
    await writeFile(join(to, 'blog/templatetags/cards.py'), code);
    await writeFile(
      join(to, 'ask.py'),
      'import django\nfrom django.conf import settings\n' +
        "settings.configure(INSTALLED_APPS=['blog'], TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates'}])\n" +
        'django.setup()\nfrom django.template import Context, Template\n' +
        "print(Template('{% load cards %}{% autoescape off %}{% card_url title=title %}{% endautoescape %}').render(Context({'title': 'Hello & world'})))\n",
    );
    const PYTHONPATH = join(ROOT, 'clients/python');
    return (await run('/usr/bin/python3', ['ask.py'], { cwd: to, env: { ...env, PYTHONPATH } })).stdout.trim();
  },
  async laravel(code) {
    const file = await write('laravel.php', `${code}\necho card_url(['title' => 'Hello & world']);\n`);
    return (await run('php', [file], { env })).stdout.trim();
  },
  async wordpress(code) {
    const stubs =
      'function add_action($name, $do) { $do(); }\nfunction is_singular() { return true; }\n' +
      "function get_the_title() { return 'Hello & world'; }\nfunction esc_url($url) { return htmlspecialchars($url); }\n";
    const file = await write('wordpress.php', `<?php\n${stubs}${php(recipes.get('laravel') ?? '')}${php(code)}`);
    return og((await run('php', [file], { env })).stdout);
  },
};

const wanted = process.argv.slice(2);
let failed = 0;
for (const [name, code] of recipes) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const lines = code.split('\n').filter((line) => line.trim() !== '' && !/^(---|<\?php)$/.test(line.trim())).length;
  try {
    const url = await RUNNERS[name]?.(code);
    const answer = await fetch(url ?? '');
    const type = answer.headers.get('content-type');
    if (type !== 'image/png') throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    console.log(`${name}: ${lines} lines, ${url?.replace(server.url, '')} → ${type}`);
    if (lines > 9) throw new Error('more than nine lines');
  } catch (error) {
    failed += 1;
    const { stderr = '', stdout = '', message } = error as Error & { stderr?: string; stdout?: string };
    console.log(`${name} failed: ${message}\n${stdout}${stderr}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
