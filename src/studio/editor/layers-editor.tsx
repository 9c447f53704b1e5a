// The editor of a template of layers: tree, canvas and inspector around one shared state. Its host and its surroundings
// are given.

import { signal, useComputed, useSignal } from '@preact/signals';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { putOnClipboard } from '../parts/copy.ts';
import { deferred } from '../parts/deferred.tsx';
import { ErrorPanel } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { toast, toastError } from '../parts/toast.tsx';
import { ui } from '../parts/ui-root.ts';
import { texts } from '../texts/editor.ts';
import { Canvas } from './canvas/canvas.tsx';
import type { PointerInput } from './canvas/pointer.ts';
import { Viewport } from './canvas/viewport.ts';
import { DataBar } from './data/data-bar.tsx';
import { Designs } from './design/designs.ts';
import { isOwn } from './design/view.ts';
import type { RawDocument } from './document/document.ts';
import { inPixels } from './document/in-pixels.ts';
import type { EditorHost } from './host.ts';
import { dropFiles, insertImage, pasteText, splitSvg } from './insert-images.ts';
import type { Unfinished } from './json/json-editor.ts';
import type { Opened } from './opened.ts';
import { layerMenu } from './panels/layer-menu.ts';
import { previewPdf } from './panels/preview-pdf.ts';
import { Toolbar } from './panels/toolbar.tsx';
import { Warnings } from './panels/warnings.tsx';
import { Compositor } from './scene/compositor.ts';
import { BrowserFonts } from './scene/fonts.ts';
import { BrowserImages } from './scene/images.ts';
import * as actions from './state/actions.ts';
import { Autosave } from './state/autosave.ts';
import { layersAsText } from './state/clipboard.ts';
import { commandsOf, keysShown } from './state/commands.ts';
import { EditorState } from './state/editor-state.ts';
import { Preferences } from './state/preferences.ts';
import type { ExactMode, Surroundings } from './surroundings.ts';
import { useKeys } from './use-keys.ts';

const DesignPanel = deferred(async () => (await import('./inspector/design-panel.tsx')).DesignPanel);
const ImageLibrary = deferred(async () => (await import('./inspector/image-library.tsx')).ImageLibrary);
const ExactPixels = deferred(async () => (await import('./panels/exact-pixels.tsx')).ExactPixels);
const JsonPanel = deferred(async () => (await import('./json/json-panel.tsx')).JsonPanel);
const DataPanel = deferred(async () => (await import('./data/data-panel.tsx')).DataPanel);
const ViewsBar = deferred(async () => (await import('./design/views-bar.tsx')).ViewsBar);
const OtherSizes = deferred(async () => (await import('./design/other-sizes.tsx')).OtherSizes);
const Palette = deferred(async () => (await import('./panels/palette.tsx')).Palette);
const LayerTree = deferred(async () => (await import('./tree/layer-tree.tsx')).LayerTree);
const KeySheet = deferred(async () => (await import('./panels/palette.tsx')).KeySheet);

interface LayersEditorProps {
  readonly host: EditorHost;
  readonly opened: Opened;
  readonly surroundings: Surroundings;
}

export function LayersEditor(props: LayersEditorProps) {
  const { host } = props;
  const [compositor, setCompositor] = useState<Compositor | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks for another try.
  useEffect(() => {
    setError(null);
    const images = new BrowserImages(host.readImage);
    const designs = new Designs(host.materials);
    BrowserFonts.open(host.fonts).then((fonts) => setCompositor(new Compositor(fonts, images, designs)), setError);
    return () => images.dispose();
  }, [host, round]);
  if (error)
    return (
      <main class="lone">
        <ErrorPanel error={error} onRetry={() => setRound(round + 1)} />
      </main>
    );
  if (!compositor) return <div class="editor is-loading" />;
  return <OpenEditor {...props} compositor={compositor} />;
}

type RightTab = 'design' | 'data' | 'json';
type LeftTab = 'layers' | 'images';

