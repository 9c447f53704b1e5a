// Measures in a child process how the time to read a text grows with its length, so that a match that does not end can be
// ended and named. Both sides are in this file: `node measured-process.ts` is the child.

import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { timeWorked } from '#base/runtime.ts';
import { textFields } from './fields.ts';

/** What a text is made of. */
export interface Run {
  readonly before: string;
  readonly unit: string;
  readonly after: string;
}

export interface Growth {
  /** The largest growth by a doubling; 1 when none was looked at closely. */
  readonly growth: number;
  /** Characters and ms of the longest text that was read. */
  readonly length: number;
  readonly ms: number;
}

interface Task {
  readonly field: number;
  readonly run: Run;
}

const SHORTEST = 1_024;
/** The time of a text below which its growth is not looked at, ms. */
const NOISE = 8;
/** The time of the longest text from which on growth counts, ms: what grows with the square is far beyond at its limit. */
const TELLING = 30;
/** The growth by a doubling that is too much; that of n log n is 2.2. */
export const MOST_GROWTH = 2.5;
/** A text is read so often where its time counts: some systems tell processor time in steps of 10 ms. */
const LONG_ENOUGH = 150;
const MOST_OFTEN = 200;
/** Processor time after which a field counts as one that does not end, ms. */
const MOST_TIME = 15_000;

export class MeasuredProcess implements Disposable {
  readonly #folder: string;
  #child: ChildProcess | null = null;

  /** @param folder of the data of a server that the child may start */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null: it did not end, and was ended. @throws Error when the child ends by itself */
  async measure(field: number, run: Run): Promise<Growth | null> {
    this.#child ??= fork(import.meta.filename, {
      execArgv: ['--max-old-space-size=1024'],
      env: { ...process.env, PLATEN_DATA: this.#folder },
    });
    const child = this.#child;
    const begun = await timeOf(child);
    child.send({ field, run } satisfies Task);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Growth | null>((resolve, reject) => {
        child.once('message', resolve);
        child.once('exit', (code, signal) => reject(new Error(`the process ended: ${code ?? signal}`)));
        timer = setInterval(async () => {
          if ((await timeOf(child)) - begun > MOST_TIME) resolve(null);
        }, 1_000);
      }).then((growth) => {
        if (growth === null) this[Symbol.dispose]();
        return growth;
      });
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    } finally {
      clearInterval(timer);
      child.removeAllListeners();
    }
  }

  [Symbol.dispose](): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }
}

/** Processor time of a process, ms; where Linux does not tell it, the time of the clock. */
async function timeOf({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (stat === null) return performance.now();
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const textOf = ({ before, unit, after }: Run, length: number) =>
  before + unit.repeat(Math.max(1, Math.floor((length - before.length - after.length) / unit.length))) + after;

async function main(): Promise<void> {
  const fields = textFields();
  const read = async (field: number, text: string): Promise<void> => {
    try {
      await fields[field]?.read(text);
    } catch {
      // A refusal is an answer, too.
    }
  };
  /** Processor time of a reading, ms, on average. */
  const mean = async (field: number, text: string): Promise<number> => {
    const begun = timeWorked();
    let count = 0;
    while (count < MOST_OFTEN && timeWorked() - begun < LONG_ENOUGH) {
      await read(field, text);
      count += 1;
    }
    return (timeWorked() - begun) / count;
  };
  /** The smaller growth by a doubling of three texts; 1 where the longest takes too little time to tell. */
  const growthOf = async (field: number, texts: readonly string[]): Promise<number> => {
    const times: number[] = [];
    for (const text of texts) times.push(await mean(field, text));
    const [quarter = 0, half = 0, whole = 0] = times;
    return whole > TELLING ? Math.min(whole / half, half / quarter) : 1;
  };
  process.on('message', async ({ field, run }: Task) => {
    const limit = fields[field]?.limit ?? 0;
    let [growth, length, ms, before] = [1, 0, 0, Number.POSITIVE_INFINITY];
    for (let size = Math.min(SHORTEST, limit); size <= limit && growth <= MOST_GROWTH; size *= 2) {
      const text = textOf(run, size);
      const begun = performance.now();
      await read(field, text);
      const now = performance.now() - begun;
      // By the clock, which other work and the collection of garbage disturb: looked at again by processor time. Over two
      // doublings, so that a step, as of a text that is kept in another form, is no growth.
      if (now > NOISE && now > before * MOST_GROWTH) {
        const sizes = [size / 4, size / 2, size].map((each) => textOf(run, each));
        let seen = await growthOf(field, sizes);
        // Seen three times, or it was other work that disturbed the caches.
        for (let again = 0; again < 2 && seen > MOST_GROWTH; again += 1)
          seen = Math.min(seen, await growthOf(field, sizes));
        growth = Math.max(growth, seen);
      }
      [length, ms, before] = [text.length, now, now];
    }
    process.send?.({ growth, length, ms } satisfies Growth);
  });
}

if (process.argv[1] === import.meta.filename) await main();
