// Resolves the main sizes of the items of one flex line (CSS Flexbox 1, section 9.7).

export interface FlexibleItem {
  /** The flex base size of the border box, px. */
  readonly base: number;
  /** `base` between minimum and maximum. */
  readonly hypothetical: number;
  /** The part of `base` that is padding and border, which does not shrink, px. */
  readonly rigid: number;
  /** Wins over the maximum. May need a layout, so call it only where the result matters. */
  min(): number;
  readonly max: number;
  readonly grow: number;
  readonly shrink: number;
}

/** A main size between the item's minimum and maximum. */
export function bounded(item: FlexibleItem, size: number): number {
  return Math.max(size < item.base ? item.min() : item.hypothetical, Math.min(size, item.max));
}

/**
 * The main sizes of one line's items.
 *
 * @param room what the items may fill together, px: the line without margins and gaps
 */
export function resolveFlexibleLengths<Item extends FlexibleItem>(
  items: readonly Item[],
  room: number,
): ReadonlyMap<Item, number> {
  const grows = sum(items.map(({ hypothetical }) => hypothetical)) < room;
  const factor = ({ grow, shrink }: Item) => (grows ? grow : shrink);
  const isInflexible = (item: Item) =>
    factor(item) === 0 || (grows ? item.base > item.hypothetical : item.base < item.hypothetical);

  const sizes = new Map(items.map((item) => [item, isInflexible(item) ? item.hypothetical : item.base]));
  let open = items.filter((item) => !isInflexible(item));
  const initialFree = room - sum([...sizes.values()]);

  while (open.length > 0) {
    for (const item of open) sizes.set(item, item.base);
    let free = room - sum([...sizes.values()]);
    const factors = sum(open.map(factor));
    // Factors that add up to less than one distribute that fraction only.
    if (factors < 1 && Math.abs(initialFree * factors) < Math.abs(free)) free = initialFree * factors;

    const weight = (item: Item) => (grows ? item.grow : item.shrink * (item.base - item.rigid));
    const weights = sum(open.map(weight));
    const trials = open.map((item) => {
      const trial = weights > 0 ? item.base + (free * weight(item)) / weights : item.base;
      const size = bounded(item, trial);
      sizes.set(item, size);
      return { item, violation: size - trial };
    });

    // Items that were held back keep their size; the others share the remaining space again.
    const total = sum(trials.map(({ violation }) => violation));
    open = trials
      .filter(({ violation }) => (total > 0 ? violation <= 0 : total < 0 ? violation >= 0 : false))
      .map(({ item }) => item);
  }
  return sizes;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
