// How a property's control looks, and what every control is handed.

import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import type { IconShapes } from '../../parts/icon.tsx';
import type { Swatches } from './swatches.ts';

export interface FieldLook {
  readonly label?: string;
  readonly prefix?: ComponentChildren;
  readonly unit?: string;
  readonly step?: number;
  /** The number is shown multiplied by this: 100 for shares as percentages. */
  readonly scale?: number;
  /** Of a choice, an icon an option: shown as buttons in a row. */
  readonly icons?: Readonly<Record<string, IconShapes>>;
  /** Names of options other than their own. */
  readonly names?: Readonly<Record<string, string>>;
  readonly multiline?: boolean;
  readonly placeholder?: string;
}

export interface ValueFieldProps {
  readonly name: string;
  readonly schema: z.ZodType;
  /** undefined = it is left out, or several layers differ (`isMixed`). */
  readonly value: unknown;
  readonly isMixed?: boolean;
  /** undefined takes the property out. */
  readonly onValue: (value: unknown) => void;
  readonly swatches: Swatches;
  readonly look?: FieldLook;
}

/** Shown where several layers differ. */
export const MIXED = 'Mixed';

/** A control of a kind: the label that it goes by, and the value that is shown, its default where it has none. */
export type Shown = ValueFieldProps & { readonly label: string; readonly shown: unknown };
