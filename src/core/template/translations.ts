// The schema of `texts`, what layers say in other languages than the template’s own.

import { z } from 'zod';
import { LanguageTag } from './text-layer.ts';

const MAX_LAYERS = 500;
const MAX_LANGUAGES = 50;

const atMost = (most: number, what: string) =>
  [(values: object) => Object.keys(values).length <= most, `must have at most ${most} ${what}`] as const;

const Translation = z.union(
  [z.string().max(100_000), z.record(z.string(), z.unknown())],
  'must be a text, or an object of properties such as {"text": "…", "fontSize": 40}',
);

export const Translations = z
  .record(z.string().min(1).max(100), z.record(LanguageTag, Translation).refine(...atMost(MAX_LANGUAGES, 'languages')))
  .refine(...atMost(MAX_LAYERS, 'layers'))
  .meta({
    maxProperties: MAX_LAYERS,
    description:
      'What layers say in other languages: {"title": {"de": "Hallo", "fr": "Bonjour"}}; an object changes further properties.',
  });
export type Translations = z.infer<typeof Translations>;
