// Marks the page breaks that properties of layers force: before a layer, or after it.

import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { texts } from '../../texts/editor.ts';
import type { EditorState } from '../state/editor-state.ts';
import type { Viewport } from './viewport.ts';

/** View px: the width of what a page break says. */
const BREAK_LABEL = 96;

/** Where layers begin or end a page, by a mark that is read without selecting them. */
export function PageBreaks({ editor, viewport }: { editor: EditorState; viewport: Viewport }) {
  const picture = editor.picture.value;
  if (!picture?.template.page || editor.isDragging.value) return null;
  return (
    <g class="page-breaks">
      {forcedBreaks(picture.boxes).map(({ key, at: place, isAbove }) => {
        const { x, y } = viewport.toView({ x: 0, y: place });
        const end = x + picture.scene.width * viewport.zoom.value;
        // Beside the layer rather than on it, and beyond its handles.
        const middle = isAbove ? y - 19 : y + 19;
        return (
          <g key={key}>
            <path d={`M${x} ${y}H${end}`} />
            <rect x={end - BREAK_LABEL - 8} y={middle - 9} width={BREAK_LABEL} height={18} rx={4} />
            <text x={end - BREAK_LABEL / 2 - 8} y={middle + 4}>
              {texts.value.canvas.pageBreak}
            </text>
          </g>
        );
      })}
    </g>
  );
}

interface ForcedBreak {
  readonly key: string;
  /** px of the document. */
  readonly at: number;
  /** Whether it is above its layer. */
  readonly isAbove: boolean;
}

/** The tops of layers that begin a page, and the bottoms of those after which one begins. */
function forcedBreaks(boxes: readonly LocatedBox[]): readonly ForcedBreak[] {
  const breaks = new Map<string, ForcedBreak>();
  for (const { name, box, rect } of boxes) {
    const { fragmentation } = box.node;
    const [before, after] = [`before ${name}`, `after ${name}`];
    // A layer over several pages has a box on each: it begins in the first, and ends in the last.
    if (fragmentation?.before === 'page' && !breaks.has(before))
      breaks.set(before, { key: before, at: rect.y, isAbove: true });
    if (fragmentation?.after === 'page') breaks.set(after, { key: after, at: rect.y + rect.height, isAbove: false });
  }
  return [...breaks.values()];
}
