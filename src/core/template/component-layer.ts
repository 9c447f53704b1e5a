// The schema of a component: a layer that shows another template. It is replaced by a frame before anything is resolved.

import { z } from 'zod';
import { common } from './layer-properties.ts';
import { lengthBetween } from './style.ts';

const Length = z.union(
  [lengthBetween(1, 100_000), z.literal('hug')],
  'must be a length in px, or "hug": as the template is',
);

export const ComponentLayer = z
  .strictObject({
    ...common,
    type: z.literal('template'),
    template: z
      .string()
      .regex(/^tpl_\w{1,60}(@[1-9]\d{0,8})?$/, 'must be the id of a template, such as "tpl_…" or "tpl_…@3"')
      .meta({ description: 'The id of a template of layers; without a version, the newest when this one is saved.' }),
    size: z.string().max(60).optional().meta({ description: 'One of its sizes; else its own canvas.' }),
    width: Length.default('hug').meta({ description: 'Its layers follow, as at a size; hug = as it is.' }),
    height: Length.default('hug'),
    modifications: z
      .record(z.string().min(1).max(100), z.unknown())
      .refine((changes) => Object.keys(changes).length <= 200, 'must name at most 200 layers')
      .default({})
      .meta({ description: 'What is different here, by the names of its layers.' }),
  })
  .meta({ id: 'ComponentLayer' });
export type ComponentLayer = z.infer<typeof ComponentLayer>;
