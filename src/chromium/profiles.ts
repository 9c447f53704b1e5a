// A folder of its own for each browser, in the system's temporary folder, and the end of those that a killed server left.
//
// A folder's name says whose it is: this machine's, and which process's. Nobody else's is ever removed.

import { chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = `platen-chromium-${hostname().replaceAll(/[^A-Za-z0-9]/g, '')}-`;

/**
 * Settings that there is no switch for. Asked for a password, Chromium would wait for somebody to type one, or prove
 * itself by whom the server is logged in as.
 */
const LOCAL_STATE = { auth: { schemes: 'none' } };

/** A new profile; `user` owns it, or whom Platen runs as. */
export async function makeProfile(
  user: { readonly uid: number; readonly gid: number } | null,
  folder = tmpdir(),
): Promise<string> {
  const profile = await mkdtemp(join(folder, `${PREFIX}${process.pid}-`));
  const localState = join(profile, 'Local State');
  await writeFile(localState, JSON.stringify(LOCAL_STATE));
  if (user !== null) await Promise.all([localState, profile].map((path) => chown(path, user.uid, user.gid)));
  return profile;
}

export const removeProfile = (profile: string): Promise<void> =>
  rm(profile, { recursive: true, force: true, maxRetries: 3 });

/** Removes the profiles of processes of this machine that are no more; what cannot be removed stays. */
export async function sweepProfiles(folder = tmpdir()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = name.startsWith(PREFIX) ? Number(/^(\d+)-/.exec(name.slice(PREFIX.length))?.[1]) : Number.NaN;
    if (Number.isNaN(pid)) continue;
    const profile = join(folder, name);
    if (await isAbandoned(pid, profile)) await removeProfile(profile).catch(() => {});
  }
}

async function isAbandoned(pid: number, profile: string): Promise<boolean> {
  if (pid !== process.pid) return !isAlive(pid);
  // A server in a container has the same number each time: a folder that is older than this process was another's.
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
    // Somebody else's process is one that lives.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
