// Tests the Debian package's scripts with Debian's own helper, in a root folder of their own.

import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

const PACKAGING = join(import.meta.dirname, '../../packaging');
const HELPER = '/usr/bin/deb-systemd-helper';
/** Enables the service when the helper asks for its preset, and leaves this machine alone. */
const SYSTEMCTL = `#!/bin/sh
case "$*" in
  *preset*)
    mkdir -p "$DPKG_ROOT/etc/systemd/system/multi-user.target.wants"
    ln -s /lib/systemd/system/platen.service "$DPKG_ROOT/etc/systemd/system/multi-user.target.wants/" ;;
esac
`;

test.skipIf(!existsSync(HELPER))('the service is enabled again after a removal, unless it was disabled', async () => {
  await using root = await temporaryFolder();
  mkdirSync(join(root.path, 'lib/systemd/system'), { recursive: true });
  copyFileSync(join(PACKAGING, 'platen.service'), join(root.path, 'lib/systemd/system/platen.service'));
  mkdirSync(join(root.path, 'bin'));
  writeFileSync(join(root.path, 'bin/systemctl'), SYSTEMCTL, { mode: 0o755 });
  const path = `${join(root.path, 'bin')}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, DPKG_ROOT: root.path, DPKG_MAINTSCRIPT_PACKAGE: 'platen' };
  const run = (command: string, ...args: string[]) => promisify(execFile)(command, args, { env });
  const install = () => run(HELPER, 'enable', 'platen.service');
  const postrm = (action: string) => run('sh', join(PACKAGING, 'deb-postrm'), action);
  const link = join(root.path, 'etc/systemd/system/multi-user.target.wants/platen.service');
  const isEnabled = () => lstatSync(link, { throwIfNoEntry: false }) !== undefined;

  await install();
  expect(isEnabled()).toBe(true);
  await postrm('remove');
  await install();
  expect(isEnabled()).toBe(true);

  await run('rm', link);
  await postrm('remove');
  await install();
  expect(isEnabled()).toBe(false);

  await postrm('remove');
  await postrm('purge');
  await install();
  expect(isEnabled()).toBe(true);
});
