// The process that decodes heavy raster files: a file and a task in, the answer out. It is killed from outside when it
// takes too long or too much memory.

import type { HeavyAnswer, HeavyTask } from './decode-image.ts';
import { performDecode } from './decode-task.ts';

async function decode({ file, task, seconds }: HeavyTask): Promise<HeavyAnswer> {
  try {
    return { answer: await performDecode(file, task, seconds) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', async (task: HeavyTask) => process.send?.(await decode(task)));
// Whoever started it is gone.
process.on('disconnect', () => process.exit());
