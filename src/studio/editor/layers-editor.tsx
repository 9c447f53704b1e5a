// The editor of a template of layers: tree, canvas and inspector around one state.

import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { describeLayout } from '#core/layout/describe-layout.ts';
import { ErrorPanel } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { toast, toastError } from '../parts/toast.tsx';
import { accountPath } from '../shell/api.ts';
import { mayDo } from '../shell/session.ts';
import { Canvas } from './canvas/canvas.tsx';
import type { PointerInput } from './canvas/pointer.ts';
import { Viewport } from './canvas/viewport.ts';
import { DataPanel } from './data/data-panel.tsx';
import { findLayer } from './document/document.ts';
import * as edits from './document/edits.ts';
import type { Opened } from './editor.tsx';
import { DesignPanel } from './inspector/design-panel.tsx';
import { ImageLibrary, uploadImage } from './inspector/image-field.tsx';
import { JsonPanel } from './json/json-panel.tsx';
import { ChangedElsewhere } from './panels/changed-elsewhere.tsx';
import { drawOnServer, ExactPixels } from './panels/exact-pixels.tsx';
import { KeySheet, Palette } from './panels/palette.tsx';
import { Toolbar } from './panels/toolbar.tsx';
import { type ExactMode, TopBar } from './panels/top-bar.tsx';
import { Warnings } from './panels/warnings.tsx';
import { Compositor } from './scene/compositor.ts';
import { BrowserFonts } from './scene/fonts.ts';
import { BrowserImages } from './scene/images.ts';
import { fontSource, imageReader } from './scene/server-sources.ts';
import * as actions from './state/actions.ts';
import { Autosave } from './state/autosave.ts';
import { layersAsText, layersFromText } from './state/clipboard.ts';
import { commandFor, commandsOf } from './state/commands.ts';
import { EditorState } from './state/editor-state.ts';
import { Preferences } from './state/preferences.ts';
import { LayerTree } from './tree/layer-tree.tsx';

interface LayersEditorProps {
  readonly accountId: string;
  readonly templateId: string;
  readonly opened: Opened;
}

export function LayersEditor(props: LayersEditorProps) {
  const { accountId } = props;
  const [compositor, setCompositor] = useState<Compositor | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    BrowserFonts.open(fontSource(accountId)).then(
      (fonts) => setCompositor(new Compositor(fonts, new BrowserImages(imageReader(accountId)))),
      setError,
    );
  }, [accountId]);
  if (error)
    return (
      <main class="lone">
        <ErrorPanel error={error} onRetry={() => location.reload()} />
      </main>
    );
  if (!compositor) return <div class="editor is-loading" />;
  return <OpenEditor {...props} compositor={compositor} />;
}

type RightTab = 'design' | 'data' | 'json';
type LeftTab = 'layers' | 'images';

