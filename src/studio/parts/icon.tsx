// An icon from lucide, in the colour of the text beside it.

import { createElement } from 'preact';

export type IconShapes = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];

/** @param label its accessible name; absent if text beside it says the same */
export function Icon({ of, size = 16, label }: { of: IconShapes; size?: number; label?: string }) {
  const described = label ? { role: 'img' as const, 'aria-label': label } : { 'aria-hidden': true };
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={size <= 14 ? 2.2 : 1.8}
      stroke-linecap="round"
      stroke-linejoin="round"
      {...described}
    >
      {of.map(([tag, attributes]) => createElement(tag, { key: JSON.stringify(attributes), ...attributes }))}
    </svg>
  );
}
