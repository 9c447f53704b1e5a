// The formats that Platen writes, with their file extensions and content types.

import type { RequestedDocument } from '#core/template/document-properties.ts';

export const OUTPUTS = ['png', 'jpeg', 'webp', 'pdf'] as const;
export type Output = (typeof OUTPUTS)[number];

/** Outputs of shapes instead of pixels, which `scale` does not change. */
export const VECTOR_OUTPUTS: readonly Output[] = ['pdf'];

/** The output format for each file extension. */
export const EXTENSIONS = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp', pdf: 'pdf' } as const satisfies Record<
  string,
  Output
>;
export type Extension = keyof typeof EXTENSIONS;

export const CONTENT_TYPE = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
} as const satisfies Record<Output, string>;

export const COMPRESSIONS = ['fast', 'small'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** Encoder options; an output ignores those that do not apply to it. */
export interface ExportOptions {
  /** Device px per canvas px, 0.1 to 3. PDF is vector and keeps its size. */
  readonly scale: number;
  /** JPEG and WebP, 0 to 100. */
  readonly quality: number;
  /** `small` takes up to ten times as long, for a file that is a little smaller at the same quality. */
  readonly compression: Compression;
  /** PDF document properties; they override those of the template. */
  readonly pdf?: RequestedDocument | undefined;
}

export const DEFAULT_EXPORT: ExportOptions = { scale: 1, quality: 80, compression: 'fast' };
