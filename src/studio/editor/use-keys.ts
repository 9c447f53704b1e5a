// Tells the editor of key presses and pastes anywhere in its page, except in a dialog, and where the focus is then.

import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { keysOf, rootOf } from '../parts/ui-root.ts';
import { keysIn } from './browser.ts';
import type { Focus } from './core/keys.ts';
import type { EditorParts } from './core/open-editor.ts';
import { dropFiles, pasteText } from './insert-images.ts';

/** @param place the editor's element */
export function useKeys({ editor, keys }: EditorParts, place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!place.current) return;
    const root = rootOf(place.current);
    // Messages are a popover too, which takes no keys.
    const inDialog = () => root.querySelector('dialog[open], [popover="auto"]:popover-open') !== null;
    const down = (event: KeyboardEvent) => {
      if (event.defaultPrevented || inDialog()) return;
      const press = { ...keysIn(event), key: event.key, code: event.code };
      const hasWords = getSelection()?.toString() !== '';
      if (keys.down(press, focusOf(event.target), hasWords)) event.preventDefault();
    };
    const up = (event: KeyboardEvent) => keys.up(event);
    const onPaste = (event: ClipboardEvent) => {
      if (focusOf(event.target) === 'field' || inDialog()) return;
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) void dropFiles(editor, files, null);
      else void pasteText(editor, event.clipboardData?.getData('text/plain') ?? '', null);
      event.preventDefault();
    };
    // Text typed into a field belongs to the layer selected then, so it is committed before the selection changes.
    const commitTyped = (event: PointerEvent) => {
      const field = root.activeElement;
      const isLeft = field instanceof HTMLElement && event.target instanceof Node && !field.contains(event.target);
      if (isLeft && focusOf(field) === 'field' && field.closest('.inspector')) field.blur();
    };
    const heard = keysOf(place.current);
    const ending = new AbortController();
    const { signal } = ending;
    heard.addEventListener('pointerdown', commitTyped as EventListener, { capture: true, signal });
    heard.addEventListener('keydown', down as EventListener, { signal });
    heard.addEventListener('keyup', up as EventListener, { signal });
    heard.addEventListener('paste', onPaste as EventListener, { signal });
    return () => ending.abort();
  }, [keys, editor, place]);
}

function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof HTMLElement)) return 'elsewhere';
  if (target.matches('[type="radio"], [role="tab"]')) return 'choice';
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.shadowRoot) return 'field';
  if (target.closest('button, a, summary, label')) return 'control';
  return target.closest('.canvas') ? 'canvas' : 'elsewhere';
}

/** The regions of the editor in F6 order. */
const REGIONS = ['.canvas', '.inspector', '.top-bar', '.left-panel'];

/** Gives the focus to the next region of the editor, or the one before. */
export function focusRegion(editor: HTMLElement, step: 1 | -1): void {
  const at = REGIONS.findIndex((region) => rootOf(editor).activeElement?.closest(region));
  const region =
    REGIONS[(Math.max(at, at < 0 && step > 0 ? -1 : 0) + step + REGIONS.length) % REGIONS.length] ?? '.canvas';
  const first =
    region === '.canvas'
      ? region
      : `${region} :is(a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"])`;
  editor.querySelector<HTMLElement>(first)?.focus();
}
