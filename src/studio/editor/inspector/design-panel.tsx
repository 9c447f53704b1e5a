// The Design panel: every property of the selection, or of the canvas if nothing is selected.

import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { onDemand } from '../../parts/on-demand.tsx';
import { CanvasSections } from './canvas-sections.tsx';
import { DocumentContexts } from './document-contexts.tsx';
import type { InspectorContext } from './inspector-context.ts';
import { LayerSections } from './layer-sections.tsx';
import './inspector.css';

const ComponentSections = onDemand(async () => (await import('../design/component-section.tsx')).ComponentSections);

/** ms between two updates while something is dragged. */
const PAUSE = 100;

export function DesignPanel(props: InspectorContext) {
  const { editor } = props;
  // Fields that update with each frame of a drag would cost as much as the drag itself.
  const shown = useMemo(() => throttledSignal(editor.selectedLayers, editor.isDragging, PAUSE), [editor]);
  useEffect(() => shown.stop, [shown]);
  const layers = shown.value.value;
  return (
    <DocumentContexts editor={editor}>
      {layers.length === 0 ? (
        <CanvasSections {...props} />
      ) : layers.every(({ type }) => type === 'template') ? (
        <ComponentSections {...props} layers={layers} />
      ) : (
        <LayerSections {...props} layers={layers} />
      )}
    </DocumentContexts>
  );
}

// A signal that follows another at intervals while something is busy: for views that need not update at once.

/**
 * The source's values; while `isBusy`, one every `pause` ms and the last one when it ends.
 *
 * @returns the signal, and a function that stops it
 */
function throttledSignal<T>(
  source: ReadonlySignal<T>,
  isBusy: ReadonlySignal<boolean>,
  pause: number,
): { readonly value: ReadonlySignal<T>; readonly stop: () => void } {
  const value = signal(source.peek());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = () => {
    clearTimeout(timer);
    timer = undefined;
    value.value = source.peek();
  };
  const stops = [
    source.subscribe(() => {
      if (!isBusy.peek()) take();
      else timer ??= setTimeout(take, pause);
    }),
    isBusy.subscribe((busy) => {
      if (!busy) take();
    }),
  ];
  return {
    value,
    stop: () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    },
  };
}
