// The editor of a template of layers: tree, canvas and inspector around one shared state.

import { signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { describeLayout } from '#core/layout/describe-layout.ts';
import { withSheetSize } from '#core/template/template.ts';
import { putOnClipboard } from '../parts/copy.ts';
import { deferred } from '../parts/deferred.tsx';
import { ErrorPanel } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { toast, toastError } from '../parts/toast.tsx';
import { accountPath } from '../shell/api.ts';
import { mayDo } from '../shell/session.ts';
import { onUploadsChanged } from '../shell/uploads-changed.ts';
import { texts } from '../texts/editor.ts';
import { Canvas } from './canvas/canvas.tsx';
import type { PointerInput } from './canvas/pointer.ts';
import { Viewport } from './canvas/viewport.ts';
import { DataBar } from './data/data-bar.tsx';
import { Designs } from './design/designs.ts';
import { isOwn } from './design/view.ts';
import type { RawDocument } from './document/document.ts';
import * as edits from './document/edits.ts';
import type { Embedding } from './embedding.ts';
import { dropFiles, insertImage, pasteText, splitSvg } from './insert-images.ts';
import { DesignPanel } from './inspector/design-panel.tsx';
import type { Unfinished } from './json/json-editor.ts';
import type { Opened } from './opened.ts';
import { ChangedElsewhere } from './panels/changed-elsewhere.tsx';
import { layerMenu } from './panels/layer-menu.ts';
import { previewPdf } from './panels/preview-pdf.ts';
import { Toolbar } from './panels/toolbar.tsx';
import { type ExactMode, TopBar } from './panels/top-bar.tsx';
import { Warnings } from './panels/warnings.tsx';
import { Compositor } from './scene/compositor.ts';
import { BrowserFonts } from './scene/fonts.ts';
import { BrowserImages } from './scene/images.ts';
import { fontSource, imageReader, materialSource } from './scene/server-sources.ts';
import * as actions from './state/actions.ts';
import { Autosave } from './state/autosave.ts';
import { layersAsText } from './state/clipboard.ts';
import { commandsOf } from './state/commands.ts';
import { EditorState } from './state/editor-state.ts';
import { Preferences } from './state/preferences.ts';
import { LayerTree } from './tree/layer-tree.tsx';
import { useKeys } from './use-keys.ts';

const PictureDialog = deferred(async () => (await import('../parts/picture-dialog.tsx')).PictureDialog);
const ImageLibrary = deferred(async () => (await import('./inspector/image-library.tsx')).ImageLibrary);
const ExactPixels = deferred(async () => (await import('./panels/exact-pixels.tsx')).ExactPixels);
const JsonPanel = deferred(async () => (await import('./json/json-panel.tsx')).JsonPanel);
const DataPanel = deferred(async () => (await import('./data/data-panel.tsx')).DataPanel);
const ViewsBar = deferred(async () => (await import('./design/views-bar.tsx')).ViewsBar);
const OtherSizes = deferred(async () => (await import('./design/other-sizes.tsx')).OtherSizes);
const Palette = deferred(async () => (await import('./panels/palette.tsx')).Palette);
const KeySheet = deferred(async () => (await import('./panels/palette.tsx')).KeySheet);

interface LayersEditorProps {
  readonly accountId: string;
  readonly templateId: string;
  readonly opened: Opened;
  /** Of the editor in another site's page; absent in the studio. */
  readonly embedding?: Embedding;
}

export function LayersEditor(props: LayersEditorProps) {
  const { accountId } = props;
  const [compositor, setCompositor] = useState<Compositor | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    const images = new BrowserImages(imageReader(accountId));
    const designs = new Designs(materialSource(accountId));
    BrowserFonts.open(fontSource(accountId)).then(
      (fonts) => setCompositor(new Compositor(fonts, images, designs)),
      setError,
    );
    return () => images.dispose();
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
  opened: asStored,
  embedding,
  compositor,
}: LayersEditorProps & { readonly compositor: Compositor }) {
  const opened = useMemo(() => {
    const saved = withSheetSize(asStored.saved);
    return { ...asStored, saved, document: asStored.document === asStored.saved ? saved : asStored.document };
  }, [asStored]);
  const editor = useMemo(() => {
    const state = new EditorState(opened.document, compositor, new Preferences(templateId), embedding?.limits);
    state.values.value = opened.values;
    return state;
  }, [opened, compositor, templateId, embedding]);
  const viewport = useMemo(() => new Viewport(), []);
  const mayEdit = embedding !== undefined || mayDo(accountId, 'editor');
  const isSaved = embedding?.isSaved ?? mayEdit;
  const autosave = useMemo(() => {
    const edited = { document: editor.stored, replace: (document: RawDocument) => editor.replace(document) };
    return new Autosave(accountId, templateId, edited, opened.draft, opened.saved, isSaved, withSheetSize);
  }, [accountId, templateId, editor, opened, isSaved]);
  const input = useRef<PointerInput | null>(null);
  const renaming = useMemo(() => signal<string | null>(null), []);
  const right = useSignal<RightTab>(Object.keys(opened.values).length > 0 ? 'data' : 'design');
  const left = useSignal<LeftTab>('layers');
  const shown = useSignal<'palette' | 'sheet' | null>(null);
  const exact = useSignal<ExactMode>('off');
  const unfinishedJson = useSignal<Unfinished | null>(null);
  const publishing = useSignal(false);
  const downloading = useSignal(false);
  const isPreviewing = useSignal(false);

  useEffect(() => {
    editor.composeNow();
    embedding?.opened({ accountId, editor, viewport, autosave });
    // For measurements and tests, which inspect the page's state.
    (globalThis as { platenEditor?: unknown }).platenEditor = {
      editor,
      viewport,
      autosave,
      describeLayout,
      edits,
      Compositor,
    };
    return () => autosave.dispose();
  }, [accountId, editor, viewport, autosave, embedding]);

  const commands = useMemo(
    () =>
      commandsOf({
        editor,
        viewport,
        save: () => void autosave.flush(),
        publish: () => {
          if (mayEdit && !embedding) publishing.value = true;
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
        cut: () => void cut(editor),
        paste: (at) => void paste(accountId, editor, at),
        splitSvg: (name) => void splitSvg(accountId, editor, name),
        makeComponent: () => {
          import('./design/make-component.ts')
            .then(({ makeComponent }) => makeComponent(accountId, editor))
            .then(({ name }) => toast(texts.value.editor.componentMade(name)), toastError);
        },
        toggleExact: () => {
          exact.value = exact.value === 'off' ? 'exact' : 'off';
        },
        previewPdf: () => void previewPdf(accountId, editor),
        download: () => {
          downloading.value = true;
        },
      }),
    [editor, viewport, autosave, mayEdit, embedding, accountId, shown, exact, publishing, downloading, left, renaming],
  );

  useKeys(accountId, editor, commands, input);
  useEffect(() => retryWhenBack(editor), [editor]);
  useEffect(() => onUploadsChanged(accountId, () => void editor.recheckUploads()), [accountId, editor]);

  useSignalEffect(() => {
    document.title = `${editor.name.value} · Platen Studio`;
  });

  // The same function for every render: a new one would cancel the request that it reports on.
  const onBusy = useCallback(
    (isBusy: boolean) => {
      isPreviewing.value = isBusy;
    },
    [isPreviewing],
  );
  const menu = (at: { readonly x: number; readonly y: number } | null) =>
    layerMenu(editor, commands, at, (to) => void paste(accountId, editor, to));
  const hasViews = useComputed(() => {
    const { sizes, texts } = editor.stored.value;
    return sizes !== undefined || texts !== undefined || !isOwn(editor.view.value);
  }).value;
  const mayDesign = embedding?.limits.mayDesign ?? true;
  const parts = { accountId, editor, viewport, autosave };
  const faceAddress = useCallback((id: string) => accountPath(accountId, 'fonts', 'faces', id), [accountId]);
  return (
    <div class={mayDesign ? 'editor' : 'editor is-content'}>
      {embedding ? (
        <embedding.Bar {...parts} />
      ) : (
        <TopBar
          {...{ accountId, templateId, editor, viewport, autosave, commands, mayEdit, exact, publishing, downloading }}
          isPreviewing={isPreviewing.value}
        />
      )}
      {!embedding && <ChangedElsewhere autosave={autosave} accountId={accountId} />}
      <div class="editor-body">
        {mayDesign && (
          <aside class="left-panel" aria-label={texts.value.editor.layersAndPictures}>
            <Toolbar editor={editor} />
            {/* The account's images are for its own people. */}
            {!embedding && (
              <Tabs
                label={texts.value.editor.leftPanel}
                dense
                current={left.value}
                tabs={[
                  { name: 'layers', label: texts.value.common.layers },
                  { name: 'images', label: texts.value.editor.pictures },
                ]}
                onChoose={(name) => {
                  left.value = name;
                }}
              />
            )}
            {left.value === 'layers' ? (
              <LayerTree editor={editor} renaming={renaming} menu={() => menu(null)} />
            ) : (
              <div class="left-images">
                <ImageLibrary accountId={accountId} onChoose={(id) => insertImage(editor, id, null)} />
              </div>
            )}
          </aside>
        )}
        <main class="editor-middle">
          <DataBar editor={editor} />
          {hasViews && <ViewsBar editor={editor} viewport={viewport} />}
          <Canvas
            editor={editor}
            viewport={viewport}
            onInput={(made) => {
              input.current = made;
            }}
            faceAddress={faceAddress}
            menu={menu}
            onDropFiles={(files, at) => void dropFiles(accountId, editor, files, at)}
          >
            {hasViews && editor.preferences.showSizes.value && <OtherSizes editor={editor} viewport={viewport} />}
            {exact.value !== 'off' && (
              <ExactPixels {...{ accountId, editor, viewport, onBusy }} isDifference={exact.value === 'difference'} />
            )}
          </Canvas>
          <Warnings editor={editor} />
        </main>
        <aside
          class={right.value === 'json' ? 'inspector is-wide' : 'inspector'}
          aria-label={texts.value.editor.inspector}
        >
          {mayDesign ? (
            <>
              <Tabs
                label={texts.value.editor.inspector}
                dense
                current={right.value}
                tabs={[
                  { name: 'design', label: texts.value.editor.design },
                  { name: 'data', label: texts.value.editor.data },
                  { name: 'json', label: unfinishedJson.value ? texts.value.editor.jsonNotApplied : 'JSON' },
                ]}
                onChoose={(name) => {
                  right.value = name;
                }}
              />
              {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the fields inside. */}
              <div class={right.value === 'json' ? 'inspector-body is-json' : 'inspector-body'} onKeyDown={leaveField}>
                {right.value === 'design' ? (
                  <DesignPanel editor={editor} viewport={viewport} accountId={accountId} faceAddress={faceAddress} />
                ) : right.value === 'data' ? (
                  <DataPanel editor={editor} accountId={accountId} />
                ) : (
                  <JsonPanel editor={editor} unfinished={unfinishedJson} />
                )}
              </div>
            </>
          ) : (
            <div class="inspector-body">{embedding && <embedding.ContentPanel {...parts} />}</div>
          )}
        </aside>
      </div>
      {!embedding && editor.choosingPicture.value !== null && (
        <PictureDialog
          accountId={accountId}
          label={`“${editor.choosingPicture.value}”`}
          mayUpload={mayEdit}
          onChoose={(source) => choosePicture(editor, source)}
          onClose={() => {
            editor.choosingPicture.value = null;
          }}
        />
      )}
      {shown.value === 'palette' && <Palette editor={editor} commands={commands} onClose={() => close(shown)} />}
      {shown.value === 'sheet' && <KeySheet commands={commands} onClose={() => close(shown)} />}
    </div>
  );
}

/** Tries failed pictures again when the user returns to the page, or the network to the browser. */
function retryWhenBack(editor: EditorState): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const onReturn = () => {
    if (document.visibilityState === 'visible') editor.retryPictures();
  };
  addEventListener('focus', onReturn, { signal });
  document.addEventListener('visibilitychange', onReturn, { signal });
  // What failed without a network has not failed at the server, so no pause is due.
  addEventListener('online', () => editor.retryPictures(editor.compositor.images.failing), { signal });
  return () => listening.abort();
}

