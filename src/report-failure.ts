// Reports why a process failed: one sentence for an expected failure, a stack for a bug.

const EXPECTED = ['AppError', 'ConfigError', 'ValidationError'];

/** System error codes of files and addresses, in words. */
const OF_THE_SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'Platen may not read or write it',
  EPERM: 'Platen may not read or write it',
  EROFS: 'the disk cannot be written to',
  ENOSPC: 'the disk is full',
  EADDRINUSE: 'another program listens there already; stop it, or set PORT',
  EADDRNOTAVAIL: 'this machine has no such address; set HOST',
};

/** A sentence about a system error that the user can fix; null for any other error. */
function systemFailure(error: unknown): string | null {
  const { code = '', path, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const words = OF_THE_SYSTEM[code];
  const place = path ?? (address === undefined ? undefined : `${address}:${port}`);
  return words === undefined || place === undefined ? null : `${place}: ${words}.`;
}

/** Writes to standard error and sets exit status 1. */
export function reportFailure(error: unknown): void {
  const words =
    error instanceof Error && EXPECTED.includes(error.name)
      ? error.message
      : (systemFailure(error) ?? (error as Error)?.stack ?? String(error));
  process.stderr.write(`platen: ${words}\n`);
  process.exitCode = 1;
}
