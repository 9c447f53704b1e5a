// What is around the editor outside of the studio: its bar, the list of fields, the rights, and the methods and events
// that the page around has.

import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { mayChangeContent, refusedChange } from '#design/edit-rights.ts';
import type { Output } from '#draw/output/formats.ts';
import {
  findLayer,
  framesAround,
  type RawDocument,
  type RawLayer,
  textsOf,
  walk,
} from '../editor/core/document/document.ts';
import { setLayer } from '../editor/core/document/edits.ts';
import { textOf, textPatch } from '../editor/core/document/text-edits.ts';
import { boundsOf } from '../editor/core/geometry/geometry-of.ts';
import type { EditLimits, EditorHost } from '../editor/core/host.ts';
import type { EditorParts } from '../editor/core/open-editor.ts';
import type { EditorState } from '../editor/core/state/editor-state.ts';
import { ImageLibrary } from '../editor/inspector/image-library.tsx';
import type { Surroundings } from '../editor/surroundings.ts';
import { useAction } from '../parts/action.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { Icon } from '../parts/icon.tsx';
import { image as imageIcon, minus, plus, redo2, undo2 } from '../parts/icons.ts';
import { ACCEPTED_PICTURES, PictureAddress } from '../parts/picture-address.tsx';
import { ErrorPanel, Note } from '../parts/states.tsx';
import { texts } from '../texts/editor.ts';
import '../editor/panels/panels.css';
import './embed.css';

/** ms between two events `change`. */
const PACE = 300;

/** The page around, as far as the editor tells and asks it. */
export interface Around {
  /** The address of the logo in the bar; null = none. */
  readonly logo: ReadonlySignal<string | null>;
  /** Answers calls from now on. */
  answer(methods: Methods): void;
  tell(event: 'ready' | 'change' | 'save' | 'publish', detail: unknown): void;
  /** Asks for a picture for a layer: its source, null for none; undefined: the editor is to ask the user. */
  askPicture(layer: string): Promise<unknown>;
}

/** Methods that every page around has. */
export interface Methods {
  load(document: unknown): void;
  setData(values: unknown): void;
  getDocument(): RawDocument;
  download(options: unknown): Promise<Blob>;
}

export interface Rights {
  readonly rights: 'all' | 'texts-and-pictures';
  readonly locked: readonly string[];
  readonly save: 'hand-back' | 'draft' | 'publish';
  /** null: the page brings the document, and may load any other. */
  readonly template: string | null;
  /** The outputs of `download`. */
  readonly outputs: readonly Output[];
}

export function embeddedSurroundings(around: Around, rights: Rights): Surroundings {
  const isSaved = rights.save !== 'hand-back';
  const end = rights.save === 'publish' ? 'publish' : 'done';
  const choice: OwnChoice = signal(null);
  const onEnd = async ({ editor, autosave }: EditorParts) => {
    const document = editor.document.peek();
    if (rights.save === 'publish') {
      const version = await autosave.publish('');
      editor.host.tell(texts.value.embed.published(version));
      around.tell('publish', { version, document });
      return;
    }
    if (isSaved) await autosave.flush();
    around.tell('save', { document });
  };
  return {
    limits: limitsOf(rights),
    landmark: 'main',
    publish: null,
    download: null,
    Bar: (parts) => <Bar {...parts} {...{ isSaved, end, onEnd, choice }} logo={around.logo} />,
    ContentPanel: (parts) => <ContentPanel {...parts} locked={rights.locked} />,
    opened: (parts) => serve(around, rights, choice, parts),
  };
}

/** The editor's own dialog for a picture, where the page offers none; null = it is closed. */
type OwnChoice = Signal<{ readonly layer: string; readonly end: (source: string | null) => void } | null>;

/** Has a picture chosen for a layer, by the page or else by the editor. @returns its source; null or undefined = none */
async function choosePicture(around: Around, choice: OwnChoice, layer: string): Promise<unknown> {
  const answer = await around.askPicture(layer);
  if (answer !== undefined) return answer;
  return new Promise<string | null>((resolve) => {
    choice.value = {
      layer,
      end(source) {
        choice.value = null;
        resolve(source);
      },
    };
  });
}

function limitsOf(rights: Rights): EditLimits {
  const mayDesign = rights.rights === 'all';
  return {
    mayDesign,
    refusal: (before, after) => refusedChange(before, after, rights),
    isLocked(document, name) {
      const all = [name, ...framesAround(document, name)].flatMap((one) => findLayer(document, one) ?? []);
      return mayDesign ? all.some((layer) => isLocked(layer, rights)) : !mayChangeContent(all, rights);
    },
  };
}

const isLocked = ({ name, locked }: RawLayer, rights: Rights) => locked === true || rights.locked.includes(name);

