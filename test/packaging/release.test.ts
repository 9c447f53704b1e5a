// Tests what a release is made by: the workflow names scripts that exist, and a tag must be the version of all packages.

import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly needs?: string | string[]; readonly steps: { run?: string }[] }>>;
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

test('a tag that is not the version of every package is refused, with the files', async () => {
  const check = promisify(execFile)(process.execPath, [join(ROOT, 'packaging/release/check-version'), 'v0.0.9']);
  await expect(check).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^package\.json: .*\nclients\/js.*\nclients\/python.*\nCHANGELOG\.md: no section/),
  });
});
