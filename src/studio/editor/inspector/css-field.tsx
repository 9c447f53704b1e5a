// A colour as CSS code, typed.

import { parseColor } from '#core/color.ts';
import { texts } from '../../texts/editor.ts';
import { useTyped } from './typed-text.ts';

export function CssField({ label, value, onColor }: { label: string; value: string; onColor: (css: string) => void }) {
  const [typed, setTyped] = useTyped();
  const css = /^[0-9a-f]{3,8}$/i.test((typed ?? '').trim()) ? `#${typed?.trim()}` : (typed ?? '').trim();
  const isWrong = css !== '' && !parseColor(css);
  const commit = () => {
    if (typed === null || isWrong) return;
    if (css !== '') onColor(css);
    setTyped(null);
  };
  return (
    <span class="json-field">
      <input
        class="input is-dense is-mono"
        aria-label={texts.value.inspector.asCss(label)}
        value={typed ?? value}
        spellcheck={false}
        aria-invalid={isWrong}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
          if (event.key === 'Escape') setTyped(null);
        }}
      />
      {isWrong && (
        <span class="field-error" role="alert">
          {texts.value.inspector.noColor}
        </span>
      )}
    </span>
  );
}
