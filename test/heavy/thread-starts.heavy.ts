import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'end-threads.ts');

// Without thread-entry.ts V8 ended the process in 4 of 4 runs.
test('a thread may be ended at any moment of its start: the process lives on', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-wasm-code-gc', PROGRAM, '100']);
  expect(stdout).toBe('100 ended\n');
});
