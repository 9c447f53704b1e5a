// The bar above the embedded editor: logo and name, whether it is saved, undo, zoom, and the button that ends the work.

import type { EditorParts } from '../editor/surroundings.ts';
import { useAction } from '../parts/action.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { minus, plus, redo2, undo2 } from '../parts/icons.ts';
import { Note } from '../parts/states.tsx';
import { toastError } from '../parts/toast.tsx';
import '../editor/panels/panels.css';
import './embed.css';
import { texts } from '../texts/editor.ts';
import { logo } from './look.ts';

interface BarProps extends EditorParts {
  readonly isSaved: boolean;
  readonly end: 'done' | 'publish';
  /** Ends the work: hands the document back, or publishes it. */
  readonly onEnd: (parts: EditorParts) => Promise<void>;
}

export function Bar(props: BarProps) {
  const { editor, viewport, autosave, isSaved, end, onEnd } = props;
  const { isBusy, run } = useAction(toastError);
  const state = autosave.state.value.kind;
  const zoom = Math.round(viewport.zoom.value * 100);
  return (
    <>
      <header class="top-bar">
        <div class="top-side">
          {logo.value !== null && <img class="embed-logo" src={logo.value} alt="" />}
          <h1 class="embed-name">{editor.name.value}</h1>
          {isSaved && (
            <span class={`saved is-${state}`} role="status">
              {texts.value.embedSaved[state]}
            </span>
          )}
        </div>
        <div class="top-middle">
          <IconButton
            icon={undo2}
            label={texts.value.embed.undo}
            dense
            disabled={!editor.canUndo.value}
            onClick={() => editor.undo()}
          />
          <IconButton
            icon={redo2}
            label={texts.value.embed.redo}
            dense
            disabled={!editor.canRedo.value}
            onClick={() => editor.redo()}
          />
          <IconButton icon={minus} label={texts.value.panels.zoomOut} dense onClick={() => viewport.step(-1)} />
          <span class="embed-zoom">{zoom} %</span>
          <IconButton icon={plus} label={texts.value.panels.zoomIn} dense onClick={() => viewport.step(1)} />
        </div>
        <div class="top-side is-end">
          <Button
            dense
            look="main"
            busy={isBusy}
            disabled={editor.problem.value !== null}
            onClick={() => void run(() => onEnd(props))}
          >
            {texts.value.embedEnd[end]}
          </Button>
        </div>
        {/* Above the headings of the panels. */}
        <h2 class="visually-hidden">{texts.value.embed.editor}</h2>
      </header>
      {state === 'changed' && (
        <div class="changed-elsewhere" role="alert">
          <Note warn>
            {texts.value.embed.changed}
            <div class="changed-buttons">
              <Button dense onClick={() => void autosave.loadTheirs().catch(toastError)}>
                {texts.value.panels.loadSaved}
              </Button>
            </div>
          </Note>
        </div>
      )}
    </>
  );
}
