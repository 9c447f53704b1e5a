// An icon from lucide, in the colour of the text beside it, and pictures that an icon may stand for.

import { createElement } from 'preact';
import { useState } from 'preact/hooks';
import { image } from './icons.ts';

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

/** A picture, or the sign of one where browsers have none of it, as of a PDF. */
export function FilePicture({ src }: { readonly src: string }) {
  const [broken, setBroken] = useState<string | null>(null);
  if (broken === src) return <Icon of={image} size={20} />;
  return <img src={src} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setBroken(src)} />;
}
