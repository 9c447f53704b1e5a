// Builds the layers of the specimen sheet: text in its colours, rows, columns and grids, cards.

export type Layer = Readonly<Record<string, unknown>>;

export const INK = '#1c1a17';
export const QUIET = '#7b7468';
export const RULE = '#cfc7b8';
export const ACCENT = '#c8391b';

export type Layers = ReturnType<typeof specimenLayers>;

/** Generates names for layers whose name does not matter. */
class Names {
  #count = 0;
  next(type: string): string {
    this.#count++;
    return `${type} ${this.#count}`;
  }
}

/** Functions that make layers; all layers of one set have distinct names. */
export function specimenLayers() {
  const names = new Names();
  const named = (type: string, more: Layer): Layer => ({ name: names.next(type), type, ...more });
  const text = (words: string, more: Layer) => named('text', { text: words, color: INK, ...more });
  const small = (words: string, more: Layer = {}) =>
    text(words, { fontFamily: 'JetBrains Mono', fontSize: 13, color: QUIET, letterSpacing: 0.4, ...more });
  const column = (gap: number, children: readonly Layer[], more: Layer = {}) =>
    named('frame', { layout: { gap }, ...more, children });
  const row = (layout: Layer, children: readonly Layer[], more: Layer = {}) =>
    named('frame', { layout: { direction: 'row', ...layout }, ...more, children });
  const grid = (
    columns: readonly unknown[],
    gap: readonly [number, number],
    children: readonly Layer[],
    more: Layer = {},
  ) => named('frame', { layout: { type: 'grid', columns, gap, ...more }, width: 'fill', children });
  const rule = (thickness: number, fill = INK) => named('shape', { width: 'fill', height: thickness, fill });
  const card = (title: string, body: readonly Layer[]) =>
    column(14, [small(title), ...body], { padding: 24, background: '#fffdf8', borderRadius: 6 });
  return { named, text, small, column, row, grid, rule, card };
}
