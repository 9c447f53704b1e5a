// Opens a template in an editor: its state, its pointer and its keys, its commands, and how it is saved. Views are added by what
// is around it; a page may have several editors, and a test has one without a page.

import { effect, type Signal, signal } from '@preact/signals';
import type { Point } from '#core/geometry.ts';
import { texts } from '../../texts/editor.ts';
import type { Clock } from './clock.ts';
import { inPixels } from './document/parse-document.ts';
import { Viewport } from './geometry/viewport.ts';
import { type Marks, NO_MARKS } from './gestures/gesture.ts';
import { PointerInput } from './gestures/pointer.ts';
import type { EditLimits, EditorHost, Opened } from './host.ts';
import { KeyInput } from './keys.ts';
import type { Compositor } from './scene/compositor.ts';
import * as actions from './state/actions.ts';
import { Autosave } from './state/autosave.ts';
import { layersAsText } from './state/clipboard.ts';
import { type Command, commandsOf } from './state/commands.ts';
import { EditorState } from './state/editor-state.ts';
import type { LibraryPart } from './state/mode.ts';
import { pageAt } from './state/page-actions.ts';
import { Preferences } from './state/preferences.ts';

/** What is shown above the canvas: nothing, the exact picture, or the difference from it. */
type ExactMode = 'off' | 'exact' | 'difference';

export interface EditorParts {
  readonly editor: EditorState;
  readonly viewport: Viewport;
  readonly autosave: Autosave;
  readonly commands: readonly Command[];
  readonly pointer: PointerInput;
  readonly keys: KeyInput;
  /** Shown over the canvas during a gesture. */
  readonly marks: Signal<Marks>;
  readonly exact: Signal<ExactMode>;
  readonly isPreviewing: Signal<boolean>;
  /** The list of commands or of keys that is open. */
  readonly shown: Signal<'palette' | 'sheet' | null>;
  /** The layer whose name is typed in the tree. */
  readonly renaming: Signal<string | null>;
  /** The part of the library that is at the left, instead of the layers; null = the layers are. */
  readonly library: Signal<LibraryPart | null>;
  paste(at: Point | null): Promise<void>;
}

/** What only a page can do. */
export interface EditorPage {
  /** @returns whether the text is on the clipboard */
  writeClipboard(text: string): Promise<boolean>;
  /** @throws Error if the browser does not allow it */
  readClipboard(): Promise<string>;
  /** Inserts what was pasted: layers, an SVG, words. @param at canvas px; null = the middle of the canvas */
  insertText(editor: EditorState, text: string, at: Point | null): Promise<void>;
  splitSvg(editor: EditorState, name: string): Promise<void>;
  previewPdf(editor: EditorState): Promise<void>;
  /** Opens an address beside the editor. */
  open(address: string): void;
  /** Gives the focus to the next part of the editor, or the one before. */
  focusRegion(step: 1 | -1): void;
  /** Keys of a command as this system writes them, such as `⌘⇧Z`. */
  keysShown(keys: string): string;
}

export interface EditorOptions {
  readonly opened: Opened;
  readonly compositor: Compositor;
  readonly host: EditorHost;
  readonly clock: Clock;
  readonly page: EditorPage;
  readonly limits: EditLimits | null;
  /** Asks how to publish, and for the file to download; null: there is no such thing. */
  readonly publish: (() => void) | null;
  readonly download: (() => void) | null;
}

export function openEditor(options: EditorOptions): EditorParts {
  const { opened, compositor, host, clock, page, limits, publish, download } = options;
  const { kept } = host;
  const saved = inPixels(opened.saved);
  const document = opened.document === opened.saved ? saved : opened.document;
  const preferences = new Preferences(host.key, kept);
  const editor = new EditorState({ document, compositor, preferences, host, clock, limits });
  editor.values.value = opened.values;
  const viewport = new Viewport();
  const autosave = new Autosave({
    drafts: host.drafts,
    edited: { document: editor.stored, replace: (next) => editor.replace(next) },
    draft: opened.draft,
    saved,
    filled: inPixels,
    clock,
    kept,
  });
  const marks = signal<Marks>(NO_MARKS);
  const pointer = new PointerInput({ editor, viewport, marks });
  const exact = signal<ExactMode>('off');
  const shown = signal<'palette' | 'sheet' | null>(null);
  const renaming = signal<string | null>(null);
  const library = signal<LibraryPart | null>(null);

  effect(() => {
    const picture = editor.picture.value;
    const y = (viewport.size.value.height / 2 - viewport.offset.value.y) / viewport.zoom.value;
    editor.pageInSight.value = picture ? pageAt(picture, y) : 0;
  });
  const copy = async (): Promise<boolean> => {
    const names = editor.selection.peek();
    if (names.length === 0) return false;
    const isDone = await page.writeClipboard(layersAsText(editor.original(), names, editor.stored.peek()));
    if (!isDone) host.tell(texts.value.editor.copyingBlocked, { tone: 'bad' });
    return isDone;
  };
  const cut = async () => {
    // Read first, because the browser may ask the user before it answers.
    const names = editor.movable();
    if (await copy()) actions.remove(editor, names);
  };
  const paste = async (at: Point | null) => {
    try {
      await page.insertText(editor, await page.readClipboard(), at);
    } catch {
      host.tell(texts.value.editor.pastingBlocked(page.keysShown('Mod+V')));
    }
  };
  const component = async () => {
    try {
      const { makeComponent } = await import('./state/make-component.ts');
      const { name } = await makeComponent(editor);
      host.tell(texts.value.editor.componentMade(name));
    } catch (error) {
      host.tellError(error);
    }
  };
  const commands = commandsOf({
    ...{ editor, viewport, exact, shown, publish, download },
    save: () => void autosave.flush(),
    library,
    goToComponent: host.templates && ((id) => page.open(host.templates?.address(id) ?? '')),
    detach: (name) => void import('./state/library.ts').then((it) => it.detachComponent(editor, name)),
    makeComponent: host.templates && (() => void component()),
    rename: (name) => {
      renaming.value = name;
    },
    copy: () => void copy(),
    cut: () => void cut(),
    paste: (at) => void paste(at),
    splitSvg: (name) => void page.splitSvg(editor, name),
    previewPdf: () => void page.previewPdf(editor),
    focusRegion: (step) => page.focusRegion(step),
  });
  return {
    ...{ editor, viewport, autosave, commands, pointer, marks, exact, shown, renaming, library, paste },
    keys: new KeyInput(editor, pointer, commands),
    isPreviewing: signal(false),
  };
}
