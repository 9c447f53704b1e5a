// The texts of one part of the studio, in the language of the interface.

import { computed, type ReadonlySignal, signal } from '@preact/signals';

/** The texts of a language other than English, by room; each has the type of the English ones. null = English. */
export const translation = signal<Readonly<Record<string, object>> | null>(null);

/** Says an English warning of a render in the language of the interface; null = that is English. */
export const warningReader = signal<((warning: string) => string) | null>(null);
export const warningText = (warning: string): string => warningReader.value?.(warning) ?? warning;

/**
 * Read the value where something is rendered or said, never while a module loads: the language is known only then, and
 * a component that has read it is rendered again when the language changes.
 */
export function room<Texts extends object>(name: string, english: Texts): ReadonlySignal<Texts> {
  return computed(() => (translation.value?.[name] as Texts | undefined) ?? english);
}
