// A colour as CSS code, typed.

import { parseColor } from '#core/color.ts';
import { texts } from '../../texts/editor.ts';
import { TypedField } from './typed-field.tsx';

/** As CSS writes it: designers leave out the `#`. */
const cssOf = (text: string) => (/^[0-9a-f]{3,8}$/i.test(text.trim()) ? `#${text.trim()}` : text.trim());

export function CssField({ label, value, onColor }: { label: string; value: string; onColor: (css: string) => void }) {
  return (
    <TypedField
      isMono
      aria-label={texts.value.inspector.asCss(label)}
      shown={value}
      problemOf={(text) => (text.trim() === '' || parseColor(cssOf(text)) ? null : texts.value.inspector.noColor)}
      onText={(text) => {
        if (text.trim() !== '') onColor(cssOf(text));
      }}
    />
  );
}
