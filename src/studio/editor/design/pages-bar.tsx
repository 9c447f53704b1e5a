// The bar below the canvas of a document: its pages as thumbnails, in order. A press goes to a page; those made by hand are
// added, dragged to another place, and have a menu.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Rect, rectsOverlap } from '#core/geometry.ts';
import { opBounds } from '#core/paint/bounds.ts';
import { setSignal } from '../../parts/action.ts';
import { IconButton } from '../../parts/button.tsx';
import { contextMenu } from '../../parts/context-menu.tsx';
import { ellipsis, plus } from '../../parts/icons.ts';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import { texts } from '../../texts/editor.ts';
import { SvgPatcher } from '../canvas/svg-patcher.ts';
import { pagesOf } from '../core/document/hand-pages.ts';
import type { EditorParts } from '../core/open-editor.ts';
import type { Picture } from '../core/scene/compositor.ts';
import { currentPage, goToPage, orderPage, pageNames, pageRect } from '../core/state/page-actions.ts';
import { commandEntries } from '../panels/layer-menu.ts';
import './pages-bar.css';

/** ms without a change after which the thumbnails are drawn again. */
const PAUSE = 250;
/** px: a thumbnail and the gap beside it; and how far beyond the bar thumbnails are drawn. */
const [HEIGHT, GAP, BEYOND] = [64, 8, 400];
const PAGE_COMMANDS = ['page-duplicate', 'page-earlier', 'page-later', 'page-delete'] as const;

export function PagesBar({ parts, mayDesign }: { readonly parts: EditorParts; readonly mayDesign: boolean }) {
  const { editor, viewport, commands, renaming } = parts;
  const list = useRef<HTMLOListElement>(null);
  /** The part of the list that is seen, px. */
  const sight = useSignal({ from: 0, to: 2_000 });
  /** The page that is dragged, and the one before which it would be. */
  const drag = useSignal<{ readonly name: string; readonly before: number } | null>(null);
  const picture = editor.picture.value;
  const shown = editor.pageInSight.value;
  const count = picture?.pages.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with a new page there is another to scroll to.
  useEffect(() => {
    list.current?.children[shown]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown, count]);
  if (!picture || count === 0) return null;
  const names = pageNames(picture);
  const { width, height } = pageRect(picture, 0);
  const wide = Math.round(Math.min(120, Math.max(28, (HEIGHT * width) / height)));
  const current = currentPage(editor);
  const note = () => {
    const { scrollLeft: from, clientWidth } = list.current ?? { scrollLeft: 0, clientWidth: 2_000 };
    sight.value = { from, to: from + clientWidth };
  };
  const menu = (): MenuEntry[] => [
    {
      label: texts.value.design.renameDots,
      disabled: current === null,
      onSelect: () => setSignal(renaming, current),
    },
    ...commandEntries(commands, PAGE_COMMANDS),
  ];
  const drop = () => {
    if (!drag.value) return;
    const { name, before } = drag.value;
    drag.value = null;
    const others = pagesOf(editor.document.peek()).filter((page) => page.name !== name);
    const next = names.slice(before).find((one) => one !== null && one !== name);
    orderPage(editor, viewport, name, next ? others.findIndex((page) => page.name === next) : others.length);
  };
  return (
    <nav class="pages-bar" aria-label={texts.value.sections.pages}>
      <ol ref={list} class="pages-list" onScroll={note}>
        {names.map((name, i) => {
          const at = i * (wide + GAP);
          const isNear = at > sight.value.from - BEYOND && at < sight.value.to + BEYOND;
          const label = name ?? texts.value.design.pageNumbered(i + 1);
          const isTarget = drag.value?.before === i || (drag.value?.before === count && i === count - 1);
          return (
            <li
              key={name ?? `page ${i}`}
              class={isTarget ? (drag.value?.before === count ? 'is-after' : 'is-before') : ''}
              {...(name !== null && mayDesign && { draggable: true })}
              onDragStart={(event) => {
                if (name === null) return;
                event.dataTransfer?.setData('text/plain', name);
                drag.value = { name, before: i };
              }}
              onDragOver={(event) => {
                if (!drag.value) return;
                event.preventDefault();
                const { left, width } = event.currentTarget.getBoundingClientRect();
                drag.value = { ...drag.value, before: event.clientX < left + width / 2 ? i : i + 1 };
              }}
              onDrop={(event) => {
                event.preventDefault();
                drop();
              }}
              onDragEnd={() => setSignal(drag, null)}
            >
              <button
                type="button"
                class="page-thumb"
                aria-label={`${i + 1}: ${label}`}
                title={label}
                {...(i === shown && { 'aria-current': 'page' })}
                onClick={() => goToPage(editor, viewport, i)}
                {...(name !== null &&
                  mayDesign &&
                  contextMenu({
                    label,
                    entries: () => {
                      goToPage(editor, viewport, i);
                      return menu();
                    },
                  }))}
              >
                <span class="page-picture" style={{ width: `${wide}px`, height: `${HEIGHT}px` }}>
                  {isNear && <PagePicture picture={picture} index={i} />}
                </span>
                <span class="page-name truncate" style={{ maxWidth: `${wide}px` }}>
                  {name ?? i + 1}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {mayDesign && (
        <div class="pages-end">
          <IconButton
            icon={plus}
            label={texts.value.commands['page-add']}
            dense
            onClick={() => commands.find(({ id }) => id === 'page-add')?.run()}
          />
          {current !== null && (
            <Menu entries={menu()}>
              {(attributes) => (
                <IconButton {...attributes} icon={ellipsis} label={texts.value.design.pageNamed(current)} dense />
              )}
            </Menu>
          )}
        </div>
      )}
    </nav>
  );
}

/** What of a picture lies on one page, with ids of its own. */
function opsOn({ list, svg, fonts }: Picture, page: Rect, index: number): readonly string[] {
  return svg.flatMap((text, i) => {
    const op = list.ops[i];
    const bounds = op ? opBounds(op, fonts) : null;
    return bounds && rectsOverlap(bounds, page) ? [text.replace(/(\bid="|#)op-/g, `$1page-${index}-`)] : [];
  });
}

function PagePicture({ picture, index }: { readonly picture: Picture; readonly index: number }) {
  const root = useRef<SVGGElement>(null);
  const patcher = useRef<SvgPatcher | null>(null);
  const page = pageRect(picture, index);
  useEffect(() => {
    const draw = () => {
      if (!root.current) return;
      patcher.current ??= new SvgPatcher(root.current);
      patcher.current.patch(opsOn(picture, pageRect(picture, index), index));
    };
    const timer = setTimeout(draw, patcher.current ? PAUSE : 0);
    return () => clearTimeout(timer);
  }, [picture, index]);
  return (
    <svg viewBox={`0 ${page.y} ${page.width} ${page.height}`} aria-hidden="true">
      <g ref={root} />
    </svg>
  );
}
