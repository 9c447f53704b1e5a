// Measures one picture on the command line of the package, compared with a script that only draws the same with takumi.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyModifications } from '#core/resolve/apply-modifications.ts';
import { RARER_LAYERS } from '#core/resolve/resolve.ts';
import { buildModules } from '../scripts/build-package.ts';
import { cssTree } from './css-tree.ts';
import { nodeOf, TAKUMI } from './peers/takumi.ts';
import { WORKLOADS } from './workloads.ts';

export interface CommandCost {
  readonly program: 'platen render' | 'takumi script' | 'node -e 0';
  /** Means of one run. */
  readonly cpuMs: number;
  readonly ms: number;
}

const RUNS = 10;
const ROOT = join(import.meta.dirname, '..');

/**
 * Draws the simple card. The programs take turns, each with several runs in one shell, which reports their CPU time
 * (POSIX `times`).
 */
export async function measureCommand(rounds: number): Promise<CommandCost[]> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-command-'));
  try {
    await buildCommand(folder);
    return measureIn(folder, rounds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The package as it is installed: a checkout would run the sources. */
async function buildCommand(folder: string): Promise<void> {
  await buildModules(join(folder, 'dist'));
  for (const part of ['package.json', 'bin', 'fonts'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

function measureIn(folder: string, rounds: number): CommandCost[] {
  const card = WORKLOADS.find(({ name }) => name === 'simple-card');
  if (!card) throw new Error('no simple card');
  const { template } = applyModifications(card.template, card.strings(1), RARER_LAYERS);
  const [file, script, out] = ['card.json', 'takumi.mjs', 'out.png'].map((name) => join(folder, name));
  writeFileSync(file ?? '', JSON.stringify(template));
  writeFileSync(script ?? '', takumiScript(nodeOf(cssTree(template)), template, out ?? ''));
  const programs = {
    'platen render': [join(folder, 'bin/platen.mjs'), 'render', file, '-o', out],
    'takumi script': [script],
    'node -e 0': ['-e', '0'],
  } as const;
  const costs = new Map(Object.keys(programs).map((program) => [program, { cpuMs: 0, ms: 0 }]));
  for (let round = -1; round < rounds; round++) {
    for (const [program, args] of Object.entries(programs)) {
      const line = [process.execPath, ...args].map((arg) => `'${arg}'`).join(' ');
      const loop = `i=0; while [ $i -lt ${RUNS} ]; do ${line} >/dev/null || exit 1; i=$((i+1)); done; times`;
      const start = performance.now();
      const shown = execFileSync('/bin/sh', ['-c', loop], { cwd: ROOT }).toString();
      const cost = costs.get(program);
      if (round < 0 || !cost) continue;
      cost.ms += (performance.now() - start) / RUNS / rounds;
      cost.cpuMs += childrenCpuMs(shown) / RUNS / rounds;
    }
  }
  return [...costs].map(([program, { cpuMs, ms }]) => ({
    program: program as CommandCost['program'],
    cpuMs: Math.round(cpuMs),
    ms: Math.round(ms),
  }));
}

/** The second line of `times`: user and system time of the shell's children, as `0m1.5s`. */
function childrenCpuMs(shown: string): number {
  const line = shown.trim().split('\n').at(-1) ?? '';
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + 60_000 * Number(m) + 1000 * Number(s),
    0,
  );
}

function takumiScript(node: unknown, { width, height }: { width: number; height: number }, out: string): string {
  const fonts = ['400Regular', '700Bold'].map((face) =>
    import.meta.resolve(`@expo-google-fonts/inter/${face}/Inter_${face}.ttf`),
  );
  return `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { Renderer } from ${JSON.stringify(TAKUMI)};
    const renderer = new Renderer();
    for (const [font, weight] of [[${JSON.stringify(fonts[0])}, 400], [${JSON.stringify(fonts[1])}, 700]]) {
      await renderer.registerFont({ name: 'Inter', data: readFileSync(new URL(font)), weight, style: 'normal' });
    }
    const picture = await renderer.render(${JSON.stringify(node)}, { width: ${width}, height: ${height}, format: 'png' });
    writeFileSync(${JSON.stringify(out)}, picture);
  `;
}
