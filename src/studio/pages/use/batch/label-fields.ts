// The values of the fields of a label sheet: the initial ones, and what a request says for them.

/** Papers that labels are sold on, mm. */
export const PAPERS = { A4: [210, 297], Letter: [215.9, 279.4], A5: [148, 210] } as const;
type Paper = keyof typeof PAPERS;
/** Whether a paper has this name. */
export const isPaper = (name: string): name is Paper => Object.hasOwn(PAPERS, name);

/** Of a canvas. */
export const MM_PER_PX = 25.4 / 96;

/** As it is typed; lengths in mm. */
export interface LabelFields {
  readonly size: Paper;
  readonly columns: string;
  readonly rows: string;
  readonly across: string;
  readonly down: string;
  readonly start: string;
}

/** As many labels as a paper has room for. @param label px */
export function fittingLabels(size: Paper, label: { readonly width: number; readonly height: number }): LabelFields {
  const [width, height] = PAPERS[size];
  const count = (room: number, side: number) =>
    String(Math.min(100, Math.max(1, Math.floor(room / (side * MM_PER_PX) + 0.02))));
  const [columns, rows] = [count(width, label.width), count(height, label.height)];
  return { size, columns, rows, across: '0', down: '0', start: '1' };
}

/** What a request says of it. What is no number is sent as it is, so that the server names the field. */
export function sheetOf({ size, columns, rows, across, down, start }: LabelFields) {
  const number = (text: string) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text));
  const mm = (text: string) => `${text.trim().replace(',', '.') || 0}mm`;
  return {
    ...{ size, columns: number(columns), rows: number(rows), start: number(start) },
    gap: [mm(across), mm(down)],
  };
}
