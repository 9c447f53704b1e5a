// The formats that Platen writes: everything that names them is derived from this table, or does not compile without
// an entry for each of them (`EXPORTERS` in export.ts; those of pixels also in #draw/encoders and in canvas-memory.ts).

import type { PageChoice } from '#core/compose.ts';
import type { Scene } from '#core/resolve/scene.ts';
import type { RequestedDocument } from '#core/template/document-properties.ts';
import type { ChromaSubsampling } from '#draw/encoders/chroma.ts';
import type { RasterFormat } from '#draw/encoders/encode.ts';

interface FileFormat {
  /** Media type. */
  readonly type: string;
  /** Of file names and signed URLs; the first is used for new names. */
  readonly extensions: readonly string[];
  /** As people write it. */
  readonly label: string;
}

const FORMATS = {
  png: { type: 'image/png', extensions: ['png'], label: 'PNG' },
  jpeg: { type: 'image/jpeg', extensions: ['jpg', 'jpeg'], label: 'JPEG' },
  webp: { type: 'image/webp', extensions: ['webp'], label: 'WebP' },
  avif: { type: 'image/avif', extensions: ['avif'], label: 'AVIF' },
  svg: { type: 'image/svg+xml', extensions: ['svg'], label: 'SVG' },
  pdf: { type: 'application/pdf', extensions: ['pdf'], label: 'PDF' },
} as const satisfies Record<RasterFormat | 'svg' | 'pdf', FileFormat>;

export type Output = keyof typeof FORMATS;
export type Extension = (typeof FORMATS)[Output]['extensions'][number];
/** Outputs of shapes instead of pixels, which `scale` does not change. */
export type VectorOutput = Exclude<Output, RasterFormat>;

const entries = Object.entries(FORMATS) as [Output, FileFormat][];

export const OUTPUTS = Object.keys(FORMATS) as [Output, ...Output[]];

export const isVector = (output: Output): output is VectorOutput => output === 'svg' || output === 'pdf';

/** The outputs of a page that Chromium draws: it writes no SVG. */
export const PAGE_OUTPUTS = OUTPUTS.filter((output) => output !== 'svg') as [PageOutput, ...PageOutput[]];
export type PageOutput = Exclude<Output, 'svg'>;

/** The output for each file extension. */
export const EXTENSIONS = Object.fromEntries(
  entries.flatMap(([output, { extensions }]) => extensions.map((extension) => [extension, output])),
) as Readonly<Record<Extension, Output>>;

/**
 * What `output` of a request may name. The contract refuses `svg` there; it is asked for by the header Accept, of the
 * studio, the library and the command line.
 */
export const REQUEST_OUTPUTS = PAGE_OUTPUTS;

/** What a signed URL may end in. */
export const SIGNED_EXTENSIONS = (Object.keys(EXTENSIONS) as Extension[]).filter(
  (extension): extension is SignedExtension => extension !== 'svg',
) as [SignedExtension, ...SignedExtension[]];
export type SignedExtension = Exclude<Extension, 'svg'>;

export const isSigned = (extension: string): extension is SignedExtension =>
  (SIGNED_EXTENSIONS as readonly string[]).includes(extension);

/** The extension of new files. */
export const extensionOf = (output: Output): Extension => FORMATS[output].extensions[0];

export const CONTENT_TYPE = Object.fromEntries(entries.map(([output, { type }]) => [output, type])) as {
  readonly [O in Output]: (typeof FORMATS)[O]['type'];
};

/** As people write it: `JPEG`, `WebP`. */
export const labelOf = (output: Output): string => FORMATS[output].label;

export { CHROMA_SUBSAMPLINGS } from '#draw/encoders/chroma.ts';
export const COMPRESSIONS = ['fast', 'small'] as const;
type Compression = (typeof COMPRESSIONS)[number];

/** Encoder options; an output ignores those that do not apply to it. */
export interface ExportOptions {
  /** Device px per canvas px, 0.1 to 3; 1 by default. Vectors keep their size. */
  readonly scale: number;
  /** JPEG, WebP and AVIF, 0 to 100; 80 by default. */
  readonly quality: number;
  /** `small` takes up to ten times as long, for a file that is a little smaller at the same quality; `fast` by default. */
  readonly compression: Compression;
  /** Of JPEG; absent = 4:4:4 from quality 90 on, else 4:2:0. */
  readonly chromaSubsampling?: ChromaSubsampling | undefined;
  /** PDF document properties; they override those of the template. */
  readonly pdf?: RequestedDocument | undefined;
  /** Of a document, from 1; absent = all pages in a PDF, the first in a picture. */
  readonly page?: number | undefined;
  /** false = all of a document on one sheet, as high as it needs. */
  readonly paged?: boolean | undefined;
  /** Whether it only shows what a file will be: what it cannot show is left out; never of a request's own. */
  readonly isPreview?: true | undefined;
  /** Whether each page is marked as that of a test key; never of a request's own. */
  readonly watermark?: true | undefined;
}

/** What requests, commands and callers of the library may say of a file. A new option does not compile until each has it. */
export type FileOptions = Omit<ExportOptions, 'isPreview' | 'watermark'>;

/** The pages that a file shows: a picture has one. */
export const pagesFor = (
  output: Output,
  { page, paged, pdf }: Pick<ExportOptions, 'page' | 'paged' | 'pdf'>,
): PageChoice => ({
  page: page ?? (output === 'pdf' || paged === false ? undefined : 1),
  paged,
  numbers: output === 'pdf' ? pdf?.pageNumbers : undefined,
});

/** The scene with the bleed that a request asks for, which has to be painted. */
export function bled(scene: Scene, { pdf }: Pick<ExportOptions, 'pdf'>): Scene {
  return pdf?.bleed === undefined ? scene : { ...scene, document: { ...scene.document, bleed: pdf.bleed } };
}

export const DEFAULT_EXPORT: ExportOptions = { scale: 1, quality: 80, compression: 'fast' };
