// Lists the fixtures, fixtures/<area>/<case>.json: every file in the folder is a case, and nothing is registered
// elsewhere.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const ROOT = join(import.meta.dirname, '../..');
export const FIXTURES = join(ROOT, 'fixtures');

const Fixture = z.strictObject({
  /** One sentence: the one thing that the case tests. */
  title: z.string().regex(/^.{4,120}[.!?]$/u, 'must be one sentence of at most 120 characters'),
  template: z.record(z.string(), z.unknown()),
  modifications: z.record(z.string(), z.unknown()).default({}),
});

export interface Case extends z.infer<typeof Fixture> {
  /** `<area>/<case>`: the path below fixtures/ and golden/, without its ending. */
  readonly name: string;
}

export const CASES: readonly Case[] = globSync('*/*.json', { cwd: FIXTURES })
  .sort()
  .map((file) => {
    const parsed = Fixture.safeParse(JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')));
    if (!parsed.success) throw new Error(`fixtures/${file}: ${z.prettifyError(parsed.error)}`);
    return { name: file.slice(0, -'.json'.length), ...parsed.data };
  });
