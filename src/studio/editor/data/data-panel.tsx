// The Data panel: a field for each parameter, and sets of sample values. None of this is stored in the template.

import { setSignal } from '../../parts/action.ts';
import { PanelSection } from '../inspector/panel-section.tsx';
import './data-panel.css';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { traitsOf } from '#core/template/layer-traits.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { pencil, trash2 } from '../../parts/icons.ts';
import { dataTexts } from '../../texts/data.ts';
import { texts } from '../../texts/editor.ts';
import { type RawLayer, type Values, walk } from '../core/document/document.ts';
import { entriesOf, type RawEntry } from '../core/document/table-edits.ts';
import { textOf } from '../core/document/text-edits.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import type { DataSet } from '../core/state/preferences.ts';
import type { FillValue } from '../inspector/fill.ts';
import { FillField } from '../inspector/fill-field.tsx';
import { ImageField } from '../inspector/image-field.tsx';
import { FormSection } from './form-section.tsx';
import { listColumns } from './list-columns.ts';
import { RowsSheet } from './rows-sheet.tsx';

export function DataPanel({ editor }: { readonly editor: EditorState }) {
  const document = editor.document.value;
  const values = editor.values.value;
  const all = [...walk(document.layers)].map(({ layer }) => layer);
  const lists = listsIn(all);
  const parameters = all.filter((layer) => traitsOf(layer.type)?.primary || lists.includes(layer)).reverse();
  const shown = editor.valuesChanged.value ? null : editor.valuesName.value;
  const preset = (name: string, values: (layers: readonly RawLayer[]) => Values) => (
    <Button dense onClick={() => editor.showValues(values(all), name)} aria-pressed={shown === name}>
      {name}
    </Button>
  );
  return (
    <>
      <PanelSection title={dataTexts.value.previewWith}>
        <div class="data-presets">
          <Button dense onClick={() => editor.showValues({}, null)} aria-pressed={Object.keys(values).length === 0}>
            {dataTexts.value.ownValues}
          </Button>
          {preset(dataTexts.value.longestWords, longestValues)}
          {preset(dataTexts.value.empty, emptyValues)}
          {preset(dataTexts.value.rightToLeft, rightToLeftValues)}
          {lists.length > 0 && (
            <>
              {preset(dataTexts.value.rows(1), (layers) => listValues(layers, 1))}
              {preset(dataTexts.value.rows(60), (layers) => listValues(layers, 60))}
            </>
          )}
        </div>
        <SampleSets editor={editor} />
      </PanelSection>
      <PanelSection title={dataTexts.value.values}>
        {parameters.map((layer) => (
          <Parameter
            key={layer.name}
            layer={layer}
            value={values[layer.name]}
            onValue={(value) => editor.setValue(layer.name, value)}
            editor={editor}
          />
        ))}
        {parameters.length === 0 && <p class="faint">{dataTexts.value.noParameters}</p>}
      </PanelSection>
      <FormSection editor={editor} />
    </>
  );
}

interface ParameterProps {
  readonly layer: RawLayer;
  readonly value: unknown;
  readonly onValue: (value: unknown) => void;
  readonly editor: EditorState;
}

