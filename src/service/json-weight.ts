// About how much JSON a value comes to, without writing it: tells small requests from large ones at little cost.

/** What a value weighs beside its characters: in a template, most have a name. */
const VALUE = 8;

/** Whether a JSON value weighs at most `most` characters. Counting ends there. */
export const isLighter = (value: unknown, most: number): boolean => weigh(value, most) <= most;

function weigh(value: unknown, most: number): number {
  if (typeof value === 'string') return VALUE + value.length;
  if (typeof value !== 'object' || value === null) return VALUE;
  let weight = VALUE;
  for (const name in value) {
    weight += name.length + weigh((value as Readonly<Record<string, unknown>>)[name], most - weight);
    if (weight > most) break;
  }
  return weight;
}
