// The free space of an axis shared out before and between the things on it: CSS Box Alignment 3, section 4.3.

export type Distribution = 'start' | 'center' | 'end' | 'stretch' | 'space-between' | 'space-around' | 'space-evenly';

export interface Spacing {
  /** Before the first, px; negative where centred or ended things reach out. */
  readonly before: number;
  /** Between two neighbours, besides their gap. */
  readonly between: number;
}

/** @param free px; negative where the things do not fit, which `space-…` then leave to the end side alone */
export function distribute(distribution: Distribution, free: number, count: number): Spacing {
  switch (distribution) {
    case 'start':
    case 'stretch':
      return { before: 0, between: 0 };
    case 'center':
      return { before: free / 2, between: 0 };
    case 'end':
      return { before: free, between: 0 };
  }
  if (free <= 0 || count === 0) return { before: 0, between: 0 };
  switch (distribution) {
    case 'space-between':
      return { before: 0, between: count > 1 ? free / (count - 1) : 0 };
    case 'space-around':
      return { before: free / count / 2, between: free / count };
    case 'space-evenly':
      return { before: free / (count + 1), between: free / (count + 1) };
  }
}
