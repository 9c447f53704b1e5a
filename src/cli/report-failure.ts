// Reports why a process failed: one sentence for an expected failure, a stack for a bug.

const EXPECTED = ['AppError', 'ConfigError', 'ValidationError'];

/** System error codes of files, in words. */
const OF_THE_SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'it is a file, where a folder is needed',
  EACCES: 'Platen may not read or write it',
  EPERM: 'Platen may not read or write it',
  EROFS: 'the disk cannot be written to',
  ENOSPC: 'the disk is full',
};

/** A sentence about a system error that the user can fix; null for any other error. */
function systemFailure(error: unknown): string | null {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const words = OF_THE_SYSTEM[code];
  return words === undefined || path === undefined ? null : `${path}: ${words}.`;
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
