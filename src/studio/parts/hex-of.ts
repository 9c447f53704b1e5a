// A colour as a colour input shows it: `#rrggbb`, with what is transparent over white.

/**
 * @param fill a CSS colour, `$name`, or a gradient, of which the first stop is taken
 * @param named what names stand for
 * @returns null where it is no colour
 */
export function hexOf(fill: unknown, named: Readonly<Record<string, unknown>> | null = null): string | null {
  const isName = typeof fill === 'string' && fill.startsWith('$');
  const color = plainColor(isName ? named?.[fill.slice(1)] : fill);
  if (color === null || !CSS.supports('color', color)) return null;
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return null;
  for (const style of ['#fff', color]) {
    context.fillStyle = style;
    context.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Whether black is read better on a colour than white: by its luma (ITU-R BT.601). */
export function isLight(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140;
}

function plainColor(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !('stops' in value) || !Array.isArray(value.stops)) return null;
  const [first] = value.stops as readonly { readonly color?: unknown }[];
  return typeof first?.color === 'string' ? first.color : null;
}
