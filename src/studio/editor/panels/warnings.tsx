// Below the canvas: errors that prevent drawing, and warnings; each links to its layer.

import { useSignal, useSignalEffect } from '@preact/signals';
import { setSignal } from '../../parts/action.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { chevronDown, chevronRight, circleAlert, circleCheck, triangleAlert, x } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import { warningText } from '../../texts/room.ts';
import { layerAtPath } from '../core/document/document.ts';
import { findWarnings, type Warning } from '../core/scene/warnings.ts';
import type { EditorState } from '../core/state/editor-state.ts';

/** ms without a change. */
const PAUSE = 250;

/** The most that are kept of a template. */
const MOST_DISMISSED = 200;

/** A warning that was dismissed stays so when its figures change. */
const keyOf = ({ code, layer }: Warning): string => `${code} ${layer ?? ''}`;

export function Warnings({ editor }: { editor: EditorState }) {
  const isOpen = useSignal(false);
  const problem = editor.problem.value;
  const found = useSignal<readonly Warning[]>([]);
  // After a pause: contrast looks at all layers below each text, and lost content at every letter, which is too slow for
  // every frame of a drag.
  useSignalEffect(() => {
    const picture = editor.picture.value;
    if (!picture) return;
    const timer = setTimeout(() => setSignal(found, findWarnings(picture)), PAUSE);
    return () => clearTimeout(timer);
  });
  const { dismissed } = editor.preferences;
  const warnings = found.value.filter((warning) => !dismissed.value.includes(keyOf(warning)));
  const hidden = found.value.length - warnings.length;
  const count = warnings.length + (problem ? 1 : 0);
  const go = (name: string | null) => {
    if (name !== null && editor.layer(name)) editor.select([name]);
  };
  const problemLayer = problem ? layerAtPath(editor.document.value, problem.path) : null;
  return (
    <section class="warnings" aria-label={texts.value.panels.warnings}>
      <button
        type="button"
        class="warnings-bar"
        aria-expanded={isOpen.value}
        disabled={count + hidden === 0}
        onClick={() => setSignal(isOpen, !isOpen.value)}
      >
        {problem ? (
          <>
            <Icon of={circleAlert} size={14} />
            <span class="truncate is-bad">{problem.message}</span>
          </>
        ) : count > 0 ? (
          <>
            <Icon of={triangleAlert} size={14} />
            <span class="truncate">
              {texts.value.panels.warningsCount(count, warningText(warnings[0]?.message ?? ''))}
            </span>
          </>
        ) : (
          <>
            {editor.isLoading.value ? <span class="spinner" /> : <Icon of={circleCheck} size={14} />}
            <span>{editor.isLoading.value ? texts.value.panels.loading : texts.value.panels.noWarnings}</span>
          </>
        )}
        {count + hidden > 0 && <Icon of={isOpen.value ? chevronDown : chevronRight} size={14} />}
      </button>
      {isOpen.value && count + hidden > 0 && (
        <ul class="warnings-list">
          {problem && (
            <li>
              <button type="button" onClick={() => go(problemLayer)}>
                <Icon of={circleAlert} size={14} />
                <span>{problem.message}</span>
              </button>
            </li>
          )}
          {warnings.map((warning) => (
            <li key={`${keyOf(warning)} ${warning.message}`}>
              <button type="button" onClick={() => go(warning.layer)}>
                <Icon of={triangleAlert} size={14} />
                <span>{warningText(warning.message)}</span>
              </button>
              <IconButton
                icon={x}
                label={texts.value.panels.dismiss(warningText(warning.message))}
                dense
                onClick={() => setSignal(dismissed, [...dismissed.peek(), keyOf(warning)].slice(-MOST_DISMISSED))}
              />
            </li>
          ))}
          {hidden > 0 && (
            <li>
              <button type="button" onClick={() => setSignal(dismissed, [])}>
                <span>{texts.value.panels.showDismissed(hidden)}</span>
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}