function Parameter({ layer, value, onValue, editor }: ParameterProps) {
  const { name, type } = layer;
  const isSet = value !== undefined;
  // Looks at each entry of the list, which may have many thousands.
  const columns = useMemo(() => listColumns(layer), [layer]);
  const own = type === 'text' ? textOf(layer) : String(layer[traitsOf(type)?.primary ?? ''] ?? '');
  return (
    <div class="parameter">
      <div class="parameter-head">
        <button
          type="button"
          class="parameter-name"
          title={dataTexts.value.selectLayer}
          onClick={() => editor.select([name])}
        >
          {name}
        </button>
        <span class="faint">{texts.value.types[type] ?? type}</span>
        {isSet && (
          <button type="button" class="link-button" onClick={() => onValue(undefined)}>
            {texts.value.common.reset}
          </button>
        )}
      </div>
      {listsIn([layer]).length > 0 ? (
        <RowsSheet
          label={name}
          columns={columns}
          rows={Array.isArray(value) ? value : entriesOf(layer)}
          onRows={onValue}
        />
      ) : type === 'shape' ? (
        <FillField label={name} value={(value ?? layer.fill ?? '#000000') as FillValue} onFill={onValue} />
      ) : type === 'image' ? (
        <ImageField
          name="src"
          label={name}
          value={value ?? layer.src}
          isMixed={false}
          onValue={(next) => onValue(next === '' ? undefined : next)}
          editor={editor}
        />
      ) : (
        <textarea
          class="input is-dense"
          rows={own.length > 40 ? 2 : 1}
          aria-label={name}
          placeholder={own}
          value={typeof value === 'string' ? value : isSet ? JSON.stringify(value) : ''}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

// Sample values for testing a template: far longer than its own, empty, Arabic, which runs from right to left, and lists
// of other lengths.

const LONG =
  'Donaudampfschifffahrtsgesellschaft und andere außergewöhnlich lange Wörter, wie sie in Überschriften, Namen und Adressen vorkommen';
const ARABIC = 'العنوان الرئيسي للمناسبة السنوية الكبرى في المدينة القديمة';
const LATIN_LETTERS = /\p{L}/u;

/** For texts with letters, values about two and a half times as long. */
function longestValues(layers: readonly RawLayer[]): Values {
  return valuesOf(layers, (text) => cut(LONG, Math.max(24, Math.ceil(text.length * 2.5))));
}

function emptyValues(layers: readonly RawLayer[]): Values {
  return valuesOf(layers, () => '');
}

function rightToLeftValues(layers: readonly RawLayer[]): Values {
  return valuesOf(layers, (text) => cut(ARABIC, Math.max(8, text.length)));
}

/** The layers that a list fills: tables, and frames that repeat. */
const listsIn = (layers: readonly RawLayer[]): readonly RawLayer[] =>
  layers.filter(
    ({ type, repeat }) => type === 'table' || (type === 'frame' && repeat !== undefined && repeat !== null),
  );

/** Lists of a number of entries: those of the template, over and over. */
function listValues(layers: readonly RawLayer[], count: number): Values {
  return Object.fromEntries(
    listsIn(layers).map((layer) => {
      const own = entriesOf(layer);
      return [layer.name, Array.from({ length: count }, (_, i) => own[i % Math.max(1, own.length)] ?? {})];
    }),
  );
}

function valuesOf(layers: readonly RawLayer[], make: (text: string) => string): Values {
  const lists = listsIn(layers).flatMap((layer) => {
    const entries = entriesOf(layer).map((entry) => mapTexts(entry, make));
    return entries.length > 0 ? [[layer.name, entries] as const] : [];
  });
  const texts = layers.filter((layer) => layer.type === 'text' && LATIN_LETTERS.test(textOf(layer)));
  return Object.fromEntries([...texts.map((layer) => [layer.name, make(textOf(layer))] as const), ...lists]);
}

/** An entry whose texts with letters are others; numbers and dates stay, since formats read them. */
const mapTexts = (entry: RawEntry, make: (text: string) => string): RawEntry =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      typeof value === 'string' && LATIN_LETTERS.test(value) ? make(value) : value,
    ]),
  );

/** Repeats whole words up to about this length. */
function cut(text: string, length: number): string {
  const words = text.split(' ');
  let made = '';
  for (let i = 0; made.length < length; i++) made += `${made === '' ? '' : ' '}${words[i % words.length]}`;
  return made;
}

/** The named sets of sample values of a template: shown, saved, renamed, deleted. They are kept in the browser. */
function SampleSets({ editor }: { readonly editor: EditorState }) {
  const name = useSignal('');
  const renamed = useSignal<string | null>(null);
  const { sets } = editor.preferences;
  const { value: shown } = editor.valuesName;
  const isChanged = editor.valuesChanged.value;
  const isSet = (wanted: string) => sets.peek().some((one) => one.name === wanted);
  const save = () => {
    const unnamed = isChanged && shown !== null && isSet(shown) ? shown : dataTexts.value.set(sets.peek().length + 1);
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
    if (isSet(wanted)) return editor.host.tell(dataTexts.value.setExists(wanted), { tone: 'bad' });
    sets.value = sets.peek().map((other) => (other === one ? { ...one, name: wanted } : other));
    if (editor.valuesName.peek() === one.name) editor.valuesName.value = wanted;
  };
  const remove = (one: DataSet) => {
    const before = sets.peek();
    sets.value = before.filter((other) => other !== one);
    const onSelect = () => {
      if (!isSet(one.name)) sets.value = sets.peek().toSpliced(before.indexOf(one), 0, one);
    };
    editor.host.tell(dataTexts.value.setDeleted(one.name), { action: { label: dataTexts.value.undo, onSelect } });
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
            label={dataTexts.value.renameSet(one.name)}
            onClick={() => setSignal(renamed, one.name)}
          />
          <IconButton
            dense
            icon={trash2}
            label={dataTexts.value.deleteSetNamed(one.name)}
            onClick={() => remove(one)}
          />
        </div>
      ))}
      <div class="set-row">
        <input
          class="input is-dense"
          aria-label={dataTexts.value.setName}
          placeholder={isChanged && shown !== null && isSet(shown) ? shown : dataTexts.value.nameSet}
          value={name.value}
          onInput={(event) => setSignal(name, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && Object.keys(editor.values.peek()).length > 0) save();
          }}
        />
        <Button dense disabled={Object.keys(editor.values.value).length === 0} onClick={save}>
          {dataTexts.value.save}
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
      aria-label={dataTexts.value.setName}
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
