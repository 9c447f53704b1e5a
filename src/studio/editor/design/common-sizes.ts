// Sizes that are often wanted, by the names that they get, and how one of the template's is shown.

import { texts } from '../../texts/editor.ts';
import type { View } from '../core/design/view.ts';
import type { EditorParts } from '../core/open-editor.ts';

export const COMMON_SIZES = [
  { name: 'square', width: 1080, height: 1080 },
  { name: 'portrait', width: 1080, height: 1350 },
  { name: 'story', width: 1080, height: 1920 },
  { name: 'landscape', width: 1200, height: 630 },
  { name: 'wide', width: 1920, height: 1080 },
  { name: 'banner', width: 1500, height: 500 },
  { name: 'leaderboard', width: 728, height: 90 },
  { name: 'rectangle', width: 300, height: 250 },
] as const;

export type ViewsBarProps = Pick<EditorParts, 'editor' | 'viewport'>;

/** Shows a view with all of its canvas in the window. */
export function showView({ editor, viewport }: ViewsBarProps, view: View): void {
  const before = editor.view.peek();
  editor.showView(view).then(() => {
    if (before.size === view.size) return;
    const { width, height } = editor.document.peek();
    viewport.fit({ x: 0, y: 0, width, height });
  }, editor.host.tellError);
}

/** What a menu offers to be added: common sizes by name and purpose, then one's own. */
export const sizeEntries = (onAdd: (name: string, width: number, height: number) => void, onOwn: () => void) => [
  ...COMMON_SIZES.map(({ name, width, height }) => ({
    label: `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${texts.value.sizes[name]}`,
    aside: `${width} × ${height}`,
    onSelect: () => onAdd(name, width, height),
  })),
  'line' as const,
  { label: texts.value.design.ownMeasures, onSelect: onOwn },
];
