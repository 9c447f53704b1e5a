// The last words of a process that failed: a sentence where the failure was expected, a stack where it is a bug.

const EXPECTED = ['AppError', 'ConfigError', 'ValidationError'];

/** Writes to standard error and sets exit status 1. */
export function reportFailure(error: unknown): void {
  const words =
    error instanceof Error && EXPECTED.includes(error.name)
      ? error.message
      : ((error as Error)?.stack ?? String(error));
  process.stderr.write(`platen: ${words}\n`);
  process.exitCode = 1;
}