function OpenEditor({
  accountId,
  templateId,
  opened,
  compositor,
}: LayersEditorProps & { readonly compositor: Compositor }) {
  const editor = useMemo(() => {
    const state = new EditorState(opened.document, compositor, new Preferences(templateId));
    state.values.value = opened.values;
    return state;
  }, [opened, compositor, templateId]);
  const viewport = useMemo(() => new Viewport(), []);
  const mayEdit = mayDo(accountId, 'editor');
  const autosave = useMemo(
    () => new Autosave(accountId, templateId, editor, opened.draft, opened.saved, mayEdit),
    [accountId, templateId, editor, opened, mayEdit],
  );
  const input = useRef<PointerInput | null>(null);
  const renaming = useMemo(() => signal<string | null>(null), []);
  const right = useSignal<RightTab>(Object.keys(opened.values).length > 0 ? 'data' : 'design');
  const left = useSignal<LeftTab>('layers');
  const shown = useSignal<'palette' | 'sheet' | null>(null);
  const exact = useSignal<ExactMode>('off');
  const publishing = useSignal(false);
  const isPreviewing = useSignal(false);

  useEffect(() => {
    editor.composeNow();
    // For measurements and tests, which look at what the page holds.
    (globalThis as { platenEditor?: unknown }).platenEditor = {
      editor,
      viewport,
      autosave,
      describeLayout,
      edits,
      Compositor,
    };
    const flush = () => void autosave.flush();
    const onHide = () => {
      if (document.visibilityState === 'hidden') flush();
    };
    document.addEventListener('visibilitychange', onHide);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      autosave.dispose();
    };
  }, [editor, viewport, autosave]);

  const commands = useMemo(
    () =>
      commandsOf({
        editor,
        viewport,
        save: () => void autosave.flush(),
        publish: () => {
          if (mayEdit) publishing.value = true;
        },
        showSheet: () => {
          shown.value = 'sheet';
        },
        showPalette: () => {
          shown.value = 'palette';
        },
        rename: (name) => {
          left.value = 'layers';
          renaming.value = name;
        },
        copy: () => void copy(editor),
        cut: () => void copy(editor).then(() => actions.remove(editor)),
        paste: (at) => void paste(editor, at),
        toggleExact: () => {
          exact.value = exact.value === 'off' ? 'exact' : 'off';
        },
        previewPdf: () => previewPdf(accountId, editor),
      }),
    [editor, viewport, autosave, mayEdit, accountId, shown, exact, publishing, left, renaming],
  );

  useEffect(() => {
    const isTyping = (target: EventTarget | null) =>
      target instanceof HTMLElement &&
      (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.shadowRoot !== null);
    const inDialog = () => document.querySelector('dialog[open], [popover]:popover-open') !== null;
    const down = (event: KeyboardEvent) => {
      if (event.defaultPrevented || inDialog()) return;
      if (event.key === 'Escape' && input.current?.cancel()) return;
      const command = commandFor(event, commands);
      const isCommandOfFields =
        isTyping(event.target) && !/^(save|palette|publish|region(-back)?)$/.test(command?.id ?? '');
      if (isCommandOfFields) return;
      if (event.code === 'Space') {
        if (event.target instanceof HTMLElement && event.target.closest('button, a, summary, label')) return;
        event.preventDefault();
        input.current?.setSpace(true);
        return;
      }
      if (!command) return;
      // Tab goes through the layers on the canvas only; elsewhere it goes through the page.
      const onCanvas = event.target instanceof HTMLElement && event.target.closest('.canvas') !== null;
      if (/^(next|previous|enter|parent)$/.test(command.id) && !onCanvas) return;
      if (command.id === 'insert' && event.target instanceof Element && event.target.closest('button, a, summary'))
        return;
      if (/^(copy|cut)$/.test(command.id) && getSelection()?.toString()) return;
      if (command.id === 'tool-select' && event.key === 'Escape') leave(editor);
      if (!(command.isOn?.() ?? true)) return;
      if (command.id === 'paste') return;
      event.preventDefault();
      command.run();
    };
    const up = (event: KeyboardEvent) => {
      if (event.code === 'Space') input.current?.setSpace(false);
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || inDialog()) return;
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) void dropFiles(accountId, editor, files, null);
      else actions.paste(editor, layersFromText(event.clipboardData?.getData('text/plain') ?? ''), null);
      event.preventDefault();
    };
    // What was typed into a field is of the layer that was selected then, so it is taken before another is.
    const commitTyped = (event: PointerEvent) => {
      const field = document.activeElement;
      const isLeft = field instanceof HTMLElement && event.target instanceof Node && !field.contains(event.target);
      if (isLeft && isTyping(field) && field.closest('.inspector')) field.blur();
    };
    addEventListener('pointerdown', commitTyped, true);
    addEventListener('keydown', down);
    addEventListener('keyup', up);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('pointerdown', commitTyped, true);
      removeEventListener('keydown', down);
      removeEventListener('keyup', up);
      removeEventListener('paste', onPaste);
    };
  }, [commands, editor, accountId]);

  useSignalEffect(() => {
    document.title = `${editor.name.value} · Platen Studio`;
  });

  // The same function at each drawing: another would end the request that it tells of.
  const onBusy = useCallback(
    (isBusy: boolean) => {
      isPreviewing.value = isBusy;
    },
    [isPreviewing],
  );
  const faceAddress = useCallback((id: string) => accountPath(accountId, 'fonts', 'faces', id), [accountId]);
  return (
    <div class="editor">
      <TopBar
        {...{ accountId, templateId, editor, viewport, autosave, commands, mayEdit, exact, publishing }}
        isPreviewing={isPreviewing.value}
      />
      <ChangedElsewhere autosave={autosave} accountId={accountId} />
      <div class="editor-body">
        <aside class="left-panel" aria-label="Layers and pictures">
          <Toolbar editor={editor} />
          <Tabs
            label="Left panel"
            dense
            current={left.value}
            tabs={[
              { name: 'layers', label: 'Layers' },
              { name: 'images', label: 'Pictures' },
            ]}
            onChoose={(name) => {
              left.value = name;
            }}
          />
          {left.value === 'layers' ? (
            <LayerTree editor={editor} renaming={renaming} />
          ) : (
            <div class="left-images">
              <ImageLibrary accountId={accountId} onChoose={(id) => insertImage(editor, id, null)} />
            </div>
          )}
        </aside>
        <main class="editor-middle">
          <Canvas
            editor={editor}
            viewport={viewport}
            onInput={(made) => {
              input.current = made;
            }}
            onDropFiles={(files, at) => void dropFiles(accountId, editor, files, at)}
          >
            <ExactPixels accountId={accountId} editor={editor} viewport={viewport} mode={exact.value} onBusy={onBusy} />
          </Canvas>
          <Warnings editor={editor} />
        </main>
        <aside class={right.value === 'json' ? 'inspector is-wide' : 'inspector'} aria-label="Inspector">
          <Tabs
            label="Inspector"
            dense
            current={right.value}
            tabs={[
              { name: 'design', label: 'Design' },
              { name: 'data', label: 'Data' },
              { name: 'json', label: 'JSON' },
            ]}
            onChoose={(name) => {
              right.value = name;
            }}
          />
          <div class={right.value === 'json' ? 'inspector-body is-json' : 'inspector-body'}>
            {right.value === 'design' ? (
              <DesignPanel editor={editor} accountId={accountId} faceAddress={faceAddress} />
            ) : right.value === 'data' ? (
              <DataPanel editor={editor} />
            ) : (
              <JsonPanel editor={editor} />
            )}
          </div>
        </aside>
      </div>
      {shown.value === 'palette' && <Palette editor={editor} commands={commands} onClose={() => close(shown)} />}
      {shown.value === 'sheet' && <KeySheet commands={commands} onClose={() => close(shown)} />}
    </div>
  );
}

