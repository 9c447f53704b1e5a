// The interface of the writers in the race of documents.

import type { Row } from './report.ts';

export interface Fonts {
  /** Files of Inter. */
  readonly regular: string;
  readonly bold: string;
}

/** Writes the report of these rows to a PDF file; all of it is timed. */
type WriteReport = (rows: readonly Row[], file: string) => Promise<void>;

/** Imports the writer, passes it the fonts, starts what it needs. Not timed. */
export type OpenWriter = (fonts: Fonts) => Promise<WriteReport>;

/**
 * A package of this folder, which only the benchmark installs: the compiler of the checkout does not know its types.
 *
 * @param name a package in `package.json`
 */
export const peer = <Exports>(name: string): Promise<Exports> => import(name);

/** React's createElement, as far as these writers need it. */
export type CreateElement = (type: unknown, properties: unknown, ...children: unknown[]) => unknown;
