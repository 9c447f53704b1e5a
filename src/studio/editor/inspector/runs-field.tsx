// The styled words of a text as a short list: a press selects them on the canvas, where they are styled. Pictures in the
// text have their fields here.

import type { z } from 'zod';
import { Icon } from '../../parts/icon.tsx';
import { image as imageIcon } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import { findLayer, framesAround, type RawDocument, walk } from '../core/document/document.ts';
import { patched, setLayer } from '../core/document/edits.ts';
import { type RawSpan, spansOf, textOf } from '../core/document/text-edits.ts';
import { plainWords, styledRuns } from '../core/document/word-styles.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { FormatSelect, TypedText } from './column-fields.tsx';
import { Select } from './controls.tsx';
import { cssOf, type FillValue } from './fill.ts';
import { labelOf, propertyOf } from './schema.ts';
import { AddButton, RemoveButton } from './segments.tsx';
import { weightName } from './special-fields.tsx';
import { ValueField } from './value-field.tsx';

interface RunsFieldProps {
  readonly editor: EditorState;
  /** Of `spans`. */
  readonly schema: z.ZodType;
}

export function RunsField({ editor, schema }: RunsFieldProps) {
  const [layer] = editor.selectedLayers.value;
  if (!layer) return null;
  const document = editor.document.value;
  const runs = styledRuns(layer);
  const spans = spansOf(layer);
  const imageSchema = pictureSchema(schema);
  const setSpan = (index: number, span: RawSpan) =>
    editor.edit(setLayer(layer.name, { spans: spans?.with(index, span) }), { kind: `span ${index} ${layer.name}` });
  const add = (span: RawSpan) =>
    editor.edit(setLayer(layer.name, { spans: [...(spans ?? [{ text: textOf(layer) }]), span], text: undefined }));
  return (
    <fieldset class="group runs" data-property="spans">
      <legend>
        <span>{texts.value.inspector.styledWords}</span>
      </legend>
      {runs.length === 0 && <p class="faint">{texts.value.inspector.noStyledWords}</p>}
      {runs.map(({ index, span, range }) =>
        span.image && imageSchema ? (
          <div key={index} class="list-item">
            <div class="list-item-head">
              <Icon of={imageIcon} size={14} />
              <span>{texts.value.sections.picture}</span>
              <RemoveButton
                label={texts.value.inspector.aPicture}
                onRemove={() => editor.edit(setLayer(layer.name, { spans: spans?.toSpliced(index, 1) }))}
              />
            </div>
            <ValueField
              name="image"
              schema={imageSchema}
              value={span.image}
              onValue={(image) => setSpan(index, { ...span, image })}
            />
          </div>
        ) : span.counter ? (
          <CounterField
            key={index}
            document={document}
            layer={layer.name}
            span={span}
            onSpan={(next) => setSpan(index, next)}
            onRemove={() => editor.edit(setLayer(layer.name, { spans: spans?.toSpliced(index, 1) }))}
          />
        ) : span.name || span.footnote ? (
          <NamedField
            key={index}
            span={span}
            onSpan={(next) => setSpan(index, next)}
            onRemove={() => editor.edit(setLayer(layer.name, { spans: spans?.toSpliced(index, 1) }))}
          />
        ) : (
          <div key={index} class="run">
            <button
              type="button"
              class="run-words"
              title={texts.value.inspector.selectWords}
              disabled={layer.markup === 'markdown'}
              onClick={() => editor.editText(layer.name, range)}
            >
              {span.color !== undefined && (
                <span class="run-color" style={{ background: cssOf(span.color as FillValue) }} />
              )}
              <span class="truncate">{(span.text ?? '').trim() || texts.value.inspector.space}</span>
              <span class="faint truncate">{describeStyle(span)}</span>
            </button>
            <RemoveButton
              label={texts.value.inspector.styleOf((span.text ?? '').trim())}
              onRemove={() => editor.edit(setLayer(layer.name, plainWords(layer, range)))}
            />
          </div>
        ),
      )}
      <AddButton label={texts.value.inspector.addPicture} onAdd={() => add({ image: { src: '' } })} />
      <AddButton label={texts.value.inspector.addValue} onAdd={() => add({ name: texts.value.inspector.newValue })} />
      {document.page !== undefined && isInFlow(document, layer.name) && (
        <AddButton
          label={texts.value.inspector.addFootnote}
          onAdd={() => add({ footnote: texts.value.inspector.footnote })}
        />
      )}
      {document.page !== undefined && (
        <AddButton label={texts.value.inspector.addPageNumber} onAdd={() => add(newCounter(document, layer.name))} />
      )}
    </fieldset>
  );
}

