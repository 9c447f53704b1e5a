// Finds the place of a box in the order of painting (CSS 2, appendix E), and which absolutely placed boxes it contains.

import type { StackingLevel } from '../resolve/scene.ts';
import type { Style } from './style.ts';

export interface Stacking {
  /** Whose containing block it is: of absolutely placed boxes, and of fixed ones as well; null = of neither. */
  readonly contains: 'positioned' | 'fixed' | null;
  readonly isPositioned: boolean;
  /** Whether it is a stacking context wherever it stands. */
  readonly isContext: boolean;
  /** `z-index`; null = auto. */
  readonly level: number | null;
}

const isNone = (style: Style, property: string): boolean => /^(|none|normal|auto)$/.test(style.word(property));

/** CSS Transforms 1, 3; Filter Effects 1, 5; CSS Containment 1, 3.2 and 3.4. */
const CONTAINING = ['transform', 'translate', 'rotate', 'scale', 'perspective', 'filter', 'backdrop-filter'];
/** CSS Compositing 1, 3; CSS Masking 1. */
const GROUPING = ['mix-blend-mode', 'isolation', 'mask-image', 'clip-path'];

export function stackingOf(style: Style): Stacking {
  const position = style.word('position');
  const isPositioned = /^(relative|absolute|fixed|sticky)$/.test(position);
  const hints = style.word('will-change');
  const isChanging = (names: readonly string[]) => hints !== '' && names.some((name) => hints.includes(name));
  const isContaining =
    CONTAINING.some((name) => !isNone(style, name)) ||
    isChanging(CONTAINING) ||
    /\b(layout|paint|strict|content)\b/.test(style.word('contain'));
  const index = Number.parseInt(style.get('z-index'), 10);
  const level = Number.isNaN(index) ? null : index;
  return {
    contains: isContaining ? 'fixed' : isPositioned ? 'positioned' : null,
    isPositioned,
    isContext:
      isContaining ||
      /^(fixed|sticky)$/.test(position) ||
      (isPositioned && level !== null) ||
      style.opacity < 1 ||
      GROUPING.some((name) => !isNone(style, name)) ||
      isChanging([...GROUPING, 'opacity']),
    level,
  };
}

/** Where the box is painted; undefined = in the flow. @param isItem whether it is one of a flex box or a grid */
export function stackingLevel(
  { isPositioned, isContext, level }: Stacking,
  isItem: boolean,
  order: number,
): StackingLevel | undefined {
  const isLeveled = level !== null && (isPositioned || isItem);
  if (!isPositioned && !isContext && !isLeveled) return undefined;
  return { level: isLeveled ? level : 0, order, isContext: isContext || isLeveled };
}
