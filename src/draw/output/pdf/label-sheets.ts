// Writes sheets of labels: pages that show other pages, each in a cell.

import type { Size } from '#core/geometry.ts';
import { LabelCells, type LabelSheet } from '#design/label-sheet.ts';
import type { PdfReference } from './object.ts';
import type { ObjectFile } from './object-file.ts';
import type { PageTree } from './page-tree.ts';
import { num, nums } from './syntax.ts';

/** A page as a form XObject. Lengths in points. */
export interface PageForm extends Size {
  readonly form: PdfReference;
  /** The texts of its annotations. */
  readonly annotations: readonly string[];
}

/** Where a page of a file is on a page of the joined file. */
export interface PlacedPage {
  readonly page: PdfReference;
  /** Its bottom, points from the bottom of the joined page. */
  readonly y: number;
  readonly scale: number;
}

const POINTS_PER_PIXEL = 0.75;

interface Sheet {
  readonly number: number;
  readonly page: PdfReference;
  readonly operators: string[];
  readonly forms: Map<PdfReference, string>;
  readonly annotations: PdfReference[];
}

export class SheetPages {
  readonly #file: ObjectFile;
  readonly #pages: PageTree;
  readonly #sheet: LabelSheet;
  #cells: LabelCells | null = null;
  #open: Sheet | null = null;
  #labels = 0;

  constructor(file: ObjectFile, pages: PageTree, sheet: LabelSheet) {
    this.#file = file;
    this.#pages = pages;
    this.#sheet = sheet;
  }

  /** Puts a page into the next cell. */
  add({ form, width, height, annotations }: PageForm): PlacedPage {
    const label = { width: width / POINTS_PER_PIXEL, height: height / POINTS_PER_PIXEL };
    this.#cells ??= new LabelCells(this.#sheet, label);
    const { sheet: number, rect, scale } = this.#cells.place(this.#labels, label);
    this.#labels += 1;
    if (this.#open?.number !== number) this.finish();
    this.#open ??= { number, page: this.#file.reserve(), operators: [], forms: new Map(), annotations: [] };
    const sheet = this.#open;
    const name = sheet.forms.get(form) ?? `L${sheet.forms.size + 1}`;
    sheet.forms.set(form, name);
    const top = (this.#cells.size.height - rect.y) * POINTS_PER_PIXEL;
    const [x, y] = [rect.x * POINTS_PER_PIXEL, top - height * scale];
    sheet.operators.push(`q\n${num(scale, 6)} 0 0 ${num(scale, 6)} ${nums([x, y])} cm\n/${name} Do\nQ`);
    for (const text of annotations) {
      const moved = this.#file.reserve();
      const rectangle = (_: string, corners: string) =>
        `/Rect [${nums(corners.split(' ').map((value, index) => Number(value) * scale + (index % 2 === 0 ? x : y)))}]`;
      this.#file.copy(moved, text.replace(/\/Rect \[([^[\]]*)\]/, rectangle), null);
      sheet.annotations.push(moved);
    }
    return { page: sheet.page, y, scale };
  }

  /** Writes the sheet that is not full. */
  finish(): void {
    const { size } = this.#cells ?? {};
    if (!this.#open || !size) return;
    const { page, operators, forms, annotations } = this.#open;
    this.#open = null;
    const contents = this.#file.reserve();
    this.#file.write(contents, {}, operators.join('\n'));
    this.#pages.add((parent) => {
      this.#file.write(page, {
        Type: 'Page',
        Parent: parent,
        MediaBox: [0, 0, size.width * POINTS_PER_PIXEL, size.height * POINTS_PER_PIXEL],
        Resources: { XObject: Object.fromEntries([...forms].map(([form, name]) => [name, form])) },
        Contents: contents,
        ...(annotations.length > 0 && { Annots: annotations }),
      });
      return page;
    });
  }
}
