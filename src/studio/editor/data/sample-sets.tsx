// The named sets of sample values of a template: shown, saved, renamed, deleted. They are kept in the browser.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import { pencil, trash2 } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import type { DataSet } from '../core/state/preferences.ts';

export function SampleSets({ editor }: { readonly editor: EditorState }) {
  const name = useSignal('');
  const renamed = useSignal<string | null>(null);
  const { sets } = editor.preferences;
  const { value: shown } = editor.valuesName;
  const isChanged = editor.valuesChanged.value;
  const isSet = (wanted: string) => sets.peek().some((one) => one.name === wanted);
  const save = () => {
    const unnamed = isChanged && shown !== null && isSet(shown) ? shown : texts.value.data.set(sets.peek().length + 1);
    const set = { name: name.value.trim() || unnamed, values: editor.values.peek() };
    const at = sets.peek().findIndex((one) => one.name === set.name);
    sets.value = at < 0 ? [...sets.peek(), set] : sets.peek().with(at, set);
    editor.showValues(set.values, set.name);
    name.value = '';
  };
  const rename = (one: DataSet, typed: string) => {
    renamed.value = null;
    const wanted = typed.trim();
    if (wanted === '' || wanted === one.name) return;
    if (isSet(wanted)) return editor.host.tell(texts.value.data.setExists(wanted), { tone: 'bad' });
    sets.value = sets.peek().map((other) => (other === one ? { ...one, name: wanted } : other));
    if (editor.valuesName.peek() === one.name) editor.valuesName.value = wanted;
  };
  const remove = (one: DataSet) => {
    const before = sets.peek();
    sets.value = before.filter((other) => other !== one);
    const onSelect = () => {
      if (!isSet(one.name)) sets.value = sets.peek().toSpliced(before.indexOf(one), 0, one);
    };
    editor.host.tell(texts.value.data.setDeleted(one.name), { action: { label: texts.value.data.undo, onSelect } });
  };
  return (
    <div class="sets">
      {sets.value.map((one) => (
        <div key={one.name} class="set-row">
          {renamed.value === one.name ? (
            <NewName name={one.name} onName={(typed) => rename(one, typed)} />
          ) : (
            <Button
              dense
              look="quiet"
              onClick={() => editor.showValues(one.values, one.name)}
              aria-pressed={shown === one.name && !isChanged}
            >
              <span class="truncate">{one.name}</span>
            </Button>
          )}
          <IconButton
            dense
            icon={pencil}
            label={texts.value.data.renameSet(one.name)}
            onClick={() => {
              renamed.value = one.name;
            }}
          />
          <IconButton
            dense
            icon={trash2}
            label={texts.value.data.deleteSetNamed(one.name)}
            onClick={() => remove(one)}
          />
        </div>
      ))}
      <div class="set-row">
        <input
          class="input is-dense"
          aria-label={texts.value.data.setName}
          placeholder={isChanged && shown !== null && isSet(shown) ? shown : texts.value.data.nameSet}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && Object.keys(editor.values.peek()).length > 0) save();
          }}
        />
        <Button dense disabled={Object.keys(editor.values.value).length === 0} onClick={save}>
          {texts.value.data.save}
        </Button>
      </div>
    </div>
  );
}

/** Enter and leaving the field take the name; Escape keeps the old one. */
function NewName({ name, onName }: { readonly name: string; readonly onName: (typed: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  return (
    <input
      ref={field}
      class="input is-dense"
      aria-label={texts.value.data.setName}
      defaultValue={name}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.value = name;
        if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
        event.stopPropagation();
      }}
      onBlur={(event) => onName(event.currentTarget.value)}
    />
  );
}
