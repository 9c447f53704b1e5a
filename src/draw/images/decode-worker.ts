// The process that decodes heavy raster files. Its parent kills it when it takes too long or too much memory.

import type { HeavyAnswer, HeavyTask } from './decode-image.ts';
import { performDecode } from './decode-task.ts';

async function decode({ file, task, seconds }: HeavyTask): Promise<HeavyAnswer> {
  try {
    return { answer: await performDecode(file, task, seconds * 4) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', async (task: HeavyTask) => process.send?.(await decode(task)));
// The parent process has ended.
process.on('disconnect', () => process.exit());
