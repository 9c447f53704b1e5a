// Tests what a release is made by: the workflow names scripts that exist, and a tag must be the version of all packages.

import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string | string[];
  readonly permissions?: object;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>;
}

test('the workflow is YAML, its jobs wait for the build, and its scripts can be run', () => {
  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')) as Workflow;
  for (const [name, { needs }] of Object.entries(jobs)) {
    if (name !== 'build') for (const need of [needs].flat()) expect(Object.keys(jobs), name).toContain(need);
  }
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  const scripts = commands.flatMap((command) => /^packaging\/\S+/.exec(command) ?? []);
  expect(scripts).toEqual(['packaging/release/check-version', 'packaging/release/build']);
  for (const script of scripts) accessSync(join(ROOT, script), constants.X_OK);
});

test('each thing that is published has its provenance, archives and images their bill of materials', () => {
  const text = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
  const { jobs } = parse(text) as Workflow;
  const stepsOf = (job: string) => jobs[job]?.steps ?? [];
  const uses = (name: string) => stepsOf('build').filter((step) => step.uses?.startsWith(`actions/${name}@`));
  expect(uses('attest-build-provenance')).toMatchObject([{ with: { 'subject-checksums': 'release/SHA256SUMS' } }]);
  const archives = uses('attest-sbom').map((step) => [step.with?.['subject-path'], step.with?.['sbom-path']]);
  const files = ['x64', 'arm64'].map((each) => `release/platen-linux-${each}`);
  expect(archives).toEqual(files.map((file) => [`${file}.tar.zst`, `${file}.cdx.json`]));
  const commands = (job: string) =>
    stepsOf(job)
      .map(({ run = '' }) => run)
      .join('\n');
  expect(commands('npm')).toMatch(/npm publish .*--provenance/);
  expect(commands('image')).toMatch(/buildx build --push --provenance mode=max --sbom true/);
  // This action attests what it uploads by itself.
  expect(stepsOf('pypi').at(-1)?.uses).toMatch(/^pypa\/gh-action-pypi-publish@/);
  for (const job of ['build', 'npm', 'pypi']) expect(jobs[job]?.permissions).toMatchObject({ 'id-token': 'write' });
});

test('a tag that is not the version of every package is refused, with the files', async () => {
  const check = promisify(execFile)(process.execPath, [join(ROOT, 'packaging/release/check-version'), 'v0.0.9']);
  await expect(check).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^package\.json: .*\nclients\/js.*\nclients\/python.*\nCHANGELOG\.md: no section/),
  });
});
