import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ProcessPool } from '#images/process-pool.ts';
import { countKept } from '../collect-garbage.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

interface Task {
  readonly bytes: Uint8Array;
  readonly exit?: boolean;
}

const entry = join(folder.path, 'echo.mjs');
await writeFile(entry, "process.on('message', (task) => (task.exit ? process.exit() : process.send(task)));");
const LIMITS = { time: 10_000, memory: 2 ** 30 };
const task = (exit = false): Task => ({ bytes: new Uint8Array(100_000), exit });

test('an answer is not kept by the process that gave it', async () => {
  const processes = new ProcessPool<Task, Task>({ entry, env: () => process.env });
  const answers: WeakRef<Task>[] = [];
  for (let i = 0; i < 5; i += 1) answers.push(new WeakRef(await processes.run(task(), LIMITS)));
  expect(await countKept(answers)).toBe(0);
  processes.endResting();
});

test('a process that exits fails its own task, and the next one gets another process', async () => {
  const processes = new ProcessPool<Task, Task>({ entry, env: () => process.env });
  await processes.run(task(), LIMITS);
  await expect(processes.run(task(true), LIMITS)).rejects.toThrow('The process ended.');
  expect((await processes.run(task(), LIMITS)).bytes.length).toBe(100_000);
  processes.endResting();
});
