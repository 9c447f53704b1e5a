// The schema of `repeat`, with which a frame shows its children once for each entry of a list.

import { z } from 'zod';
import { LENGTHS } from './style.ts';

/** The most entries of one list. */
export const MAX_ENTRIES = 2_000;

const ChildName = z.string().min(1).max(100).nullable().default(null);

const RepeatOptions = z
  .strictObject({
    max: z
      .int()
      .min(1)
      .max(MAX_ENTRIES)
      .nullable()
      .default(null)
      .meta({ description: 'The most entries that are shown; more cause a warning.' }),
    empty: ChildName.meta({ description: 'The name of the child that is shown instead for a list without entries.' }),
    separator: ChildName.meta({ description: 'The name of the child that is shown only between two entries.' }),
    alternate: z
      .record(z.string(), z.unknown())
      .register(LENGTHS, { scale: 'patches' })
      .nullable()
      .default(null)
      .meta({ description: 'Modifications of every second entry: {"row": {"background": "#f6f6f6"}}.' }),
  })
  .meta({ id: 'RepeatOptions' });

export const Repeat = z
  .union([z.boolean(), RepeatOptions], 'must be true, false or an object such as {"max": 20}')
  .default(false)
  .meta({
    description:
      'Shows the children once for each entry of a list: {"lines": [{"item": "Hinge"}]}, where each entry modifies them by name. Needs a layout.',
  });

export type RepeatOptions = z.infer<typeof RepeatOptions>;
