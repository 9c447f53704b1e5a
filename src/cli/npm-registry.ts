// Downloads package archives from an npm registry: by the npm program, with the registry, scopes and credentials that
// it is configured for, or from a given address through the outbound guard.

import { execFile } from 'node:child_process';
import { mkdtempDisposable, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '#base/errors.ts';
import { archiveUrl } from '#draw/fonts/font-package.ts';
import type { Config } from '#server/config/config.ts';
import { OutboundClient } from '#server/net/outbound-client.ts';
import { outboundGuard } from '#server/service/pages/outbound-guard.ts';

export interface NpmRegistry extends AsyncDisposable {
  /**
   * @throws AppError with advice when the registry cannot be reached
   */
  readonly fetch: (name: string, version: string, limits: Limits) => Promise<Uint8Array>;
}

interface Limits {
  readonly maxBytes: number;
  /** ms */
  readonly timeout: number;
}

/** Asked where there is no npm. */
const PUBLIC_REGISTRY = 'https://registry.npmjs.org';

/** @param address of a registry; null = as npm is configured, or npm's own registry where npm is not installed */
export function openRegistry(address: string | null, config: Config): NpmRegistry {
  const client = new OutboundClient(outboundGuard(config), { userAgent: 'Platen' });
  return {
    async fetch(name, version, limits) {
      const archive = address === null ? await packedByNpm(name, version, limits) : null;
      if (archive !== null) return archive;
      const registry = (address ?? PUBLIC_REGISTRY).replace(/\/$/, '');
      const url = archiveUrl(registry, { package: name, version });
      return client.get(url, limits).then(
        ({ bytes }) => bytes,
        (error: unknown) => {
          throw notFetched(url, name, version, error instanceof Error ? error.message : String(error), error);
        },
      );
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Null when npm is not installed. */
async function packedByNpm(name: string, version: string, { maxBytes, timeout }: Limits): Promise<Uint8Array | null> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'platen-fonts-'));
  const args = [
    'pack',
    `${name}@${version}`,
    '--ignore-scripts',
    '--loglevel=error',
    '--pack-destination',
    folder.path,
  ];
  try {
    // On Windows npm is a script, which only a shell runs; name and version are the catalogue's.
    await promisify(execFile)('npm', args, { timeout, shell: process.platform === 'win32' });
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') return null;
    const reason = stderr
      .replaceAll(/^npm (error|ERR!) ?/gim, '')
      .trim()
      .split('\n')
      .slice(0, 3)
      .join(' ');
    throw notFetched(`${name}@${version}`, name, version, `npm says: ${reason || 'nothing'}.`, error);
  }
  const [file = ''] = await readdir(folder.path);
  const path = join(folder.path, file);
  if ((await stat(path)).size > maxBytes) {
    throw notFetched(`${name}@${version}`, name, version, 'the archive is too large.');
  }
  return await readFile(path);
}

function notFetched(what: string, name: string, version: string, reason: string, cause?: unknown): AppError {
  return new AppError(
    'invalid_request',
    `${what} could not be fetched: ${reason} Where the registry cannot be reached, run "npm pack ${name}@${version}" ` +
      'elsewhere and add --from with the folder of the archive.',
    { cause },
  );
}