function OpenEditor({
  host,
  opened: asStored,
  surroundings,
  compositor,
}: LayersEditorProps & { readonly compositor: Compositor }) {
  const opened = useMemo(() => {
    const saved = inPixels(asStored.saved);
    return { ...asStored, saved, document: asStored.document === asStored.saved ? saved : asStored.document };
  }, [asStored]);
  const editor = useMemo(() => {
    const state = new EditorState(opened.document, compositor, new Preferences(host.key), host, surroundings.limits);
    state.values.value = opened.values;
    return state;
  }, [opened, compositor, host, surroundings]);
  const viewport = useMemo(() => new Viewport(), []);
  const autosave = useMemo(() => {
    const edited = { document: editor.stored, replace: (document: RawDocument) => editor.replace(document) };
    return new Autosave(host.drafts, edited, opened.draft, opened.saved, inPixels);
  }, [host, editor, opened]);
  const input = useRef<PointerInput | null>(null);
  const renaming = useMemo(() => signal<string | null>(null), []);
  const right = useSignal<RightTab>(Object.keys(opened.values).length > 0 ? 'data' : 'design');
  const left = useSignal<LeftTab>('layers');
  const shown = useSignal<'palette' | 'sheet' | null>(null);
  const exact = useSignal<ExactMode>('off');
  const unfinishedJson = useSignal<Unfinished | null>(null);
  const isPreviewing = useSignal(false);

  const commands = useMemo(
    () =>
      commandsOf({
        editor,
        viewport,
        save: () => void autosave.flush(),
        publish: surroundings.publish,
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
        paste: (at) => void paste(editor, at),
        splitSvg: (name) => void splitSvg(editor, name),
        makeComponent: host.templates && (() => makeComponent(editor)),
        toggleExact: () => {
          exact.value = exact.value === 'off' ? 'exact' : 'off';
        },
        previewPdf: () => void previewPdf(editor),
        download: surroundings.download,
      }),
    [editor, viewport, autosave, host, surroundings, shown, exact, left, renaming],
  );

  const parts = useMemo(
    () => ({ editor, viewport, autosave, commands, exact, isPreviewing }),
    [editor, viewport, autosave, commands, exact, isPreviewing],
  );
  useEffect(() => {
    editor.composeNow();
    const end = surroundings.opened(parts);
    return () => {
      end();
      autosave.dispose();
    };
  }, [editor, autosave, surroundings, parts]);

  useKeys(editor, commands, input);
  useEffect(() => retryWhenBack(editor), [editor]);
  useEffect(() => host.pictures.onChanged(() => void editor.recheckUploads()), [host, editor]);

  // The same function for every render: a new one would cancel the request that it reports on.
  const onBusy = useCallback(
    (isBusy: boolean) => {
      isPreviewing.value = isBusy;
    },
    [isPreviewing],
  );
  const menu = (at: { readonly x: number; readonly y: number } | null) =>
    layerMenu(editor, commands, at, (to) => void paste(editor, to));
  const hasViews = useComputed(() => {
    const { sizes, texts } = editor.stored.value;
    return sizes !== undefined || texts !== undefined || !isOwn(editor.view.value);
  }).value;
  const mayDesign = surroundings.limits?.mayDesign ?? true;
  const { list, upload } = host.pictures;
  const { Bar, ContentPanel, landmark: Landmark } = surroundings;
  return (
    <div class={mayDesign ? 'editor' : 'editor is-content'}>
      <Bar {...parts} />
      <div class="editor-body">
        {mayDesign && (
          <aside class="left-panel" aria-label={texts.value.editor.layersAndPictures}>
            <Toolbar editor={editor} />
            {(list || upload) && (
              <Tabs
                label={texts.value.editor.leftPanel}
                dense
                current={left.value}
                tabs={[
                  { name: 'layers', label: texts.value.common.layers },
                  { name: 'images', label: texts.value.inspector.pictures },
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
                <ImageLibrary pictures={host.pictures} onChoose={(src) => insertImage(editor, src, null)} />
              </div>
            )}
          </aside>
        )}
        <Landmark class="editor-middle">
          <DataBar editor={editor} />
          {hasViews && <ViewsBar editor={editor} viewport={viewport} />}
          <Canvas
            editor={editor}
            viewport={viewport}
            onInput={(made) => {
              input.current = made;
            }}
            menu={menu}
            onDropFiles={(files, at) => void dropFiles(editor, files, at)}
          >
            {hasViews && editor.preferences.showSizes.value && <OtherSizes editor={editor} viewport={viewport} />}
            {exact.value !== 'off' && (
              <ExactPixels {...{ editor, viewport, onBusy }} isDifference={exact.value === 'difference'} />
            )}
          </Canvas>
          <Warnings editor={editor} />
        </Landmark>
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
                  <DesignPanel editor={editor} viewport={viewport} />
                ) : right.value === 'data' ? (
                  <DataPanel editor={editor} />
                ) : (
                  <JsonPanel editor={editor} unfinished={unfinishedJson} />
                )}
              </div>
            </>
          ) : (
            <div class="inspector-body">{ContentPanel && <ContentPanel {...parts} />}</div>
          )}
        </aside>
      </div>
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
  const keys = ui.root.querySelector<HTMLElement>('.text-editor') ?? ui.root.querySelector<HTMLElement>('.canvas');
  keys?.focus({ preventScroll: true });
}

/** Whether a key ends a field. In one of several lines Enter begins another, where these are rare only with Shift. */
function leaves({ key, shiftKey }: KeyboardEvent, field: HTMLInputElement | HTMLTextAreaElement): boolean {
  if (field instanceof HTMLInputElement) return key === 'Enter';
  return key === 'Escape' || (key === 'Enter' && field.dataset.lines === 'rare' && !shiftKey);
}

function makeComponent(editor: EditorState): void {
  import('./design/make-component.ts')
    .then((module) => module.makeComponent(editor))
    .then(({ name }) => toast(texts.value.editor.componentMade(name)), toastError);
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

async function paste(editor: EditorState, at: { readonly x: number; readonly y: number } | null): Promise<void> {
  try {
    await pasteText(editor, await navigator.clipboard.readText(), at);
  } catch {
    toast(texts.value.editor.pastingBlocked(keysShown('Mod+V')));
  }
}
