// Code to read and to copy.

import { IconButton } from './button.tsx';
import './code.css';
import { texts } from '../texts/shell.ts';
import { copyText } from './copy.ts';
import { copy } from './icons.ts';

/** @param line one line, such as an address */
export function CodeBlock({ code, label, line }: { code: string; label: string; line?: boolean }) {
  return (
    <div class={line ? 'code is-line' : 'code'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within the keyboard's reach. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{code}</code>
      </pre>
      <IconButton icon={copy} label={texts.value.parts.copy(label)} dense onClick={() => void copyText(code)} />
    </div>
  );
}