/** Enter commits a field and gives the keys back to the canvas. */
function leaveField(event: KeyboardEvent): void {
  const { target } = event;
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (event.defaultPrevented || !isField || !leaves(event, target)) return;
  // Or the key would go on to the text, which has the focus below.
  event.preventDefault();
  target.blur();
  target.closest<HTMLElement>('[popover]')?.hidePopover();
  // To the text if one is being edited: on the canvas, Delete would delete its layer.
  const keys = document.querySelector<HTMLElement>('.text-editor') ?? document.querySelector<HTMLElement>('.canvas');
  keys?.focus({ preventScroll: true });
}

/** Whether a key ends a field. In one of several lines Enter begins another, where these are rare only with Shift. */
function leaves({ key, shiftKey }: KeyboardEvent, field: HTMLInputElement | HTMLTextAreaElement): boolean {
  if (field instanceof HTMLInputElement) return key === 'Enter';
  return key === 'Escape' || (key === 'Enter' && field.dataset.lines === 'rare' && !shiftKey);
}

/** Gives the picture to the layer for which it was chosen. */
function choosePicture(editor: EditorState, src: string): void {
  const name = editor.choosingPicture.peek();
  if (name !== null) editor.edit(edits.setLayer(name, { src }));
  editor.retryPictures([src]);
  editor.choosingPicture.value = null;
}

function close(shown: { value: 'palette' | 'sheet' | null }): void {
  shown.value = null;
}

/** @returns whether the layers are on the clipboard */
async function copy(editor: EditorState): Promise<boolean> {
  const names = editor.selection.peek();
  if (names.length === 0) return false;
  const isDone = await putOnClipboard(layersAsText(editor.document.peek(), names));
  if (!isDone) toast(texts.value.editor.copyingBlocked, { tone: 'bad' });
  return isDone;
}

async function cut(editor: EditorState): Promise<void> {
  // Read first, because the browser may ask the user before it answers.
  const names = editor.movable();
  if (await copy(editor)) actions.remove(editor, names);
}

async function paste(
  accountId: string,
  editor: EditorState,
  at: { readonly x: number; readonly y: number } | null,
): Promise<void> {
  try {
    await pasteText(accountId, editor, await navigator.clipboard.readText(), at);
  } catch {
    toast(texts.value.editor.pastingBlocked);
  }
}
