// Writes one PDF file: its named resources and its pages, one after the other. A page is kept only as bytes once it is
// ended.
//
// A resource name has one meaning in the whole file; each page and each form list only the names that they use.
//
// The file identifier is a digest of the contents, including the creation date, which the caller supplies.

import { bytesOfLatin1 } from '#base/runtime.ts';
import { IDENTITY, type Matrix, type Size } from '#core/geometry.ts';
import type { DisplayList, Heading } from '#core/paint/display-list.ts';
import type { DocumentProperties } from '#core/template/document-properties.ts';
import type { ContentStream, Resource, ResourceKind } from './content-stream.ts';
import { catalogEntries, dateText, informationEntries } from './document-entries.ts';
import type { Dictionary, PdfReference } from './object.ts';
import { ObjectFile } from './object-file.ts';
import { type OutlineEntry, writeOutline } from './outline.ts';
import { PageTree } from './page-tree.ts';
import { num } from './syntax.ts';

/** A CSS px is 1/96 inch, a PDF unit 1/72. */
const POINTS_PER_PIXEL = 0.75;
const MAKER = bytesOfLatin1('Platen');

const PREFIX: Readonly<Record<ResourceKind, string>> = { Font: 'F', XObject: 'X', ExtGState: 'G', Pattern: 'P' };

/**
 * An isolated transparency group: its parts are composited with each other first, and then with the backdrop as one
 * object (ISO 32000-1, 11.6.6).
 */
export const ISOLATED_GROUP: Dictionary = { Type: 'Group', S: 'Transparency', CS: 'DeviceRGB', I: true };

export class PdfDocument {
  readonly #file = new ObjectFile();
  readonly #pages = new PageTree(this);
  readonly #resources: Readonly<Record<ResourceKind, Map<unknown, Resource>>> = {
    Font: new Map(),
    XObject: new Map(),
    ExtGState: new Map(),
    Pattern: new Map(),
  };
  #pageHeight = 0;
  #pageWidth = 0;
  #annotations: PdfReference[] = [];
  #headings: readonly Heading[] = [];
  readonly #outline: OutlineEntry[] = [];
  /** The pages that are written, with their heights in points. */
  readonly #written: { readonly page: PdfReference; readonly height: number }[] = [];
  readonly #destinations = new Map<string, { readonly page: number; readonly top: number }>();
  #pageMatrix: Matrix = IDENTITY;

  /** From canvas px, y down, to the default user space of the page that was begun: points, y up. */
  get pageMatrix(): Matrix {
    return this.#pageMatrix;
  }

  /** Begins a page; annotations are those of this page until it is ended. @param page the size of its canvas, px, and what is on it */
  beginPage({ width, height, headings = [] }: Size & Pick<DisplayList, 'headings'>): void {
    this.#pageWidth = width * POINTS_PER_PIXEL;
    this.#pageHeight = height * POINTS_PER_PIXEL;
    this.#pageMatrix = [POINTS_PER_PIXEL, 0, 0, -POINTS_PER_PIXEL, 0, this.#pageHeight];
    this.#annotations = [];
    this.#headings = headings;
  }

  /** Reserves an object number; the object is written later. */
  reserve(): PdfReference {
    return this.#file.reserve();
  }

  /** Writes a reserved object; its stream is deflated where that saves space, unless `data` has a `Filter`. */
  write(reference: PdfReference, data: Dictionary, stream?: Uint8Array | string): void {
    this.#file.write(reference, data, stream);
  }

  /** Writes an object. */
  object(data: Dictionary, stream?: Uint8Array | string): PdfReference {
    const reference = this.reserve();
    this.write(reference, data, stream);
    return reference;
  }

  /** The resource with this key; `make` is called once to create its object. */
  resource(kind: ResourceKind, key: unknown, make: () => PdfReference): Resource {
    const known = this.#resources[kind];
    let resource = known.get(key);
    if (resource === undefined) {
      resource = { kind, name: `${PREFIX[kind]}${known.size + 1}`, reference: make() };
      known.set(key, resource);
    }
    return resource;
  }

  /** A graphics state parameter dictionary (8.4.5), made once for each `key`. */
  graphicsState(key: string, parameters: () => Dictionary): Resource {
    return this.resource('ExtGState', key, () => this.object({ Type: 'ExtGState', ...parameters() }));
  }

  /** A form XObject (8.10). */
  form(data: Dictionary, content: ContentStream): PdfReference {
    const { resources } = content;
    return this.object({ Type: 'XObject', Subtype: 'Form', ...data, Resources: resources }, content.toString());
  }

  annotate(annotation: Dictionary): void {
    this.#annotations.push(this.object({ Type: 'Annot', ...annotation }));
  }

  /**
   * The name of a place in the file, which may be on a page that is yet to be written (12.3.2.3).
   *
   * @param page from 1
   * @param top px from the top of the page
   */
  destination(page: number, top: number): string {
    const name = `p${page}.${Math.round(top)}`;
    this.#destinations.set(name, { page, top });
    return name;
  }

  /** Writes the page that was begun. `content` is in canvas px. */
  endPage(content: ContentStream): void {
    this.#pages.add((parent) => {
      const page = this.object({
        Type: 'Page',
        Parent: parent,
        MediaBox: [0, 0, this.#pageWidth, this.#pageHeight],
        Resources: content.resources,
        Contents: this.object(
          {},
          `1 0 0 -1 0 ${num(this.#pageHeight)} cm\n${POINTS_PER_PIXEL} 0 0 ${POINTS_PER_PIXEL} 0 0 cm\n${content}`,
        ),
        Group: ISOLATED_GROUP,
        ...(this.#annotations.length > 0 ? { Annots: this.#annotations } : {}),
      });
      this.#written.push({ page, height: this.#pageHeight });
      for (const { level, text, top } of this.#headings) {
        this.#outline.push({ level, text, page, top: this.#pageHeight - top * POINTS_PER_PIXEL });
      }
      return page;
    });
  }

  /** The destinations by name, without those on pages that the file does not have. */
  #places(): Dictionary {
    return Object.fromEntries(
      [...this.#destinations].flatMap(([name, { page, top }]) => {
        const on = this.#written[page - 1];
        return on ? [[name, [on.page, 'FitH', on.height - top * POINTS_PER_PIXEL]]] : [];
      }),
    );
  }

  /** Finishes the file, which has at least one page. */
  finish(properties: DocumentProperties, createdAt: Date): Uint8Array {
    const pages = this.#pages.finish();
    const catalog = this.object({
      Type: 'Catalog',
      Pages: pages,
      ...(this.#outline.length > 0 && { Outlines: writeOutline(this, this.#outline), PageMode: 'UseOutlines' }),
      ...(this.#destinations.size > 0 && { Dests: this.object(this.#places()) }),
      ...catalogEntries(properties),
    });
    return this.#file.finish(
      catalog,
      this.object({
        ...informationEntries(properties),
        Producer: MAKER,
        Creator: MAKER,
        CreationDate: bytesOfLatin1(dateText(createdAt)),
      }),
    );
  }
}
