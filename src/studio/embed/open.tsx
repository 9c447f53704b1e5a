// Opens the document that a token is for in the editor, within the token's rights, and gives the page around its
// methods and events.

import { effect } from '@preact/signals';
import { render } from 'preact';
import { mayChangeContent, refusedChange } from '#core/template/edit-rights.ts';
import { OUTPUTS, type Output } from '#output/formats.ts';
import type { StudioEmbedded } from '../../../clients/js/contract.generated.ts';
import { findLayer, framesAround, type RawDocument, type RawLayer } from '../editor/document/document.ts';
import '../editor/editor.css';
import { setLayer } from '../editor/document/edits.ts';
import type { EmbeddedParts, Embedding } from '../editor/embedding.ts';
import { LayersEditor } from '../editor/layers-editor.tsx';
import type { Opened } from '../editor/opened.ts';
import type { EditLimits } from '../editor/state/edit-limits.ts';
import type { EditorState } from '../editor/state/editor-state.ts';
import { ContextMenus } from '../parts/context-menu.tsx';
import { Toasts, toast } from '../parts/toast.tsx';
import { accountPath, credentials, get, onSignedOut } from '../shell/api.ts';
import type { Draft } from '../shell/contract.ts';
import { drawDocument } from '../shell/drawn-file.ts';
import { texts } from '../texts/editor.ts';
import { Bar } from './bar.tsx';
import { ContentPanel } from './content-panel.tsx';
import { applyLook } from './look.ts';
import type { PageAround } from './page-around.ts';

/** ms between two events `change`. */
const PACE = 300;

/** @throws ApiError when the token does not open the editor */
export async function openEmbedded(around: PageAround, root: Element): Promise<void> {
  const { token, origin } = around.opening;
  setToken(token, origin);
  onSignedOut.handle = () => around.tell('expired');
  const rights = await get<StudioEmbedded>('/v1/studio/embedded');
  const opened = await openedOf(rights);
  const embedding = embeddingOf(around, rights);
  const templateId = rights.template ?? 'blank';
  render(
    <>
      <LayersEditor accountId={rights.accountId} templateId={templateId} opened={opened} embedding={embedding} />
      <ContextMenus />
      <Toasts />
    </>,
    root,
  );
}

function setToken(token: string, origin: string): void {
  credentials.mode = 'omit';
  credentials.headers = { authorization: `Bearer ${token}`, 'platen-embedding-origin': origin };
}

async function openedOf({ accountId, template, blank }: StudioEmbedded): Promise<Opened> {
  if (template !== null) {
    const draft = await get<Draft>(accountPath(accountId, 'templates', template, 'draft'));
    const document = draft.document as unknown as RawDocument;
    return { draft, saved: document, document, values: {} };
  }
  const document = { name: 'Untitled', width: 1200, height: 630, ...blank, layers: [] };
  const draft = { revision: 0, baseVersion: 0, savedAt: null, savedBy: null, document };
  return { draft, saved: document, document, values: {} };
}

function embeddingOf(around: PageAround, rights: StudioEmbedded): Embedding {
  const isSaved = rights.save !== 'hand-back';
  const end = rights.save === 'publish' ? 'publish' : 'done';
  const onEnd = async ({ editor, autosave }: EmbeddedParts) => {
    const document = editor.document.peek();
    if (rights.save === 'publish') {
      const version = await autosave.publish('');
      toast(texts.value.embed.published(version));
      around.tell('publish', { version, document });
      return;
    }
    if (isSaved) await autosave.flush();
    around.tell('save', { document });
  };
  return {
    limits: limitsOf(rights),
    isSaved,
    Bar: (parts) => <Bar {...parts} isSaved={isSaved} end={end} onEnd={onEnd} />,
    ContentPanel: (parts) => <ContentPanel {...parts} locked={rights.locked} />,
    opened: (parts) => serve(around, rights, parts),
  };
}