interface NamedFieldProps {
  readonly span: RawSpan;
  readonly onSpan: (span: RawSpan) => void;
  readonly onRemove: () => void;
}

/** A value within a sentence: which one, and how it is written; or a footnote: its words. */
function NamedField({ span, onSpan, onRemove }: NamedFieldProps) {
  const words = texts.value.inspector;
  const { name, format, footnote } = span;
  const note = typeof footnote === 'object' && footnote !== null ? (footnote as RawSpan) : null;
  const label = name ? words.aValue : words.footnote;
  return (
    <div class="list-item">
      <div class="list-item-head">
        <span>{label}</span>
        <RemoveButton label={label} onRemove={onRemove} />
      </div>
      <TypedText
        label={name ? words.nameOfTheValue : words.footnote}
        value={String(name ?? note?.text ?? footnote)}
        onText={(text) => {
          if (text.trim() === '') return;
          onSpan(name ? { ...span, name: text.trim() } : { ...span, footnote: note ? { ...note, text } : text });
        }}
      />
      {name && <FormatSelect value={format} onValue={(next) => onSpan(patched(span, { format: next }))} />}
    </div>
  );
}

/** The schema of a span's picture. */
function pictureSchema(spans: z.ZodType): z.ZodType | null {
  const { control } = propertyOf(spans);
  const item = control.kind === 'list' ? propertyOf(control.item).control : null;
  return item?.kind === 'object' ? (item.properties.image ?? null) : null;
}

/** `Bold 700, italic, 32 px`. */
function describeStyle({ text: _text, image: _image, color: _color, ...style }: RawSpan): string {
  return Object.entries(style)
    .map(([name, value]) => {
      if (name === 'fontWeight') return `${weightName(Number(value)) ?? ''} ${value}`.trim();
      if (name === 'fontSize') return `${value} px`;
      if (typeof value === 'string' && /^(fontFamily|fontStyle|textDecoration|textTransform)$/.test(name)) return value;
      return texts.value.inspector.inSentence(labelOf(name));
    })
    .join(', ');
}

// The inspector's field for a page number in a text: what is counted, and for which layer.

/** Whether a layer of a document is in what flows: only pages of other layers, and rows, can be counted there. */
const isInFlow = (document: RawDocument, layer: string): boolean =>
  [layer, ...framesAround(document, layer)].some((name) => findLayer(document, name)?.flow === true);

/** A number of a page for the end of a text: in what flows the page of the text itself, to begin with. */
const newCounter = (document: RawDocument, layer: string): RawSpan =>
  isInFlow(document, layer) ? { counter: 'page', of: layer } : { counter: 'page' };

const EVERYWHERE = ['page', 'row'];
const ON_PAGES = ['page', 'pages', 'section-page', 'section-pages', 'section', 'heading', 'row'];

interface CounterFieldProps {
  readonly document: RawDocument;
  /** The layer that has it. */
  readonly layer: string;
  readonly span: RawSpan;
  readonly onSpan: (span: RawSpan) => void;
  readonly onRemove: () => void;
}

function CounterField({ document, layer, span, onSpan, onRemove }: CounterFieldProps) {
  const { counter, of, ...style } = span;
  const inFlow = isInFlow(document, layer);
  const words = texts.value.inspector;
  return (
    <div class="list-item">
      <div class="list-item-head">
        <span>{words.pageNumber}</span>
        <RemoveButton label={words.pageNumber} onRemove={onRemove} />
      </div>
      <Select
        label={labelOf('counter')}
        value={String(counter)}
        options={(inFlow ? EVERYWHERE : ON_PAGES).map((option) => [option, labelOf(option)])}
        onChoose={(next) => onSpan({ ...style, counter: next, ...(next === 'page' && inFlow && { of: layer }) })}
      />
      {counter === 'page' && (
        <Select
          label={words.pageOf}
          value={String(of ?? '')}
          options={[
            !inFlow && ['', words.thisPage],
            of !== undefined && !findLayer(document, String(of)) && [String(of), String(of)],
            ...Array.from(walk(document.layers), ({ layer: { name } }) => [name, words.pageOfLayer(name)] as const),
          ]}
          onChoose={(next) => onSpan({ ...style, counter, ...(next !== '' && { of: next }) })}
        />
      )}
    </div>
  );
}
