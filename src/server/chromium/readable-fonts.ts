// Hard-links fonts into a folder that Chromium's user can read, where their own folder is private (mode 700).
//
// When Platen runs as root, Chromium runs as another user, and fontconfig says nothing about folders that it cannot
// read: pages would be drawn in other letters.

import { chmod, copyFile, link, mkdir, mkdtemp, readdir, realpath, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Confinement } from './launch.ts';
import { PROFILE_PREFIX, removeProfile } from './profiles.ts';

type User = NonNullable<Confinement['user']>;

const FONT_FILE = /\.(ttf|otf|ttc|otc|woff2?)$/i;
/** Most bytes of fonts that are copied because they cannot be linked, as to another filesystem. */
const MAX_COPIED = 2 ** 30;
const [READ, SEARCH] = [4, 1];

/** Folders in place of others, until disposed of. */
export interface ReadableFolders extends AsyncDisposable {
  readonly folders: readonly string[];
}

/** Those of the folders that `user` may not list, or not reach. */
export async function unreadableFolders(folders: readonly string[], user: User): Promise<readonly string[]> {
  const known = new Map<string, Promise<boolean>>();
  const maySearch = (folder: string): Promise<boolean> => {
    const may = known.get(folder) ?? searchable(folder);
    known.set(folder, may);
    return may;
  };
  const searchable = async (folder: string): Promise<boolean> =>
    (await isAllowed(folder, user, SEARCH)) && (dirname(folder) === folder || (await maySearch(dirname(folder))));
  const readable = await Promise.all(
    folders.map(async (folder) => {
      const real = await realpath(folder).catch(() => folder);
      return (await maySearch(folder)) && (await maySearch(real)) && (await isAllowed(real, user, READ));
    }),
  );
  return folders.filter((_, i) => !readable[i]);
}

/**
 * Links the fonts of those folders that `user` may not read into a new folder, or copies them where they cannot be
 * linked or only their owner may read them.
 *
 * @param parent where the new folder is made; everybody must be able to reach it
 * @throws Error as file operations do, or when more than 1 GiB would have to be copied
 */
export async function readableFolders(
  folders: readonly string[],
  user: User,
  parent = tmpdir(),
): Promise<ReadableFolders> {
  const hidden = new Set(await unreadableFolders(folders, user));
  if (hidden.size === 0) return { folders, [Symbol.asyncDispose]: async () => {} };
  const made = await mkdtemp(join(parent, `${PROFILE_PREFIX}${process.pid}-fonts-`));
  try {
    // It stays root's: pages cannot change what other pages are drawn with.
    await chmod(made, 0o755);
    let left = MAX_COPIED;
    const replaced: string[] = [];
    for (const folder of folders) {
      if (!hidden.has(folder)) {
        replaced.push(folder);
        continue;
      }
      const place = join(made, String(replaced.length));
      await mkdir(place);
      await chmod(place, 0o755);
      left -= await handOver(folder, place, user, left);
      replaced.push(place);
    }
    return { folders: replaced, [Symbol.asyncDispose]: () => removeProfile(made) };
  } catch (error) {
    await removeProfile(made);
    throw error;
  }
}

/** Returns the bytes copied. */
async function handOver(folder: string, place: string, user: User, most: number): Promise<number> {
  let copied = 0;
  for (const name of await readdir(folder)) {
    if (!FONT_FILE.test(name)) continue;
    const [from, to] = [await realpath(join(folder, name)), join(place, name)];
    const isLinked = (await isAllowed(from, user, READ)) && (await link(from, to).then(done, notDone));
    if (isLinked) continue;
    copied += (await stat(from)).size;
    if (copied > most) throw new Error(`the fonts to copy have more than ${MAX_COPIED / 2 ** 20} MiB`);
    await copyFile(from, to);
    await chmod(to, 0o644);
  }
  return copied;
}

const done = () => true;
const notDone = () => false;

/** Whether the mode of a file or folder gives `user`, who is in one group, this right. */
async function isAllowed(path: string, { uid, gid }: User, right: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null) return false;
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0;
  return ((found.mode >> shift) & right) !== 0;
}
