// How a property's control looks, and the properties that every control receives.

import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import type { IconShapes } from '../../parts/icon.tsx';

export interface FieldLook {
  readonly label?: string;
  readonly prefix?: ComponentChildren;
  readonly unit?: string;
  readonly step?: number;
  /** The number is shown multiplied by this: 100 for ratios shown as percentages. */
  readonly scale?: number;
  /** An icon for each option of a choice, which is then shown as buttons in a row. */
  readonly icons?: Readonly<Record<string, IconShapes>>;
  /** Labels of options that differ from their values. */
  readonly names?: Readonly<Record<string, string>>;
  /** The field shows several lines. `rare`: Enter ends it, and Shift+Enter begins another line. */
  readonly multiline?: 'usual' | 'rare';
  readonly placeholder?: string;
}

export interface ValueFieldProps {
  readonly name: string;
  readonly schema: z.ZodType;
  /** undefined = it is not set, or several layers differ (`isMixed`). */
  readonly value: unknown;
  readonly isMixed?: boolean;
  /** undefined removes the property. */
  readonly onValue: (value: unknown) => void;
  readonly look?: FieldLook;
}

/** Properties of a control: its label, and the value shown, which is the default if none is set. */
export type Shown = ValueFieldProps & { readonly label: string; readonly shown: unknown };
