// The schema of `when`, the condition on which a layer is shown.

import { z } from 'zod';

/** Where in a list the entry is that the layer belongs to; the first entry is odd. */
const POSITIONS = ['first', 'last', 'odd', 'even'] as const;
/** Whether a layer has a value. */
const STATES = ['set', 'empty'] as const;

const Plain = z.union([z.string().max(1_000), z.number(), z.boolean()]);
const Wanted = z.union(
  [Plain, z.array(Plain).min(1).max(100), z.strictObject({ is: z.enum(STATES) })],
  'must be a value, a list of values, {"is": "set"} or {"is": "empty"}',
);

const Values = z
  .record(z.string().min(1).max(100), Wanted)
  .refine((wanted) => Object.keys(wanted).length <= 20, 'must have at most 20 names')
  .meta({ maxProperties: 20 });

export const Condition = z
  .union(
    [z.enum([...POSITIONS, ...STATES]), Values],
    'must be "first", "last", "odd", "even", "set", "empty", or an object such as {"status": "paid"}',
  )
  .nullable()
  .default(null)
  .meta({
    description:
      'Shown only when values are equal to these: {"status": "paid"}, {"status": ["paid", "open"]}, {"note": {"is": "set"}}; a word is about this layer or about its entry in a list.',
  });

/** A condition about the values of one entry of a list. */
export const EntryCondition = z
  .union([z.enum(POSITIONS), Values], 'must be "first", "last", "odd", "even", or an object such as {"status": "paid"}')
  .nullable()
  .default(null);

export type Condition = z.infer<typeof Condition>;

export type Position = (typeof POSITIONS)[number];

export const isPosition = (condition: Condition): condition is Position =>
  (POSITIONS as readonly unknown[]).includes(condition);
