// Prints a command's result: text for people, or with `--json` exactly one JSON value and nothing else. Writes exports.

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#base/errors.ts';

/** Prints the value as JSON, or the text for it. */
export function print(json: boolean | undefined, value: unknown, words: string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${words}\n`);
}

/** The account may be omitted when there is only one. */
export const accountOption = (what: string) => ['--account <id>', `${what}; the only account when absent`] as const;

export const EXPORT_OPTION = ['-o, --output <file>', 'the zip to write'] as const;
export const YES_OPTION = ['--yes', 'do it: without this, nothing is deleted'] as const;

/** @throws AppError `invalid_request` unless the option was given */
export function requireYes(yes: boolean | undefined, what: string): void {
  if (!yes) throw new AppError('invalid_request', `This deletes ${what}, for good. Say --yes to do it.`);
}

/** Writes a file that only its owner may read. */
export async function writeExport(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(chunks, createWriteStream(file, { mode: 0o600 }));
}

export const JSON_OPTION = ['--json', 'print one JSON value'] as const;
