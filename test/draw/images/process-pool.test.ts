import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { noMemory, type ProcessEnded, ProcessPool } from '#draw/images/process-pool.ts';
import { countKept } from '../../collect-garbage.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

interface Task {
  readonly bytes: Uint8Array;
  readonly exit?: boolean;
  readonly do?: 'be killed' | 'read its score';
}

const entry = join(folder.path, 'echo.mjs');
await writeFile(
  entry,
  `import { readFileSync } from 'node:fs';
process.on('message', (task) => {
  if (task.exit) process.exit();
  if (task.do === 'be killed') process.kill(process.pid, 'SIGKILL');
  const score = () => readFileSync('/proc/self/oom_score_adj', 'latin1').trim();
  process.send(task.do === 'read its score' ? { ...task, score: score() } : task);
});`,
);
const LIMITS = { time: 10_000, memory: 2 ** 30 };
const task = (exit = false): Task => ({ bytes: new Uint8Array(100_000), exit });

test('an answer is not kept by the process that gave it', async () => {
  const processes = new ProcessPool<Task, Task>({ entry, env: () => process.env });
  const answers: WeakRef<Task>[] = [];
  for (let i = 0; i < 5; i += 1) answers.push(new WeakRef(await processes.run(task(), LIMITS)));
  expect(await countKept(answers)).toBe(0);
  processes.endResting();
});

test.skipIf(process.platform !== 'linux')('the system ends it before the server, and the log can say so', async () => {
  const processes = new ProcessPool<Task, { score: string }>({ entry, env: () => process.env });
  expect((await processes.run({ ...task(), do: 'read its score' }, LIMITS)).score).toBe('1000');
  const killed = await processes.run({ ...task(), do: 'be killed' }, LIMITS).catch((error: unknown) => error);
  expect(killed).toMatchObject({
    signal: 'SIGKILL',
    message: 'The process of a picture was killed from outside, as the system does when memory runs out.',
  });
  // The request's refusal has it as its cause, which is logged.
  expect(noMemory('picture', killed as ProcessEnded)).toMatchObject({ code: 'overloaded', cause: killed });
  processes.endResting();
});

test('a process that exits fails its own task, and the next one gets another process', async () => {
  const processes = new ProcessPool<Task, Task>({ entry, env: () => process.env });
  await processes.run(task(), LIMITS);
  await expect(processes.run(task(true), LIMITS)).rejects.toThrow('The process ended.');
  expect((await processes.run(task(), LIMITS)).bytes.length).toBe(100_000);
  processes.endResting();
});
