// The editor of a template of layers: tree, canvas and inspector around one shared state. Its host and its surroundings
// are given.

import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Point } from '#core/geometry.ts';
import { setSignal } from '../parts/action.ts';
import { Button } from '../parts/button.tsx';
import { putOnClipboard } from '../parts/copy.ts';
import { onDemand } from '../parts/on-demand.tsx';
import { ErrorPanel } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { keysOf, rootOf } from '../parts/ui-root.ts';
import { texts } from '../texts/editor.ts';
import { browserClock, keysIn, keysShown, useSaving } from './browser.ts';
import { Canvas } from './canvas/canvas.tsx';
import { Designs } from './core/design/designs.ts';
import { isOwn } from './core/design/view.ts';
import type { EditorHost, Opened } from './core/host.ts';
import type { Focus } from './core/keys.ts';
import { type EditorPage, type EditorParts, openEditor } from './core/open-editor.ts';
import { Compositor } from './core/scene/compositor.ts';
import { SceneFonts } from './core/scene/fonts.ts';
import { SceneImages } from './core/scene/images.ts';
import type { EditorState } from './core/state/editor-state.ts';
import { dropFiles, pasteText, splitSvg } from './insert-images.ts';
import { DesignPanel } from './inspector/design-panel.tsx';
import type { Unfinished } from './json/json-editor.ts';
import { JsonPanel } from './json/json-panel.tsx';
import { layerMenu } from './panels/layer-menu.ts';
import { previewPdf } from './panels/preview-pdf.ts';
import { Toolbar } from './panels/toolbar.tsx';
import { Warnings } from './panels/warnings.tsx';
import { browserPictures } from './picture-opener.ts';
import type { Surroundings } from './surroundings.ts';
import { LayerTree } from './tree/layer-tree.tsx';

const LibraryPanel = onDemand(async () => (await import('./library/library-panel.tsx')).LibraryPanel);
const ExactPixels = onDemand(async () => (await import('./panels/exact-pixels.tsx')).ExactPixels);
const KeySheet = onDemand(async () => (await import('./panels/palette.tsx')).KeySheet);
const EditorPalette = onDemand(async () => (await import('./panels/palette.tsx')).EditorPalette);
const DataPanel = onDemand(async () => (await import('./data/data-panel.tsx')).DataPanel);
const ViewsBar = onDemand(async () => (await import('./design/views-bar.tsx')).ViewsBar);
const PagesBar = onDemand(async () => (await import('./design/pages-bar.tsx')).PagesBar);
const OtherSizes = onDemand(async () => (await import('./design/other-sizes.tsx')).OtherSizes);

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
    const images = new SceneImages(host.readImage, browserPictures, browserClock);
    const designs = new Designs(host.materials);
    SceneFonts.open(host.fonts, browserClock).then(
      (fonts) => setCompositor(new Compositor(fonts, images, designs)),
      setError,
    );
    return () => images.dispose();
  }, [host, round]);
  if (error)
    return (
      <main class="lone">
        <ErrorPanel error={error} onRetry={() => setRound(round + 1)} />
      </main>
    );
  if (!compositor) return <EditorSkeleton />;
  return <OpenEditor {...props} compositor={compositor} />;
}

/** The outline of an editor that is being loaded. */
export function EditorSkeleton() {
  return (
    <div class="editor is-loading" role="status" aria-label={texts.value.editor.loading}>
      <header class="top-bar" />
      <div class="editor-body">
        <aside class="left-panel" />
        <div class="canvas">
          <span class="spinner" />
        </div>
        <aside class="inspector" />
      </div>
    </div>
  );
}

type RightTab = 'design' | 'data' | 'json';

type OpenEditorProps = LayersEditorProps & { readonly compositor: Compositor };

