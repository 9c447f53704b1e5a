// Reads the code blocks of README.md and docs/*.md with their info strings: a language, then words such as `live`,
// `sign`, `recipe=next`, or `skip="why it is not run"`.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Fence {
  readonly file: string;
  /** Its first line, from 1. */
  readonly line: number;
  readonly language: string;
  readonly words: readonly string[];
  /** Why it is not run; null if it is. */
  readonly skip: string | null;
  readonly code: string;
  /** The first line of the block above it; 0 for the first one. */
  readonly follows: number;
}

/** Returns the text of README.md and the pages, by path relative to the checkout. */
export async function documents(): Promise<ReadonlyMap<string, string>> {
  const pages = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).sort();
  const files = ['README.md', ...pages.map((name) => `docs/${name}`)];
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(ROOT, file), 'utf8')] as const)),
  );
}

export function fencesOf(file: string, markdown: string): readonly Fence[] {
  let above = 0;
  return [...markdown.matchAll(/^```([^\n`]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, info = '', code = ''] = match;
    const [, reason] = /skip="([^"]*)"/.exec(info) ?? [];
    const [language = '', ...words] = info
      .replace(/skip="[^"]*"/, '')
      .trim()
      .split(/\s+/);
    const line = markdown.slice(0, match.index).split('\n').length + 1;
    const follows = above;
    above = line;
    return { file, line, language, words, skip: reason ?? null, code, follows };
  });
}
