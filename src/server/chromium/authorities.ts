// Has Chromium trust the company's own authorities that Node trusts by NODE_EXTRA_CA_CERTS.
//
// On Linux, Chromium adds those of the NSS database in its user's home folder to its own. It has no switch for that, and
// the one that ignores certificate errors by key would also accept a chain that only shows the authority's certificate.

import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isProgram } from './find-chromium.ts';

const run = promisify(execFile);
/** Maximum authorities in the file: each takes a process. */
const MOST = 200;
/** Time limit of a process, ms. */
const PATIENCE = 20_000;

/** The files of an NSS database, by name. */
export type NssDatabase = ReadonlyMap<string, Buffer>;

/** NSS's own program, which makes such databases: of Debian's libnss3-tools, Fedora's nss-tools. */
export const findCertutil = (programFolders: readonly string[]): string | null =>
  programFolders.map((folder) => join(folder, 'certutil')).find(isProgram) ?? null;

/** For the operator. */
export const NO_CERTUTIL =
  'Pages do not trust the authorities in NODE_EXTRA_CA_CERTS, as images and webhooks do: that takes certutil. Install libnss3-tools (apt) or nss-tools (dnf).';

/**
 * Makes a database of the certificates in a file.
 *
 * @param file PEM
 * @throws Error saying why there is none
 */
export async function makeNssDatabase(file: string, programFolders: readonly string[]): Promise<NssDatabase> {
  const certutil = findCertutil(programFolders);
  if (certutil === null) throw new Error(NO_CERTUTIL);
  const found = (await readFile(file, 'latin1')).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  const certificates = found ?? [];
  if (certificates.length === 0 || certificates.length > MOST) {
    throw new Error(`Pages trust none of the ${certificates.length} authorities in ${file}: 1 to ${MOST} are taken.`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'platen-nss-'));
  try {
    const place = ['-d', `sql:${folder}`];
    await run(certutil, ['-N', '--empty-password', ...place], { timeout: PATIENCE });
    const one = join(folder, 'one.pem');
    for (const [index, certificate] of certificates.entries()) {
      await writeFile(one, `${certificate}\n`);
      await run(certutil, ['-A', '-t', 'C,,', '-n', `platen ${index}`, '-i', one, ...place], { timeout: PATIENCE });
    }
    await rm(one);
    const names = await readdir(folder);
    return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts the database where a Chromium with this home folder looks for it. */
export async function writeNssDatabase(
  home: string,
  database: NssDatabase,
  user: { readonly uid: number; readonly gid: number } | null,
): Promise<void> {
  const [outer, inner] = [join(home, '.pki'), join(home, '.pki/nssdb')];
  await mkdir(inner, { recursive: true });
  // Its pkcs11.txt names the folder in which it was made, which NSS does not read.
  for (const [name, bytes] of database) await writeFile(join(inner, name), bytes, { mode: 0o600 });
  const paths = [outer, inner, ...[...database.keys()].map((name) => join(inner, name))];
  if (user !== null) await Promise.all(paths.map((path) => chown(path, user.uid, user.gid)));
}
