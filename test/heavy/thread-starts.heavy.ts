import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'end-threads.ts');

// Without thread-entry.ts V8 ended the process in 4 of 4 runs, and so it did while the built threads of encoders loaded
// the libraries of layout.
test.each(['src', 'dist'])(
  'a thread of %s may be ended at any moment of its start: the process lives on',
  async (folder) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-wasm-code-gc', PROGRAM, '100', folder]);
    expect(stdout).toBe('100 ended\n');
  },
);
