// The texts of the editor in the language of the interface.

import { editor } from './en/editor.ts';
import { room } from './room.ts';

export const texts = room('editor', editor);

/** `letterSpacing` → `Letter spacing`. */
export function humanized(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A property, or a keyword of CSS, in the language of the interface. */
export function labelOf(name: string): string {
  return texts.value.names[name] ?? humanized(name.replaceAll('-', ' '));
}

/** A property as its field in the inspector is called. */
export function propertyLabel(name: string): string {
  const looks: object = texts.value.looks;
  return (looks as Readonly<Record<string, { readonly label?: string }>>)[name]?.label ?? labelOf(name);
}