function close(shown: { value: 'palette' | 'sheet' | null }): void {
  shown.value = null;
}

/** Escape goes out of a frame, then lets go of what is selected. */
function leave(editor: EditorState): void {
  if (editor.tool.peek() !== 'select') return;
  actions.selectParent(editor);
}

async function copy(editor: EditorState): Promise<void> {
  const names = editor.selection.peek();
  if (names.length === 0) return;
  await navigator.clipboard.writeText(layersAsText(editor.document.peek(), names)).catch(() => {
    toast('This browser does not let the page copy here. Use the JSON tab instead.', { tone: 'bad' });
  });
}

async function paste(editor: EditorState, at: { readonly x: number; readonly y: number } | null): Promise<void> {
  try {
    actions.paste(editor, layersFromText(await navigator.clipboard.readText()), at);
  } catch {
    toast('Press Ctrl+V to paste: this browser hides the clipboard from buttons.');
  }
}

/** The largest side that a dropped picture begins with, as a share of the canvas. */
const SHARE = 0.5;

function insertImage(
  editor: EditorState,
  id: string,
  at: { readonly x: number; readonly y: number } | null,
  natural?: { readonly width: number; readonly height: number },
): void {
  const { width, height } = editor.document.peek();
  const size = natural ?? { width: 320, height: 240 };
  const scale = Math.min(1, (width * SHARE) / size.width, (height * SHARE) / size.height);
  const box = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
  const centre = at ?? { x: width / 2, y: height / 2 };
  const corner = { x: Math.round(centre.x - box.width / 2), y: Math.round(centre.y - box.height / 2) };
  // Where it was dropped, also where that is in the selected frame, whose coordinates are others.
  actions.paste(editor, [{ type: 'image', name: 'image', x: 0, y: 0, ...box, src: id }], corner);
}

/** Onto a selected picture, which shows the file from then on; else as a new layer. */
async function dropFiles(
  accountId: string,
  editor: EditorState,
  files: readonly File[],
  at: { readonly x: number; readonly y: number } | null,
): Promise<void> {
  for (const file of files) {
    if (!file.type.startsWith('image/')) {
      toast(`${file.name} is no picture.`, { tone: 'bad' });
      continue;
    }
    try {
      const { id, width, height } = await uploadImage(accountId, file);
      const [selected] = editor.selection.peek();
      const target = selected === undefined ? null : findLayer(editor.document.peek(), selected);
      if (target?.type === 'image' && files.length === 1) actions.setProperty(editor, target.name, { src: id });
      else insertImage(editor, id, at, { width: width ?? 400, height: height ?? 400 });
    } catch (error) {
      toastError(error);
    }
  }
}

function previewPdf(accountId: string, editor: EditorState): void {
  // Opened at once, as browsers let a press of a button open a window and a later answer not.
  const opened = window.open('', '_blank');
  drawOnServer(accountId, editor.document.peek(), editor.values.peek(), 'pdf').then(
    (blob) => {
      const address = URL.createObjectURL(blob);
      if (opened) opened.location.href = address;
      else location.assign(address);
    },
    (error: unknown) => {
      opened?.close();
      toastError(error);
    },
  );
}