/** Has a picture chosen for a layer, by the page or else by the editor's own dialog. */
async function choosePicture(
  around: PageAround,
  rights: StudioEmbedded,
  editor: EditorState,
  layer: string,
): Promise<void> {
  const answer = await around.ask('picture-wanted', { layer });
  const source = answer === undefined ? await ownChoice(rights, layer) : answer;
  if (editor.choosingPicture.peek() !== layer) return;
  editor.choosingPicture.value = null;
  if (typeof source !== 'string') return;
  editor.edit(setLayer(layer, { src: source }));
  editor.retryPictures([source]);
}

/** Shows the editor's own dialog, where the page offers no pictures. */
async function ownChoice({ accountId, uploads }: StudioEmbedded, layer: string): Promise<string | null> {
  const { PictureChoice } = await import('./picture-choice.tsx');
  const place = document.body.appendChild(document.createElement('div'));
  return new Promise((resolve) => {
    const end = (source: string | null) => {
      render(null, place);
      place.remove();
      resolve(source);
    };
    const props = { accountId, layer, mayUpload: uploads, onChoose: end, onClose: () => end(null) };
    render(<PictureChoice {...props} />, place);
  });
}

function limitsOf(rights: StudioEmbedded): EditLimits {
  const mayDesign = rights.rights === 'all';
  return {
    mayDesign,
    refuse(before, after) {
      const message = refusedChange(before, after, rights);
      if (message !== null) toast(message, { tone: 'bad' });
      return message !== null;
    },
    isLocked(document, name) {
      const all = [name, ...framesAround(document, name)].flatMap((one) => findLayer(document, one) ?? []);
      return mayDesign ? all.some((layer) => isLocked(layer, rights)) : !mayChangeContent(all, rights);
    },
  };
}

const isLocked = ({ name, locked }: RawLayer, rights: StudioEmbedded) =>
  locked === true || rights.locked.includes(name);

/** Answers the page's calls, and tells it of changes and saves. */
function serve(around: PageAround, rights: StudioEmbedded, { accountId, editor, autosave }: EmbeddedParts): void {
  around.answer({
    load(document) {
      if (!isDocument(document)) throw new Error('load takes a template: an object with name, width, height, layers.');
      const before = editor.document.peek();
      // An empty canvas has nothing to keep, so any document may be loaded into it.
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
      if (!(OUTPUTS as readonly unknown[]).includes(output)) {
        throw new Error(`download: output must be one of ${OUTPUTS.join(', ')}.`);
      }
      const request = { output: output as Output, scale: Number(scale), modifications: editor.values.peek() };
      return drawDocument(accountId, editor.document.peek(), request);
    },
    setToken(token) {
      setToken(String(token), around.opening.origin);
      void autosave.flush();
    },
    setLook: (look) => applyLook(isObject(look) ? look : {}),
  });
  const first = editor.document.peek();
  let told = first;
  let isDue = false;
  effect(() => {
    const document = editor.document.value;
    if (document === told || isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      told = editor.document.peek();
      around.tell('change', { document: told });
    }, PACE);
  });
  effect(() => {
    const layer = editor.choosingPicture.value;
    if (layer !== null) void choosePicture(around, rights, editor, layer);
  });
  if (rights.rights !== 'all') editor.preferences.showRulers.value = false;
  let savedAt: string | null = null;
  effect(() => {
    const state = autosave.state.value;
    if (state.kind !== 'saved' || state.at === null || state.at === savedAt || editor.document.peek() === first) return;
    savedAt = state.at;
    around.tell('save', { document: editor.document.peek() });
  });
  around.tell('ready', { template: rights.template, rights: rights.rights, save: rights.save });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDocument = (value: unknown): value is RawDocument =>
  isObject(value) &&
  typeof value.name === 'string' &&
  Number.isFinite(value.width) &&
  Number.isFinite(value.height) &&
  Array.isArray(value.layers) &&
  (value.engine ?? 'layers') === 'layers';