function OpenEditor({ host, opened, surroundings, compositor }: OpenEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const parts = useMemo(() => {
    const page: EditorPage = {
      writeClipboard: putOnClipboard,
      readClipboard: () => navigator.clipboard.readText(),
      keysShown,
      insertText: pasteText,
      splitSvg,
      previewPdf,
      open: (address) => void window.open(address, '_blank', 'noreferrer'),
      focusRegion: (step) => place.current && focusRegion(place.current, step),
    };
    return openEditor({ ...surroundings, opened, compositor, host, clock: browserClock, page });
  }, [opened, compositor, host, surroundings]);
  const { editor, viewport, autosave, commands, exact, isPreviewing, renaming, shown, library } = parts;
  const right = useSignal<RightTab>(Object.keys(opened.values).length > 0 ? 'data' : 'design');
  const unfinishedJson = useSignal<Unfinished | null>(null);
  // A name is typed in the tree.
  useSignalEffect(() => {
    if (renaming.value !== null) library.value = null;
  });
  useEffect(() => {
    editor.composeNow();
    return surroundings.opened(parts);
  }, [editor, surroundings, parts]);
  useSaving(autosave);
  useKeys(parts, place);
  useEffect(() => retryWhenBack(editor), [editor]);
  useEffect(() => host.pictures.onChanged(() => void editor.recheckUploads()), [host, editor]);

  // The same function for every render: a new one would cancel the request that it reports on.
  const onBusy = useCallback((isBusy: boolean) => setSignal(isPreviewing, isBusy), [isPreviewing]);
  const menu = (at: Point | null) => layerMenu(editor, commands, at, (to) => void parts.paste(to));
  const hasViews = useComputed(() => {
    const { sizes, texts } = editor.stored.value;
    return sizes !== undefined || texts !== undefined || !isOwn(editor.view.value);
  }).value;
  const mayDesign = surroundings.limits?.mayDesign ?? true;
  const { Bar, ContentPanel, landmark: Landmark } = surroundings;
  return (
    <div
      ref={place}
      class={`editor${mayDesign ? '' : ' is-content'}${editor.preferences.showPanels.value ? '' : ' is-bare'}`}
    >
      <Bar {...parts} />
      <div class="editor-body">
        {mayDesign && (
          <aside class="left-panel" aria-label={texts.value.editor.layersAndPictures}>
            <Toolbar editor={editor} commands={commands} />
            <Tabs
              panelLook="left-tab"
              label={texts.value.editor.leftPanel}
              dense
              current={library.value === null ? 'layers' : 'library'}
              tabs={[
                { name: 'layers', label: texts.value.common.layers },
                { name: 'library', label: texts.value.library.library },
              ]}
              onChoose={(name) => setSignal(library, name === 'layers' ? null : 'components')}
            >
              {library.value === null ? (
                <LayerTree editor={editor} renaming={renaming} menu={() => menu(null)} />
              ) : (
                <LibraryPanel parts={parts} part={library.value} />
              )}
            </Tabs>
          </aside>
        )}
        <Landmark class="editor-middle">
          <DataBar editor={editor} />
          {hasViews && <ViewsBar editor={editor} viewport={viewport} />}
          <Canvas parts={parts} menu={menu} onDropFiles={(files, at) => void dropFiles(editor, files, at)}>
            {hasViews && editor.preferences.showSizes.value && <OtherSizes editor={editor} viewport={viewport} />}
            {exact.value !== 'off' && (
              <ExactPixels {...{ editor, viewport, onBusy }} isDifference={exact.value === 'difference'} />
            )}
          </Canvas>
          {editor.document.value.page !== undefined && <PagesBar parts={parts} mayDesign={mayDesign} />}
          <Warnings editor={editor} />
        </Landmark>
        <aside
          class={right.value === 'json' ? 'inspector is-wide' : 'inspector'}
          aria-label={texts.value.editor.inspector}
        >
          {mayDesign ? (
            <Tabs
              panelLook={right.value === 'json' ? 'inspector-body is-json' : 'inspector-body'}
              onPanelKeyDown={leaveField}
              label={texts.value.editor.inspector}
              dense
              current={right.value}
              tabs={[
                { name: 'design', label: texts.value.editor.design },
                { name: 'data', label: texts.value.editor.data },
                { name: 'json', label: unfinishedJson.value ? texts.value.editor.jsonNotApplied : 'JSON' },
              ]}
              onChoose={(name) => setSignal(right, name)}
            >
              {right.value === 'design' ? (
                <DesignPanel editor={editor} viewport={viewport} />
              ) : right.value === 'data' ? (
                <DataPanel editor={editor} />
              ) : (
                <JsonPanel editor={editor} unfinished={unfinishedJson} />
              )}
            </Tabs>
          ) : (
            <div class="inspector-body">{ContentPanel && <ContentPanel {...parts} />}</div>
          )}
        </aside>
      </div>
      {shown.value === 'palette' && (
        <EditorPalette editor={editor} commands={commands} onClose={() => setSignal(shown, null)} />
      )}
      {shown.value === 'sheet' && <KeySheet commands={commands} onClose={() => setSignal(shown, null)} />}
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

/** Enter commits a field and gives the keys back to the canvas; in a popover, which goes on, the field keeps them. */
function leaveField(event: KeyboardEvent): void {
  const { target, currentTarget } = event;
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (event.defaultPrevented || !isField || !leaves(event, target)) return;
  // Or the key would go on to the text, which has the focus below.
  event.preventDefault();
  target.blur();
  if (target.closest('[popover]')) {
    target.focus();
    target.select();
    return;
  }
  // To the text if one is being edited: on the canvas, Delete would delete its layer.
  // The field may be gone: that of a name is another one for another name.
  const editor = (currentTarget as HTMLElement).closest('.editor');
  const keys = editor?.querySelector<HTMLElement>('.text-editor') ?? editor?.querySelector<HTMLElement>('.canvas');
  keys?.focus({ preventScroll: true });
}

/** Whether a key ends a field. In one of several lines Enter begins another, where these are rare only with Shift. */
function leaves({ key, shiftKey }: KeyboardEvent, field: HTMLInputElement | HTMLTextAreaElement): boolean {
  if (field instanceof HTMLInputElement) return key === 'Enter';
  return key === 'Escape' || (key === 'Enter' && field.dataset.lines === 'rare' && !shiftKey);
}

/** Says over the canvas that it shows test data, and turns it off. */
function DataBar({ editor }: { editor: EditorState }) {
  if (Object.keys(editor.values.value).length === 0) return null;
  const { value: name } = editor.valuesName;
  const shown = name !== null && editor.valuesChanged.value ? texts.value.data.changed(name) : name;
  return (
    <div class="data-bar" role="status">
      <span class="truncate">{texts.value.data.showsTestData(shown)}</span>
      <Button dense onClick={() => editor.showValues({}, null)}>
        {texts.value.data.turnOff}
      </Button>
    </div>
  );
}

// Tells the editor of key presses and pastes anywhere in its page, except in a dialog, and where the focus is then.

/** @param place the editor's element */
function useKeys({ editor, keys }: EditorParts, place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!place.current) return;
    const root = rootOf(place.current);
    // Messages are a popover too, which takes no keys; panels that stay while the canvas is used take those of their fields.
    const dialogs = 'dialog[open], [popover="auto"]:popover-open, .popover:focus-within';
    const inDialog = () => root.querySelector(dialogs) !== null;
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
function focusRegion(editor: HTMLElement, step: 1 | -1): void {
  const at = REGIONS.findIndex((region) => rootOf(editor).activeElement?.closest(region));
  const region =
    REGIONS[(Math.max(at, at < 0 && step > 0 ? -1 : 0) + step + REGIONS.length) % REGIONS.length] ?? '.canvas';
  const first =
    region === '.canvas'
      ? region
      : `${region} :is(a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"])`;
  editor.querySelector<HTMLElement>(first)?.focus();
}
