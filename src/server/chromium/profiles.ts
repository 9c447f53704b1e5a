// Creates a temporary profile folder for each browser, and removes those left by killed servers.
//
// A folder's name contains its machine and process, and only folders of this machine's ended processes are removed.

import { chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Begins the names of temporary folders; the process id follows, and a hyphen. */
export const PROFILE_PREFIX = `platen-chromium-${hostname().replaceAll(/[^A-Za-z0-9]/g, '')}-`;

/**
 * Settings without a command-line switch. Otherwise, when a server requires authentication, Chromium would wait for a
 * password to be typed, or authenticate as the user that the server runs as.
 */
const LOCAL_STATE = { auth: { schemes: 'none' } };

/** Creates a profile owned by `user`, or by the user that Platen runs as. */
export async function makeProfile(
  user: { readonly uid: number; readonly gid: number } | null,
  folder = tmpdir(),
): Promise<string> {
  const profile = await mkdtemp(join(folder, `${PROFILE_PREFIX}${process.pid}-`));
  const localState = join(profile, 'Local State');
  await writeFile(localState, JSON.stringify(LOCAL_STATE));
  if (user !== null) await Promise.all([localState, profile].map((path) => chown(path, user.uid, user.gid)));
  return profile;
}

export const removeProfile = (profile: string): Promise<void> =>
  rm(profile, { recursive: true, force: true, maxRetries: 3 });

/** Removes the profiles of this machine's ended processes; failures are ignored. */
export async function sweepProfiles(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = name.startsWith(PROFILE_PREFIX)
      ? Number(/^(\d+)-/.exec(name.slice(PROFILE_PREFIX.length))?.[1])
      : Number.NaN;
    if (Number.isNaN(pid)) continue;
    const profile = join(folder, name);
    if (await isAbandoned(pid, profile)) await removeProfile(profile).catch(() => {});
  }
}

async function isAbandoned(pid: number, profile: string): Promise<boolean> {
  if (pid !== process.pid) return !isAlive(pid);
  // In a container a server has the same pid each time: a folder older than this process belonged to an earlier one.
  const born = await stat(profile).then(
    ({ birthtimeMs }) => birthtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  return born < Date.now() - process.uptime() * 1_000;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
