// The bar above the embedded editor: logo and name, whether it is saved, undo, zoom, and the button that ends the work.

import { useState } from 'preact/hooks';
import type { SaveState } from '../editor/state/autosave.ts';
import type { EditorParts } from '../editor/surroundings.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { minus, plus, redo2, undo2 } from '../parts/icons.ts';
import { Note } from '../parts/states.tsx';
import { toastError } from '../parts/toast.tsx';
import '../editor/panels/panels.css';
import './embed.css';
import { logo } from './look.ts';
import { say } from './words.ts';

const STATES: Readonly<Record<SaveState['kind'], 'saved' | 'saving' | 'notSaved'>> = {
  saved: 'saved',
  unsaved: 'saving',
  saving: 'saving',
  failed: 'notSaved',
  changed: 'notSaved',
};

interface BarProps extends EditorParts {
  readonly isSaved: boolean;
  readonly end: 'done' | 'publish';
  /** Ends the work: hands the document back, or publishes it. */
  readonly onEnd: (parts: EditorParts) => Promise<void>;
}

export function Bar(props: BarProps) {
  const { editor, viewport, autosave, isSaved, end, onEnd } = props;
  const [isBusy, setBusy] = useState(false);
  const state = autosave.state.value.kind;
  const zoom = Math.round(viewport.zoom.value * 100);
  const finish = async () => {
    setBusy(true);
    await onEnd(props).catch(toastError);
    setBusy(false);
  };
  return (
    <>
      <header class="top-bar">
        <div class="top-side">
          {logo.value !== null && <img class="embed-logo" src={logo.value} alt="" />}
          <h1 class="embed-name">{editor.name.value}</h1>
          {isSaved && (
            <span class={`saved is-${state}`} role="status">
              {say(STATES[state])}
            </span>
          )}
        </div>
        <div class="top-middle">
          <IconButton
            icon={undo2}
            label={say('undo')}
            dense
            disabled={!editor.canUndo.value}
            onClick={() => editor.undo()}
          />
          <IconButton
            icon={redo2}
            label={say('redo')}
            dense
            disabled={!editor.canRedo.value}
            onClick={() => editor.redo()}
          />
          <IconButton icon={minus} label={say('zoomOut')} dense onClick={() => viewport.step(-1)} />
          <span class="embed-zoom">{zoom} %</span>
          <IconButton icon={plus} label={say('zoomIn')} dense onClick={() => viewport.step(1)} />
        </div>
        <div class="top-side is-end">
          <Button
            dense
            look="main"
            busy={isBusy}
            disabled={editor.problem.value !== null}
            onClick={() => void finish()}
          >
            {say(end)}
          </Button>
        </div>
        {/* Above the headings of the panels. */}
        <h2 class="visually-hidden">{say('editor')}</h2>
      </header>
      {state === 'changed' && (
        <div class="changed-elsewhere" role="alert">
          <Note warn>
            {say('changed')}
            <div class="changed-buttons">
              <Button dense onClick={() => void autosave.loadTheirs().catch(toastError)}>
                {say('load')}
              </Button>
            </div>
          </Note>
        </div>
      )}
    </>
  );
}
