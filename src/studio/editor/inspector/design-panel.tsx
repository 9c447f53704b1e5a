// The Design panel: every property of the selection, or of the canvas if nothing is selected.

import { useEffect, useMemo } from 'preact/hooks';
import { deferred } from '../../parts/deferred.tsx';
import { throttledSignal } from '../state/throttled-signal.ts';
import { BrandContext, brandOf } from './brand-names.ts';
import type { DesignPanelProps } from './inspector-context.ts';
import './inspector.css';
import { swatchesOf } from './swatches.ts';

const CanvasSections = deferred(async () => (await import('./canvas-sections.tsx')).CanvasSections);
const ComponentSections = deferred(async () => (await import('../design/component-section.tsx')).ComponentSections);
const LayerSections = deferred(async () => (await import('./layer-sections.tsx')).LayerSections);

/** ms between two updates while something is dragged. */
const PAUSE = 100;

export function DesignPanel(props: DesignPanelProps) {
  const { editor } = props;
  // Fields that update with each frame of a drag would cost as much as the drag itself.
  const shown = useMemo(() => throttledSignal(editor.selectedLayers, editor.isDragging, PAUSE), [editor]);
  useEffect(() => shown.stop, [shown]);
  const layers = shown.value.value;
  const swatches = useMemo(() => () => swatchesOf(editor.document.peek()), [editor]);
  const brand = brandOf(editor);
  return (
    <BrandContext.Provider value={brand}>
      {layers.length === 0 ? (
        <CanvasSections {...props} swatches={swatches} />
      ) : layers.every(({ type }) => type === 'template') ? (
        <ComponentSections {...props} layers={layers} swatches={swatches} />
      ) : (
        <LayerSections {...props} layers={layers} swatches={swatches} />
      )}
    </BrandContext.Provider>
  );
}
