// Estimates the JSON size of a value without serialising it, to tell small requests from large ones cheaply.

/** Weight of a value besides its characters: in a template, most values have a name. */
const VALUE = 8;

/** Whether a JSON value weighs at most `most` characters. Stops counting at that limit. */
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
