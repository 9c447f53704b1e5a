// The inspector's field for a page number in a text: what is counted, and for which layer.

import { texts } from '../../texts/editor.ts';
import { findLayer, framesAround, type RawDocument, walk } from '../document/document.ts';
import type { RawSpan } from '../document/text-edits.ts';
import { Select } from './controls.tsx';
import { labelOf } from './schema.ts';
import { RemoveButton } from './segments.tsx';

/** Whether a layer of a document is in what flows: only pages of other layers, and rows, can be counted there. */
const isInFlow = (document: RawDocument, layer: string): boolean =>
  [layer, ...framesAround(document, layer)].some((name) => findLayer(document, name)?.flow === true);

/** A number of a page for the end of a text: in what flows the page of the text itself, to begin with. */
export const newCounter = (document: RawDocument, layer: string): RawSpan =>
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

export function CounterField({ document, layer, span, onSpan, onRemove }: CounterFieldProps) {
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
