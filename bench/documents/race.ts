// Races writers of documents: one document each, in a fresh process, with the processor time and the memory of all its
// processes.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FLAGS } from '../../bin/node-settings.mjs';
import { randomFrom, shuffled } from '../statistics.ts';
import { WRITER_NAMES } from './child.ts';

interface DocumentCost {
  readonly rows: number;
  readonly writer: string;
  /** Of the whole document, and the processor time of all processes for it. */
  readonly ms: number;
  readonly cpuMs: number;
  /** The most memory that its processes had at one time, shared pages counted once (Pss). */
  readonly peakBytes: number;
  readonly bytes: number;
}

interface Failure {
  readonly rows: number;
  readonly writer: string;
  readonly failure: string;
}

export type DocumentResult = DocumentCost | Failure;

/** After this time, a writer is given up, and gets no more rows. */
const MOST_MS = 180_000;
/** Clock ticks per second of /proc (sysconf _SC_CLK_TCK of Linux). */
const TICKS = 100;

/** Linux only: memory and time are those that /proc tells. @param report each result, as it is measured */
export async function raceDocuments(
  counts: readonly number[],
  writers: readonly string[] = WRITER_NAMES,
  seed: number,
  report: (cost: DocumentResult) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-documents-'));
  const given = new Set<string>();
  const random = randomFrom(seed);
  try {
    for (const rows of counts) {
      for (const writer of shuffled(writers, random).filter((name) => !given.has(name))) {
        try {
          report(await measure(writer, rows, seed, join(folder, `${writer}-${rows}.pdf`)));
        } catch (error) {
          given.add(writer);
          report({ rows, writer, failure: (error as Error).message });
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A line of the table. @param isFirst with its head */
export function printDocumentCost(cost: DocumentResult, isFirst: boolean): void {
  if (isFirst) console.log('| rows | writer | s | processor, s | peak, MB | KB |\n|--:|---|--:|--:|--:|--:|');
  const shown =
    'failure' in cost
      ? [cost.failure, '', '', '']
      : [cost.ms / 1000, cost.cpuMs / 1000]
          .map((seconds) => seconds.toFixed(2))
          .concat([cost.peakBytes / 1e6, cost.bytes / 1000].map((size) => size.toFixed(0)));
  console.log(`| ${[cost.rows, cost.writer, ...shown].join(' | ')} |`);
}

async function measure(writer: string, rows: number, seed: number, file: string): Promise<DocumentCost> {
  const child = fork(join(import.meta.dirname, 'child.ts'), [writer, String(rows), String(seed), file], {
    execArgv: FLAGS,
  });
  const ended = once(child, 'exit').then(([code]) => new Error(`its process ended with ${code}`));
  try {
    await Promise.race([once(child, 'message'), ended.then((error) => Promise.reject(error))]);
    const before = ticksOf(child);
    let peakBytes = 0;
    let ms: number | undefined;
    child.once('message', (message) => {
      ms = Number(message);
    });
    child.send('write');
    const start = performance.now();
    while (ms === undefined) {
      await Promise.race([sleep(50), ended]);
      if (child.exitCode !== null || child.signalCode !== null) throw await ended;
      if (performance.now() - start > MOST_MS) throw new Error(`took more than ${MOST_MS / 1000} s`);
      peakBytes = Math.max(peakBytes, memoryOf(child));
    }
    const cpuMs = ((ticksOf(child) - before) / TICKS) * 1000;
    return { rows, writer, ms, cpuMs, peakBytes, bytes: statSync(file).size };
  } finally {
    for (const { pid } of processesOf(child)) process.kill(Number(pid), 'SIGKILL');
    await ended;
  }
}

interface Process {
  readonly pid: string;
  /** User and system time, of ended children too: fields 14 to 17 of proc_pid_stat(5). */
  readonly ticks: number;
}

/** The child and all its descendants. */
function processesOf({ pid: root }: ChildProcess): readonly Process[] {
  const found = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => {
      const stat = readOr(`/proc/${pid}/stat`);
      // The name in parentheses may have spaces; the state, field 3, is the first one after it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, time) => sum + Number(time), 0);
      return { pid, ticks, parent: fields[1] };
    });
  const under = (pid: string): readonly Process[] => [
    ...found.filter((process) => process.pid === pid),
    ...found.filter(({ parent }) => parent === pid).flatMap((process) => under(process.pid)),
  ];
  return under(String(root));
}

const ticksOf = (child: ChildProcess) => processesOf(child).reduce((sum, { ticks }) => sum + ticks, 0);

const memoryOf = (child: ChildProcess) =>
  processesOf(child).reduce((sum, { pid }) => sum + proportionalSize(readOr(`/proc/${pid}/smaps_rollup`)), 0);

const proportionalSize = (smaps: string) => Number(/^Pss:\s+(\d+) kB/m.exec(smaps)?.[1] ?? 0) * 1024;

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
