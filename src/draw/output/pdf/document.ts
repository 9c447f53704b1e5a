// Writes one PDF file: its named resources and its pages, one after the other. A page is kept only as bytes once it is
// ended.
//
// A resource name has one meaning in the whole file; each page and each form list only the names that they use.
//
// The file identifier is a digest of the contents, including the creation date, which the caller supplies.

import { AppError } from '#base/errors.ts';
import { bytesOfBase64, bytesOfLatin1 } from '#base/runtime.ts';
import { IDENTITY, type Matrix, type Size } from '#core/geometry.ts';
import { lazily } from '#core/lazily.ts';
import type { DisplayList, Heading, PaintOp } from '#core/paint/display-list.ts';
import type { CellRole } from '#core/role.ts';
import type { DocumentProperties, OutputIntent } from '#core/template/document-properties.ts';
import type { AllRead } from '#core/template/validation.ts';
import { attachedFiles, checkedInvoice, checkTotals, type ShownTotal, writeAttachments } from './attachments.ts';
import { type Conformance, checkConformance, checkInks, checkPaper, conformanceOf, refusalsOf } from './conformance.ts';
import type { ContentStream, Resource, ResourceKind } from './content-stream.ts';
import { catalogEntries, dateText, informationEntries, textString } from './document-entries.ts';
import { metadataPacket } from './metadata.ts';
import { type Dictionary, objectText, type PdfReference } from './object.ts';
import { ObjectFile } from './object-file.ts';
import { type OutlineEntry, writeOutline } from './outline.ts';
import { PageTree } from './page-tree.ts';
import { StructureTree } from './structure.ts';
import { num, nums } from './syntax.ts';

/** A CSS px is 1/96 inch, a PDF unit 1/72. */
const POINTS_PER_PIXEL = 0.75;
/** Of the lines that show where to cut, px: how far from the page they are at least, 2 mm, and how long, 5 mm. */
const MARK = { gap: 7.56, length: 18.9, margin: 4, width: 0.33 };
const MAKER = bytesOfLatin1('Platen');
const SRGB = bytesOfLatin1('sRGB IEC61966-2.1');

const PREFIX: Readonly<Record<ResourceKind, string>> = { Font: 'F', XObject: 'X', ExtGState: 'G', Pattern: 'P' };

/**
 * An isolated transparency group: its parts are composited with each other first, and then with the backdrop as one
 * object (ISO 32000-1, 11.6.6).
 */
const ISOLATED: Dictionary = { Type: 'Group', S: 'Transparency', I: true };
export const ISOLATED_GROUP: Dictionary = { Type: 'Group', S: 'Transparency', CS: 'DeviceRGB', I: true };

/** Properties that nothing reads. Paint reads `bleed`, the pictures of a page `density`. */
type Unread = Exclude<
  keyof DocumentProperties,
  | keyof Parameters<typeof conformanceOf>[0]
  | keyof Parameters<typeof attachedFiles>[0]
  | keyof Parameters<typeof informationEntries>[0]
  | keyof Parameters<typeof catalogEntries>[0]
  | 'cropMarks'
  | 'bleed'
  | 'density'
>;

export class PdfDocument {
  readonly #file = new ObjectFile();
  readonly #pages = new PageTree(this);
  readonly structure = new StructureTree(this.#file);
  readonly #resources: Readonly<Record<ResourceKind, Map<unknown, Resource>>> = {
    Font: new Map(),
    XObject: new Map(),
    ExtGState: new Map(),
    Pattern: new Map(),
  };
  #pageHeight = 0;
  #pageWidth = 0;
  #trim = { width: 0, height: 0, bleed: 0 };
  /** From the corner of the page to that of its canvas, points. */
  #offset = 0;
  #hasMarks = false;
  #annotations: PdfReference[] = [];
  #headings: readonly Heading[] = [];
  readonly #outline: OutlineEntry[] = [];
  /** The pages that are written, with their heights in points. */
  readonly #written: { readonly page: PdfReference; readonly height: number }[] = [];
  readonly #destinations = new Map<string, { readonly page: number; readonly top: number }>();
  #pageMatrix: Matrix = IDENTITY;
  #page: PdfReference | null = null;

  /** Whether a colour was written in inks. */
  #hasInks = false;
  /** Where colours in inks were written in sRGB. */
  readonly lostInks = new Set<'inks-in-gradient' | 'inks-filtered'>();
  #conformance: Conformance = { archive: null, accessible: null };
  #invoice: ReturnType<typeof checkedInvoice> | null = null;
  #files: ReturnType<typeof attachedFiles> = [];
  readonly #totals = new Map<string, ShownTotal>();

