// Builds a Debian package from an unpacked archive: the program in /usr/lib/platen, a systemd unit, and a user of its
// own.

import { execFile } from 'node:child_process';
import { chmod, cp, glob, mkdir, mkdtempDisposable, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Architecture } from './build-dist.ts';

const ROOT = join(import.meta.dirname, '..');
const PACKAGING = join(ROOT, 'packaging');
const DEBIAN_NAMES: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * @param unpacked the folder that `npm run dist` writes
 * @param date modification time of every file, s since 1970
 * @returns the package's file name in `folder`
 */
export async function buildDeb(
  unpacked: string,
  architecture: Architecture,
  folder: string,
  date: number,
): Promise<string> {
  const { version, description } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  await using root = await mkdtempDisposable(join(tmpdir(), 'platen-deb-'));
  const put = async (path: string, content: string | Uint8Array, mode = 0o644) => {
    await mkdir(dirname(join(root.path, path)), { recursive: true });
    await writeFile(join(root.path, path), content);
    await chmod(join(root.path, path), mode);
  };
  await cp(unpacked, join(root.path, 'usr/lib/platen'), { recursive: true, verbatimSymlinks: true });
  await mkdir(join(root.path, 'usr/bin'), { recursive: true });
  await symlink('../lib/platen/bin/platen', join(root.path, 'usr/bin/platen'));
  await put('lib/systemd/system/platen.service', await readFile(join(PACKAGING, 'platen.service')));
  await put('usr/lib/sysusers.d/platen.conf', 'u platen - "Platen" /var/lib/platen\n');
  await put('etc/platen/platen.env', ENVIRONMENT);
  await put('usr/share/doc/platen/copyright', await copyright());
  const changes = `platen (${version}) stable; urgency=low\n\n  * See README.md.\n\n -- Platen <platen@localhost>  ${new Date(date * 1000).toUTCString().replace('GMT', '+0000')}\n`;
  await put('usr/share/doc/platen/changelog.gz', gzipSync(changes, { level: 9 }));
  await put('usr/share/doc/platen/README.md.gz', gzipSync(await readFile(join(ROOT, 'README.md')), { level: 9 }));
  await put('DEBIAN/control', control(version, DEBIAN_NAMES[architecture], description));
  await put('DEBIAN/conffiles', '/etc/platen/platen.env\n');
  // The included Node runs these files, so they need no executable bit or system `node`.
  for await (const file of glob('**/*.{js,mjs,cjs}', { cwd: join(root.path, 'usr/lib/platen') })) {
    await chmod(join(root.path, 'usr/lib/platen', file), 0o644);
  }
  await put('usr/share/lintian/overrides/platen', await readFile(join(PACKAGING, 'lintian-overrides')));
  for (const script of ['postinst', 'prerm', 'postrm']) {
    await put(`DEBIAN/${script}`, await readFile(join(PACKAGING, `deb-${script}`)), 0o755);
  }
  await letAllRead(root.path);
  // It may contain the password of a database; systemd reads it as root.
  await chmod(join(root.path, 'etc/platen/platen.env'), 0o600);
  const name = `platen_${version}_${DEBIAN_NAMES[architecture]}.deb`;
  await promisify(execFile)(
    'dpkg-deb',
    ['--root-owner-group', '-Zxz', '-z1', '--build', root.path, join(folder, name)],
    {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(date) },
    },
  );
  return name;
}

/** Gives a folder the modes that it has after an installation, whatever the umask of the build. */
export async function letAllRead(folder: string): Promise<void> {
  await promisify(execFile)('chmod', ['-R', 'u+rw,go+r-w,a+X', folder]);
}

const control = (version: string, architecture: string, description: string) => `Package: platen
Version: ${version}
Architecture: ${architecture}
Maintainer: Platen <platen@localhost>
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1 | libgcc1, systemd | systemd-standalone-sysusers
Recommends: chromium-headless-shell | chromium
Section: web
Priority: optional
Description: renders stored templates to images and vector PDF
${description.replace(/(.{1,76})(?:\s+|$)/g, ' $1\n')} .
 It brings its own Node.js. Templates in HTML and screenshots need Chromium.
`;

const ENVIRONMENT = `# Settings of the service. The server lists all of them at /docs/configuration.
# After a change: systemctl restart platen
#HOST=127.0.0.1
#PORT=3000
#PLATEN_PUBLIC_URL=https://platen.example.com
`;

async function copyright(): Promise<string> {
  const licence = await readFile(join(ROOT, 'LICENSE'), 'utf8');
  return `${licence}\nWhat came along is under licences of its own: /usr/lib/platen/lib/LICENSE-node, the LICENSE and README
files beside each module and font, and the files LICENSES.txt in /usr/lib/platen/lib/platen/dist/vendor, dist/edge and dist/studio.\n`;
}