/** Answers the page's calls, and tells it of changes and saves. Returns what ends that. */
function serve(around: Around, rights: Rights, choice: OwnChoice, { editor, autosave }: EditorParts): () => void {
  around.answer({
    load(document) {
      if (!isDocument(document)) throw new Error('load takes a template: an object with name, width, height, layers.');
      const before = editor.document.peek();
      // What the page brought has nothing to keep, so any document may be loaded in its place.
      const refused = rights.template === null ? null : refusedChange(before, document, rights);
      if (refused !== null) throw new Error(refused);
      if (rights.template === null) editor.replace(document);
      else editor.edit(() => document);
    },
    setData(values) {
      if (!isObject(values)) throw new Error('setData takes an object: layer name → value.');
      editor.showValues(values, null);
    },
    getDocument: () => editor.document.peek(),
    async download(wanted) {
      const { output = 'png', scale = 1 } = isObject(wanted) ? wanted : {};
      if (!(rights.outputs as readonly unknown[]).includes(output)) {
        throw new Error(`download: output must be one of ${rights.outputs.join(', ')}.`);
      }
      const request = { output: output as Output, scale: Number(scale), modifications: editor.values.peek() };
      return editor.host.draw(editor.document.peek(), request);
    },
  });
  const first = editor.document.peek();
  let told = first;
  let isDue = false;
  let asked = 0;
  const ends = [
    effect(() => {
      const document = editor.document.value;
      if (document === told || isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        told = editor.document.peek();
        around.tell('change', { document: told });
      }, PACE);
    }),
    effect(() => {
      const task = editor.task.value;
      if (task.kind !== 'picture') return;
      // Meanwhile the editor goes on, as the page may never answer.
      editor.leave();
      const own = ++asked;
      void choosePicture(around, choice, task.layer).then((source) => {
        if (own === asked && typeof source === 'string') editor.showPicture(task.layer, source);
      });
    }),
  ];
  if (rights.rights !== 'all') editor.preferences.showRulers.value = false;
  let savedAt: string | null = null;
  ends.push(
    effect(() => {
      const state = autosave.state.value;
      if (state.kind !== 'saved' || state.at === null || state.at === savedAt) return;
      if (editor.document.peek() === first) return;
      savedAt = state.at;
      around.tell('save', { document: editor.document.peek() });
    }),
  );
  around.tell('ready', { template: rights.template, rights: rights.rights, save: rights.save });
  return () => {
    for (const end of ends) end();
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether it looks like a template of layers; whether it can be drawn is told by the editor. */
export const isDocument = (value: unknown): value is RawDocument =>
  isObject(value) &&
  typeof value.name === 'string' &&
  Number.isFinite(value.width) &&
  Number.isFinite(value.height) &&
  Array.isArray(value.layers) &&
  (value.engine ?? 'layers') === 'layers';

// The bar above the embedded editor: logo and name, whether it is saved, undo, zoom, and the button that ends the work.

interface BarProps extends EditorParts {
  /** The address of the logo. */
  readonly logo: ReadonlySignal<string | null>;
  readonly choice: OwnChoice;
  readonly isSaved: boolean;
  readonly end: 'done' | 'publish';
  /** Ends the work: hands the document back, or publishes it. */
  readonly onEnd: (parts: EditorParts) => Promise<void>;
}

function Bar(props: BarProps) {
  const { editor, viewport, autosave, isSaved, end, onEnd, logo, choice } = props;
  const { isBusy, run } = useAction(editor.host.tellError);
  const state = autosave.state.value.kind;
  const zoom = Math.round(viewport.zoom.value * 100);
  return (
    <>
      <header class="top-bar">
        <div class="top-side">
          {logo.value !== null && <img class="embed-logo" src={logo.value} alt="" />}
          <h1 class="embed-name">{editor.name.value}</h1>
          {isSaved && (
            <span class={`saved is-${state}`} role="status">
              {state === 'saved' ? texts.value.embedSaved : texts.value.saved[state]}
            </span>
          )}
        </div>
        <div class="top-middle">
          {[['undo', undo2, editor.canUndo] as const, ['redo', redo2, editor.canRedo] as const].map(
            ([id, icon, isOn]) => (
              <IconButton
                key={id}
                {...{ icon }}
                label={texts.value.commands[id]}
                dense
                disabled={!isOn.value}
                onClick={() => editor[id]()}
              />
            ),
          )}
          <IconButton icon={minus} label={texts.value.commands['zoom-out']} dense onClick={() => viewport.step(-1)} />
          <span class="embed-zoom">{zoom} %</span>
          <IconButton icon={plus} label={texts.value.commands['zoom-in']} dense onClick={() => viewport.step(1)} />
        </div>
        <div class="top-side is-end">
          <Button
            dense
            look="main"
            busy={isBusy}
            disabled={editor.problem.value !== null}
            onClick={() => void run(() => onEnd(props))}
          >
            {texts.value.embedEnd[end]}
          </Button>
        </div>
        {/* Above the headings of the panels. */}
        <h2 class="visually-hidden">{texts.value.embed.editor}</h2>
      </header>
      {choice.value && (
        <PictureChoice
          pictures={editor.host.pictures}
          layer={choice.value.layer}
          onChoose={choice.value.end}
          onClose={() => choice.value?.end(null)}
        />
      )}
      {state === 'changed' && (
        <div class="changed-elsewhere" role="alert">
          <Note warn>
            {texts.value.embed.changed}
            <div class="changed-buttons">
              <Button dense onClick={() => void autosave.loadTheirs().catch(editor.host.tellError)}>
                {texts.value.panels.loadSaved}
              </Button>
            </div>
          </Note>
        </div>
      )}
    </>
  );
}

// In place of the inspector where only texts and pictures may be changed: a field for each, in reading order.

interface ContentPanelProps extends EditorParts {
  /** Names of layers that the token locks. */
  readonly locked: readonly string[];
}

function ContentPanel({ editor, locked }: ContentPanelProps) {
  const open = openLayers(editor, locked);
  return (
    <section class="panel-section content-panel">
      <h3 class="panel-section-title">{texts.value.embed.content}</h3>
      <div class="panel-section-body">
        {open.map((layer) =>
          layer.type === 'text' ? (
            <TextRow key={layer.name} editor={editor} layer={layer} />
          ) : (
            <PictureRow key={layer.name} editor={editor} layer={layer} />
          ),
        )}
        {open.length === 0 && <p class="muted">{texts.value.embed.nothing}</p>}
      </div>
    </section>
  );
}

/** The layers whose content may be changed, from the top of the canvas to its end. */
function openLayers(editor: EditorState, locked: readonly string[]): readonly RawLayer[] {
  const document = editor.document.value;
  const boxes = editor.picture.value?.byName;
  const around = new Map<string, readonly RawLayer[]>();
  const open = [...walk(document.layers)].flatMap(({ layer, parent }) => {
    const all = [layer, ...(parent ? (around.get(parent.name) ?? []) : [])];
    around.set(layer.name, all);
    const isShown = all.every(({ visible }) => visible !== false);
    return isShown && mayChangeContent(all, { rights: 'texts-and-pictures', locked }) ? [layer] : [];
  });
  const top = ({ name }: RawLayer) => {
    const box = boxes?.get(name);
    return box ? boundsOf(box).y : 0;
  };
  return open.toSorted((a, b) => top(a) - top(b));
}

interface RowProps {
  readonly editor: EditorState;
  readonly layer: RawLayer;
}

function TextRow({ editor, layer }: RowProps) {
  const { name } = layer;
  const text = textOf(layer);
  const { lang } = editor.view.value;
  const byLanguage = textsOf(editor.stored.value)[name];
  const isMissing = lang !== null && lang !== editor.stored.value.lang && byLanguage?.[lang] === undefined;
  return (
    <label class="content-row">
      <span class="content-name">
        {name}
        {isMissing && <span class="content-missing"> {texts.value.design.notTranslated}</span>}
      </span>
      <textarea
        class="input is-dense"
        rows={1}
        dir="auto"
        {...(lang !== null && { lang })}
        value={text}
        onFocus={() => editor.select([name])}
        onInput={(event) => {
          const now = editor.layer(name);
          const next = event.currentTarget.value;
          if (now) editor.edit(setLayer(name, textPatch(now, next)), { kind: `text ${name}` });
        }}
      />
    </label>
  );
}

function PictureRow({ editor, layer }: RowProps) {
  const { name, src } = layer;
  const shown = editor.picture.value && typeof src === 'string' ? editor.compositor.images.sizeOf(src) : null;
  return (
    <div class="content-row">
      <span class="content-name">{name}</span>
      <div class="content-picture">
        <span class="content-thumb">
          {shown ? <img src={shown.address} alt="" /> : <Icon of={imageIcon} size={16} />}
        </span>
        <Button
          dense
          aria-label={texts.value.embed.replaceIn(name)}
          onClick={() => {
            editor.select([name]);
            editor.enter({ kind: 'picture', layer: name });
          }}
        >
          {texts.value.embed.replace}
        </Button>
      </div>
    </div>
  );
}

// The embedded editor's own choice of a picture, where the page offers none: one of the host's, a file to upload, or an
// address.

interface PictureChoiceProps {
  readonly pictures: EditorHost['pictures'];
  readonly layer: string;
  /** @param source as a layer's `src` says it, such as an image's id or an address */
  readonly onChoose: (source: string) => void;
  readonly onClose: () => void;
}

function PictureChoice({ pictures, layer, onChoose, onClose }: PictureChoiceProps) {
  const [failure, setFailure] = useState<Error | null>(null);
  const { list, upload: store } = pictures;
  const upload = ([file]: readonly File[]) => {
    setFailure(null);
    if (file) store?.(file).then(({ src }) => onChoose(src), setFailure);
  };
  return (
    <Dialog title={texts.value.embed.choose(layer)} onClose={onClose}>
      {list ? (
        <ImageLibrary pictures={pictures} onChoose={onChoose} />
      ) : (
        store && <DropZone choose={texts.value.inspector.upload} hint="" accept={ACCEPTED_PICTURES} onFiles={upload} />
      )}
      {failure && <ErrorPanel error={failure} />}
      <PictureAddress onChoose={onChoose} />
    </Dialog>
  );
}
