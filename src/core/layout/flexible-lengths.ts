// Items and the room that they have in a line; how long each becomes. CSS Flexbox 1, section 9.7.

export interface FlexibleItem {
  /** The flex base size of the border box, px. */
  readonly base: number;
  /** Of `base`, what padding and border take: it does not shrink. */
  readonly rigid: number;
  readonly min: number;
  readonly max: number;
  readonly grow: number;
  readonly shrink: number;
}

/** The hypothetical main size: the base between minimum and maximum, where the minimum wins. */
export function hypotheticalSize({ base, min, max }: FlexibleItem): number {
  return Math.max(min, Math.min(base, max));
}

/**
 * The main sizes of one line's items.
 *
 * @param room what the items may fill together, px: the line without margins and gaps
 */
export function resolveFlexibleLengths(items: readonly FlexibleItem[], room: number): readonly number[] {
  const grows = sum(items.map(hypotheticalSize)) < room;
  const factor = ({ grow, shrink }: FlexibleItem) => (grows ? grow : shrink);
  const isInflexible = (item: FlexibleItem) => {
    const hypothetical = hypotheticalSize(item);
    return factor(item) === 0 || (grows ? item.base > hypothetical : item.base < hypothetical);
  };

  const sizes = items.map((item) => (isInflexible(item) ? hypotheticalSize(item) : item.base));
  let open = items.map((item, i) => ({ item, i })).filter(({ item }) => !isInflexible(item));
  const initialFree = room - sum(sizes);

  while (open.length > 0) {
    for (const { item, i } of open) sizes[i] = item.base;
    let free = room - sum(sizes);
    const factors = sum(open.map(({ item }) => factor(item)));
    // Factors that add up to less than one hand out that fraction only.
    if (factors < 1 && Math.abs(initialFree * factors) < Math.abs(free)) free = initialFree * factors;

    const weight = (item: FlexibleItem) => (grows ? item.grow : item.shrink * (item.base - item.rigid));
    const weights = sum(open.map(({ item }) => weight(item)));
    const trials = open.map(({ item, i }) => {
      const trial = weights > 0 ? item.base + (free * weight(item)) / weights : item.base;
      const size = Math.max(item.min, Math.min(trial, item.max));
      sizes[i] = size;
      return { item, i, violation: size - trial };
    });

    // Those that were held back keep their size; the others share again what that leaves.
    const total = sum(trials.map(({ violation }) => violation));
    open = trials.filter(({ violation }) => (total > 0 ? violation <= 0 : total < 0 ? violation >= 0 : false));
  }
  return sizes;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
