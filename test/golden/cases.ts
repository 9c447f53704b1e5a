// Lists the fixtures, fixtures/<area>/<case>.json: every file in the folder is a case, and nothing is registered
// elsewhere.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Choice } from '#design/choice.ts';
import { designedAs } from '../design/designed-as.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const FIXTURES = join(ROOT, 'fixtures');

const Fixture = z.strictObject({
  /** One sentence: the one thing that the case tests. */
  title: z.string().regex(/^.{4,120}[.!?]$/u, 'must be one sentence of at most 120 characters'),
  template: z.record(z.string(), z.unknown()),
  modifications: z.record(z.string(), z.unknown()).default({}),
  /** Of a design, whose template a case is then: what is chosen, and its materials by reference. */
  choice: z.strictObject({ size: z.string().optional(), lang: z.string().optional() }).optional(),
  templates: z.record(z.string(), z.unknown()).default({}),
  brands: z.record(z.string(), z.unknown()).default({}),
});

export interface Case extends Omit<z.infer<typeof Fixture>, 'choice' | 'templates' | 'brands'> {
  /** `<area>/<case>`: the path below fixtures/ and golden/, without its ending. */
  readonly name: string;
  /** The template as the file has it: of a design, before anything was chosen. */
  readonly written: Readonly<Record<string, unknown>>;
}

export const CASES: readonly Case[] = globSync('*/*.json', { cwd: FIXTURES })
  .sort()
  .map((file) => {
    const parsed = Fixture.safeParse(JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')));
    if (!parsed.success) throw new Error(`fixtures/${file}: ${z.prettifyError(parsed.error)}`);
    const { choice, template, templates, brands, ...rest } = parsed.data;
    const materials = { templates: new Map(Object.entries(templates)), brands: new Map(Object.entries(brands)) };
    // Without its brand, which other tests do not have when they store it.
    const made = choice && { ...designedAs(template, choice as Choice, materials).template, brand: undefined };
    return { name: file.slice(0, -'.json'.length), template: made ?? template, written: template, ...rest };
  });
