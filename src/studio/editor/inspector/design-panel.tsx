// The Design panel: every property of the selection, or of the canvas if nothing is selected.

import { useEffect, useMemo } from 'preact/hooks';
import { onDemand } from '../../parts/on-demand.tsx';
import { brandOf } from '../core/state/brand-names.ts';
import { throttledSignal } from '../throttled-signal.ts';
import { CanvasSections } from './canvas-sections.tsx';
import type { DesignPanelProps } from './inspector-context.ts';
import { BrandContext } from './inspector-context.ts';
import { LayerSections } from './layer-sections.tsx';
import './inspector.css';
import { swatchesOf } from './swatches.ts';

const ComponentSections = onDemand(async () => (await import('../design/component-section.tsx')).ComponentSections);

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
