// Runs a container image without a container engine: what buildah mounts, in its own mount namespace, with a read-only
// root, the image's user, and no capabilities nor a way to gain any. Linux, as root.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENVIRONMENT = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: process.env.HOME, STORAGE_DRIVER: 'vfs' };

export const buildah = async (...args: string[]) => (await run('buildah', args, { env: ENVIRONMENT })).stdout.trim();

/** The image's configuration. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export async function configOf(image: string): Promise<ImageConfig> {
  return JSON.parse(await buildah('inspect', '--type', 'image', image)).Docker.config;
}

/** The mounts stay in the namespace, and end with its last process. */
const SCRIPT = `
set -eu
root=$1 volume=$2 uid=$3 gid=$4; shift 4
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$volume" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
exec setpriv --no-new-privs unshare --root="$root" --setgid="$gid" --setuid="$uid" -- "$@"
`;

/**
 * Runs a command of an image that is mounted at `root`.
 *
 * @param volume the folder mounted as its /data
 * @returns the image's first process itself, so that a signal reaches it directly
 */
export function runIn(
  root: string,
  volume: string,
  { User, Env }: ImageConfig,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const own = Object.fromEntries(Env.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.replace(/^\w+=/, '')]));
  const [uid = '', gid = ''] = User.split(':');
  const args = ['--mount', 'sh', '-c', SCRIPT, 'sh', root, volume, uid, gid, ...command];
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  return spawn('unshare', args, { env: { PATH: path, ...own, ...env } });
}
