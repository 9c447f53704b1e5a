// The value of a fill: a colour, or a gradient.

export interface Stop {
  readonly color: string;
  readonly offset?: number;
}
export interface Gradient {
  readonly type: 'linear' | 'radial' | 'conic';
  readonly angle?: number;
  readonly shape?: 'ellipse' | 'circle';
  readonly center?: { readonly x: number; readonly y: number };
  readonly radius?: number | null;
  readonly stops: readonly Stop[];
}
export type FillValue = string | Gradient;

export const isGradient = (value: FillValue | undefined): value is Gradient =>
  typeof value === 'object' && value !== null;

/** The fill as CSS, for a swatch. */
export function cssOf(value: FillValue): string {
  if (!isGradient(value)) return value;
  const stops = value.stops
    .map(({ color, offset }) => (offset === undefined ? color : `${color} ${offset * 100}%`))
    .join(', ');
  const centre = `at ${(value.center?.x ?? 0.5) * 100}% ${(value.center?.y ?? 0.5) * 100}%`;
  if (value.type === 'linear') return `linear-gradient(${value.angle ?? 180}deg, ${stops})`;
  if (value.type === 'radial') return `radial-gradient(${value.shape ?? 'ellipse'} ${centre}, ${stops})`;
  return `conic-gradient(from ${value.angle ?? 0}deg ${centre}, ${stops})`;
}