  /**
   * Says what the file has to be, before its first page.
   *
   * @param isPlain whether nothing says what the words of its pages are
   * @throws AppError `invalid_request` where it cannot be that
   */
  begin(properties: AllRead<DocumentProperties, Unread>, isPlain = false): void {
    this.#conformance = conformanceOf(properties, isPlain);
    const { archive, accessible } = this.#conformance;
    const isVersion2 = archive?.part === 4 || accessible?.part === 2;
    if (isVersion2) this.#file.makeVersion2();
    this.structure.isVersion2 = isVersion2;
    this.structure.language = properties.language ?? null;
    this.structure.refuse = refusalsOf(this.#conformance);
    this.#invoice = properties.invoice ? checkedInvoice(properties.invoice) : null;
    this.#files = attachedFiles(properties);
    this.#hasMarks = properties.cropMarks === true;
  }

  /** @throws AppError `invalid_request` for letter paper of which it is not known that it conforms */
  checkPaper(isArchive: boolean): void {
    checkPaper(this.#conformance, isArchive);
  }

  /** Takes note of a colour in inks. @throws AppError `invalid_request` where colours have to be sRGB */
  noteInks(inks: string): void {
    checkInks(this.#conformance, inks);
    this.#hasInks = true;
  }

  /** The group of what is blended: once there are inks, in the colours of the device, which inks would lose in sRGB. */
  get isolatedGroup(): Dictionary {
    return this.#hasInks ? ISOLATED : ISOLATED_GROUP;
  }

  /** Whether readers may interpolate the pixels of a picture (ISO 19005-2, 6.2.8). */
  get maySmooth(): boolean {
    return this.#conformance.archive === null;
  }

  /** Takes note of a part of what a cell shows. */
  noteTotal({ table, row, index }: CellRole, total: string, text: string): void {
    if (!this.#invoice) return;
    const key = `${table} ${row} ${index}`;
    this.#totals.set(key, { total, table, text: (this.#totals.get(key)?.text ?? '') + text });
  }

  /** From canvas px, y down, to the default user space of the page that was begun: points, y up. */
  get pageMatrix(): Matrix {
    return this.#pageMatrix;
  }

  /** Begins a page; annotations are those of this page until it is ended. @param page the size of its canvas, px, and what is on it */
  beginPage(page: Size & Pick<DisplayList, 'bleed' | 'headings' | 'reading'>): void {
    const { width, height, bleed = 0, headings = [], reading = [] } = page;
    this.#trim = { width, height, bleed };
    this.#offset = POINTS_PER_PIXEL * (this.#hasMarks ? Math.max(bleed, MARK.gap) + MARK.length + MARK.margin : bleed);
    this.#pageWidth = width * POINTS_PER_PIXEL + 2 * this.#offset;
    this.#pageHeight = height * POINTS_PER_PIXEL + 2 * this.#offset;
    this.#pageMatrix = [POINTS_PER_PIXEL, 0, 0, -POINTS_PER_PIXEL, this.#offset, this.#pageHeight - this.#offset];
    this.#annotations = [];
    this.#headings = headings;
    this.#page = this.reserve();
    this.structure.beginPage(this.#page);
    for (const role of reading) this.structure.tagOf(role);
  }

  /** Reserves an object number; the object is written later. */
  reserve(): PdfReference {
    return this.#file.reserve();
  }

  /** Writes a reserved object; its stream is deflated where that saves space, unless `data` has a `Filter`. */
  write(reference: PdfReference, data: Dictionary, stream?: Uint8Array | string): void {
    this.#file.write(reference, data, stream);
  }

  /** Writes a reserved object as it is. */
  copy(reference: PdfReference, text: string, stream: Uint8Array | null): void {
    this.#file.copy(reference, text, stream);
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
    const form = content.reference ?? this.reserve();
    const entries = { Type: 'XObject', Subtype: 'Form', ...data, Resources: resources };
    content.endMarked();
    this.write(form, { ...entries, ...this.#parentsOf(content) }, content.toString());
    return form;
  }

  /** The entry of a stream that leads from its marked content to the structure (14.7.4.4). */
  #parentsOf(content: ContentStream): Dictionary {
    const key = this.structure.keyOf(content);
    return key === null ? {} : { StructParents: key };
  }

  annotateLink({ role, href, words }: Extract<PaintOp, { kind: 'link' }>, annotation: Dictionary): void {
    const reference = this.reserve();
    const parent = this.structure.addLink(role, href, reference);
    const contents = this.#conformance.accessible && { Contents: textString(words?.trim() || href) };
    this.write(reference, { Type: 'Annot', Subtype: 'Link', ...annotation, ...contents, StructParent: parent });
    this.#annotations.push(reference);
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
    const page = this.#page;
    if (!page) throw new Error('No page was begun.');
    content.endMarked();
    const size = { width: this.#pageWidth, height: this.#pageHeight };
    checkConformance(this.#conformance, this.#written.length + 1, size, content.deepest);
    const parents = this.#parentsOf(content);
    this.#pages.add((parent) => {
      this.write(page, {
        Type: 'Page',
        Parent: parent,
        MediaBox: [0, 0, this.#pageWidth, this.#pageHeight],
        ...this.#printBoxes(),
        Resources: content.resources,
        Contents: this.object({}, this.#printed(content)),
        Group: this.isolatedGroup,
        // Readers go from link to link in the order of the structure.
        ...(this.#annotations.length > 0 ? { Annots: this.#annotations, Tabs: 'S' } : {}),
        ...parents,
      });
      const height = this.#pageHeight - this.#offset;
      this.#written.push({ page, height });
      for (const { level, text, top, layer } of this.#headings) {
        const place = this.structure.isVersion2
          ? this.structure.destination(layer ?? null, this.#written.length)
          : page;
        this.#outline.push({ level, text, page: place, top: height - top * POINTS_PER_PIXEL });
      }
      return page;
    });
    this.structure.endPage();
  }

  /** What is cut off, and what is left (14.11.2). */
  #printBoxes(): Dictionary {
    const offset = this.#offset;
    if (offset === 0) return {};
    const bleed = this.#trim.bleed * POINTS_PER_PIXEL;
    const within = (edge: number) => [edge, edge, this.#pageWidth - edge, this.#pageHeight - edge];
    return { BleedBox: within(offset - bleed), TrimBox: within(offset) };
  }

  /** The content in canvas px, cut to its bleed, and the marks around it. */
  #printed(content: ContentStream): string {
    const offset = this.#offset;
    const matrix = `1 0 0 -1 ${num(offset)} ${num(this.#pageHeight - offset)} cm\n${POINTS_PER_PIXEL} 0 0 ${POINTS_PER_PIXEL} 0 0 cm\n`;
    if (!this.#hasMarks) return `${matrix}${content}`;
    const { width, height, bleed } = this.#trim;
    const area = `${nums([-bleed, -bleed, width + 2 * bleed, height + 2 * bleed])} re W n`;
    const [near, far] = [Math.max(bleed, MARK.gap), Math.max(bleed, MARK.gap) + MARK.length];
    const lines = [0, height].flatMap((y) => [
      `${nums([-far, y])} m ${nums([-near, y])} l`,
      `${nums([width + near, y])} m ${nums([width + far, y])} l`,
    ]);
    lines.push(
      ...[0, width].flatMap((x) => [
        `${nums([x, -far])} m ${nums([x, -near])} l`,
        `${nums([x, height + near])} m ${nums([x, height + far])} l`,
      ]),
    );
    return `${matrix}q\n${area}\n${content}\nQ\n/Artifact BMC\n0 G ${MARK.width} w\n${lines.join('\n')}\nS\nEMC`;
  }

  /** The destinations by name, without those on pages that the file does not have. */
  #places(): Dictionary {
    return Object.fromEntries(
      [...this.#destinations].flatMap(([name, { page, top }]) => {
        const on = this.#written[page - 1];
        if (!on) return [];
        const place = this.structure.isVersion2 ? this.structure.destination(null, page) : on.page;
        return [[name, [place, 'FitH', on.height - top * POINTS_PER_PIXEL]]];
      }),
    );
  }

  /**
   * Finishes the file, which has at least one page.
   *
   * @throws AppError `invalid_request` where its totals are not those of its invoice
   */
  finish(properties: DocumentProperties, createdAt: Date): Uint8Array {
    if (this.#invoice) checkTotals(this.#invoice.root, [...this.#totals.values()]);
    const pages = this.#pages.finish();
    const catalog = this.object({
      Type: 'Catalog',
      Pages: pages,
      ...(this.#outline.length > 0 && { Outlines: writeOutline(this, this.#outline), PageMode: 'UseOutlines' }),
      ...(this.#destinations.size > 0 && { Dests: this.object(this.#places()) }),
      MarkInfo: { Marked: true },
      StructTreeRoot: this.structure.finish(),
      ...catalogEntries(properties),
      ...writeAttachments(this, this.#files, createdAt),
      ...this.#conformingEntries(properties, createdAt),
    });
    // PDF/A-4 has none (ISO 19005-4, 6.1.3).
    if (this.#conformance.archive?.part === 4) return this.#file.finish(catalog, null);
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

  #conformingEntries(properties: DocumentProperties, createdAt: Date): Dictionary {
    const { archive, accessible } = this.#conformance;
    const { outputIntent } = properties;
    const own: Dictionary = outputIntent ? { OutputIntents: [this.#printIntent(outputIntent)] } : {};
    if (!archive && !accessible) return own;
    const packet = metadataPacket(properties, createdAt, this.#conformance, this.#invoice?.metadata ?? null);
    // As it is, so that programs that know nothing of PDF find it.
    const metadata = this.reserve();
    const entries = { Type: 'Metadata', Subtype: 'XML', Length: packet.length };
    this.#file.copy(metadata, objectText(entries), packet);
    if (!archive) return { Metadata: metadata, ...own };
    const intent = this.object({
      ...{ Type: 'OutputIntent', S: 'GTS_PDFA1', OutputConditionIdentifier: SRGB, Info: SRGB },
      DestOutputProfile: this.object({ N: 3 }, srgbProfile()),
    });
    return { Metadata: metadata, OutputIntents: [intent] };
  }

  /** How the file is printed (ISO 32000-1, 14.11.5). */
  #printIntent({ profile, condition }: OutputIntent): PdfReference {
    const name = textString(condition);
    return this.object({
      ...{ Type: 'OutputIntent', S: 'GTS_PDFX', OutputConditionIdentifier: name, Info: name },
      DestOutputProfile: this.object({ N: 4 }, printProfile(profile)),
    });
  }
}

/** The bytes of a profile of inks (ICC.1:2001-04, 6.1). @throws AppError `invalid_request` */
function printProfile(base64: string): Uint8Array {
  const bytes = bytesOfBase64(base64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  const isProfile = bytes.length > HEADER && word(36) === 'acsp' && view.getUint32(0) === bytes.length;
  if (!isProfile || word(12) !== 'prtr' || word(16) !== 'CMYK') {
    const problem = isProfile ? 'is of another device or other colours' : 'is no ICC profile';
    throw new AppError('invalid_request', `pdf.outputIntent.profile: ${problem}; give that of a printer with CMYK.`);
  }
  return bytes;
}

// The ICC profile of sRGB (IEC 61966-2-1): a matrix of its primaries and a curve, as version 2 of the format has them
// (ICC.1:2001-04), which every reader and every level of PDF/A takes.

/** X, Y and Z of the primaries, adapted to D50 by Bradford's method, and D50 itself. */
const PRIMARIES = {
  rXYZ: [0.436_07, 0.222_49, 0.013_92],
  gXYZ: [0.385_15, 0.716_87, 0.097_08],
  bXYZ: [0.143_07, 0.060_61, 0.7141],
} as const;
const D50 = [0.964_2, 1, 0.824_9] as const;
/** Points of the curve: each value of a byte is one of them. */
const POINTS = 256;
const NAME = 'sRGB IEC61966-2.1';
const HEADER = 128;

const fixed = (value: number) => uint32(Math.round(value * 65_536));
const uint32 = (value: number) => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const uint16 = (value: number) => [(value >> 8) & 255, value & 255];
const ascii = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
const xyz = (values: readonly number[]) => [...ascii('XYZ '), ...uint32(0), ...values.flatMap(fixed)];

/** Light by encoded value, both 0..1. */
const light = (value: number) => (value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** The bytes of the profile, the same in every file. */
const srgbProfile = lazily((): Uint8Array => {
  const curve = Array.from({ length: POINTS }, (_, i) => Math.round(light(i / (POINTS - 1)) * 65_535));
  const trc = [...ascii('curv'), ...uint32(0), ...uint32(POINTS), ...curve.flatMap(uint16)];
  const name = ascii(`${NAME}\0`);
  const description = [...ascii('desc'), ...uint32(0), ...uint32(name.length), ...name, ...new Array(78).fill(0)];
  const tags: readonly (readonly [names: readonly string[], data: readonly number[]])[] = [
    [['desc'], description],
    [['cprt'], [...ascii('text'), ...uint32(0), ...ascii('No copyright, use freely\0')]],
    [['wtpt'], xyz(D50)],
    ...Object.entries(PRIMARIES).map(([tag, values]) => [[tag], xyz(values)] as const),
    [['rTRC', 'gTRC', 'bTRC'], trc],
  ];
  const count = tags.reduce((sum, [names]) => sum + names.length, 0);
  const table = [...uint32(count)];
  const data: number[] = [];
  for (const [names, bytes] of tags) {
    const at = HEADER + 4 + 12 * count + data.length;
    for (const tag of names) table.push(...ascii(tag), ...uint32(at), ...uint32(bytes.length));
    data.push(...bytes, ...new Array((4 - (bytes.length % 4)) % 4).fill(0));
  }
  const header = [
    ...uint32(HEADER + table.length + data.length),
    ...uint32(0),
    // Version 2.1, for displays, from RGB to XYZ.
    ...[2, 0x10, 0, 0],
    ...ascii('mntrRGB XYZ '),
    ...[2000, 1, 1, 0, 0, 0].flatMap(uint16),
    ...ascii('acsp'),
    ...new Array(28).fill(0),
    ...D50.flatMap(fixed),
  ];
  return Uint8Array.from([...header, ...new Array(HEADER - header.length).fill(0), ...table, ...data]);
});
