// Lists the property names that a schema allows at a path, to suggest the nearest for a misspelt one.

import type { z } from 'zod';

/** The parts of a schema's definition that identify its kind (zod 4). */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly getter?: () => z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly valueType?: z.ZodType;
  readonly discriminator?: string;
}

const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;

/** The names that an object at `path` may have; for a union, those of the members that `input` may be meant for. */
export function knownKeys(schema: z.ZodType, input: unknown, path: readonly PropertyKey[]): readonly string[] {
  const here = membersOf(schema, input);
  const [first, ...rest] = path;
  if (first === undefined) return [...new Set(here.flatMap((member) => Object.keys(definitionOf(member).shape ?? {})))];
  const inner = (input as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[first];
  return [
    ...new Set(
      here.flatMap((member) => {
        const { shape, element, valueType } = definitionOf(member);
        const next = shape?.[String(first)] ?? element ?? valueType;
        return next ? knownKeys(next, inner, rest) : [];
      }),
    ),
  ];
}

/** The schema without its wrappers; for a union, its members, narrowed by the discriminator in `input`. */
function membersOf(schema: z.ZodType, input: unknown): readonly z.ZodType[] {
  const { type, innerType, in: before, getter, options, discriminator } = definitionOf(schema);
  if (type === 'lazy' && getter) return membersOf(getter(), input);
  if (innerType ?? before) return membersOf((innerType ?? before) as z.ZodType, input);
  if (!options) return [schema];
  const members = options.flatMap((option) => membersOf(option, input));
  if (discriminator === undefined || typeof input !== 'object' || input === null) return members;
  const wanted = (input as Readonly<Record<string, unknown>>)[discriminator];
  const fitting = members.filter((member) => definitionOf(member).shape?.[discriminator]?.safeParse(wanted).success);
  return fitting.length > 0 ? fitting : members;
}
