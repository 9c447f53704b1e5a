// Shows the editor in an element of a page, in a shadow tree of its own, and gives the page its methods and events.

import { render } from 'preact';
import { parseTemplate, type TemplateDocument } from '#core/template/template.ts';
import { MAX_IMAGE_BYTES } from '#draw/images/limits.ts';
import type { EditorImages, EditorMaterials, EditorOptions, PlatenEditor } from '../../editor.ts';
import { MemoryStorage } from '../editor/core/clock.ts';
import { isRawDesign } from '../editor/core/design/designs.ts';
import type { RawDocument } from '../editor/core/document/document.ts';
import type { EditorHost } from '../editor/core/host.ts';
import type { Compositor } from '../editor/core/scene/compositor.ts';
import type { ReadImage } from '../editor/core/scene/images.ts';
import { LayersEditor } from '../editor/layers-editor.tsx';
import { dataUriBytes } from '../editor/picture-opener.ts';
import { applyLook, logoOf, THEMED } from '../embed/look.ts';
import { embeddedSurroundings, isDocument, type Methods } from '../embed/surroundings.tsx';
import { ContextMenus } from '../parts/context-menu.tsx';
import { Tips } from '../parts/tips.tsx';
import { Messages, MessagesContext, Toasts } from '../parts/toast.tsx';
import { texts } from '../texts/editor.ts';
import { pageFonts } from './page-fonts.ts';
import '../editor/editor.css';
import '../shell/base.css';
import '../shell/tokens.css';
import './module.css';

const OUTPUTS = ['png', 'jpeg', 'webp', 'svg', 'pdf'] as const;

export async function openModule(element: HTMLElement, options: EditorOptions): Promise<PlatenEditor> {
  const { signal, rights = 'all', locked = [], logo } = options;
  const document = checkedDocument(options.document, 'document');
  if (rights !== 'all' && rights !== 'texts-and-pictures')
    throw new Error('rights: must be "all" or "texts-and-pictures".');
  if (!Array.isArray(locked)) throw new Error('locked: must be a list of names of layers.');
  const composing = Promise.withResolvers<Compositor>();
  const messages = new Messages();
  const host = await pageHost(options, messages, async (document, request) => {
    const { drawFile } = await import('./draw.ts');
    return drawFile(await composing.promise, document, request);
  });
  const picture = logo instanceof Blob ? logo : await pictureAt(logo);
  signal?.throwIfAborted();

  const page = enter(element);
  const look = () => {
    const computed = getComputedStyle(element);
    const theme = THEMED.map((name) => [name, computed.getPropertyValue(`--platen-${name}`).trim()]);
    const around = element.closest<HTMLElement>('[lang]')?.lang;
    const lang = options.lang ?? around ?? 'en';
    return applyLook({ theme: Object.fromEntries(theme), lang, logo: picture }, page.body);
  };
  try {
    await look();
  } catch (error) {
    page.leave();
    throw error;
  }
  page.body.ariaLabel = texts.value.embed.editor;

  const opened = Promise.withResolvers<Methods>();
  const surroundings = embeddedSurroundings(
    {
      logo: logoOf(page.body),
      answer: opened.resolve,
      async askPicture(layer) {
        return options.onPictureWanted?.(layer);
      },
      tell(event, detail) {
        const { document } = detail as { document: TemplateDocument };
        if (event === 'change') options.onChange?.(document);
        if (event === 'save') options.onSave?.(document);
      },
    },
    { rights, locked, save: 'hand-back', template: null, outputs: OUTPUTS },
  );
  const draft = { revision: 0, baseVersion: 0, savedAt: null, savedBy: null, document: document as never };
  render(
    <MessagesContext.Provider value={messages}>
      <LayersEditor
        host={host}
        opened={{ draft, saved: document, document, values: {} }}
        surroundings={{
          ...surroundings,
          landmark: 'section',
          opened(parts) {
            composing.resolve(parts.editor.compositor);
            return surroundings.opened(parts);
          },
        }}
      />
      <ContextMenus root={page.root} />
      <Tips root={page.root} />
      <Toasts />
    </MessagesContext.Provider>,
    page.body,
  );
  let isOver = false;
  const destroy = () => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener('abort', destroy);
    page.leave();
    opened.reject(signal?.reason);
  };
  signal?.addEventListener('abort', destroy);
  const methods = await opened.promise;
  return {
    load: (next) => methods.load(checkedDocument(next, 'load')),
    setData: (values) => methods.setData(values),
    getDocument: () => methods.getDocument() as TemplateDocument,
    download: (wanted = {}) => methods.download(wanted),
    refreshLook: () => void look().catch(messages.toastError),
    destroy,
  };
}

/** @throws Error saying what is wrong, and where */
function checkedDocument(given: unknown, name: string): RawDocument {
  if (!isDocument(given)) {
    throw new Error(`${name}: must be a template of layers: an object with name, width, height and layers.`);
  }
  // What a design is becomes known when its brand and components are.
  if (!isRawDesign(given)) parseTemplate(given);
  return given;
}

async function pictureAt(address: string | undefined): Promise<Blob | null> {
  if (address === undefined) return null;
  const response = await fetch(address).catch(() => null);
  return response?.ok ? response.blob() : null;
}

/** Makes the shadow tree. */
function enter(element: HTMLElement): { readonly root: ShadowRoot; readonly body: HTMLElement; leave(): void } {
  const place = element.appendChild(document.createElement('div'));
  place.style.cssText = 'display:block;height:100%';
  const root = place.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  const body = root.appendChild(document.createElement('section'));
  body.className = 'platen-ui';
  // Takes the focus when something is pressed that cannot have it: keys are heard while the focus is inside.
  body.tabIndex = -1;
  for (const [family, weight, address] of interfaceFonts) {
    if ([...document.fonts].some((face) => face.family === family && face.weight === weight)) continue;
    document.fonts.add(new FontFace(family, `url(${JSON.stringify(address)})`, { weight, display: 'swap' }));
  }
  return {
    root,
    body,
    leave() {
      render(null, body);
      place.remove();
    },
  };
}

// The style sheet of the editor, which the build puts here (scripts/build-editor.ts): those of the studio, for a shadow
// tree. What it says of fonts is said by the script, because a shadow tree declares none.

/** `.platen-ui` stands for the root element and the body. */
const styles: string = '__PLATEN_STYLES__';

/** Family, weight and address of each font of the interface. */
const interfaceFonts: readonly (readonly [family: string, weight: string, address: string])[] = [
  ['__PLATEN_FONTS__', '', ''],
];

// The editor's host where there is no server: the page around gives fonts and pictures, and files are drawn here.

/** @throws Error naming the font that cannot be used */
async function pageHost(
  { fonts, images = {}, materials = {} }: EditorOptions,
  { toast, toastError }: Messages,
  draw: EditorHost['draw'],
): Promise<EditorHost> {
  const { list, upload } = images;
  return {
    key: null,
    kept: new MemoryStorage(),
    tell: toast,
    tellError: toastError,
    fonts: await pageFonts(fonts),
    readImage: imageReader(images),
    materials: { brand: found(materials, 'brand'), template: found(materials, 'template') },
    pictures: {
      list: list
        ? async (search) => ({
            pictures: (await list.call(images))
              .map(({ src, name = src, preview = src }) => ({ src, name, address: preview }))
              .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())),
            folders: [],
          })
        : null,
      upload: upload ? async (file) => ({ ...(await sizeOf(file)), src: (await upload.call(images, file)).src }) : null,
      isUpload: () => false,
      onChanged: () => () => {},
    },
    drafts: null,
    brands: null,
    templates: null,
    draw,
  };
}

function imageReader({ load = loaded }: EditorImages): ReadImage {
  return async (source) => {
    if (source.startsWith('data:')) return dataUriBytes(source);
    const blob = await load(source);
    if (blob.size > MAX_IMAGE_BYTES) throw new Error(`It is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB.`);
    return new Uint8Array(await blob.arrayBuffer());
  };
}

async function loaded(source: string): Promise<Blob> {
  const response = await fetch(source).catch(() => {
    throw new Error('It cannot be loaded. If it is on another site, that must allow it by CORS.');
  });
  if (!response.ok) throw new Error(`Its address answered ${response.status}.`);
  return response.blob();
}

function found(materials: EditorMaterials, kind: keyof EditorMaterials) {
  return async (reference: string): Promise<unknown> => {
    const document = await materials[kind]?.(reference);
    if (document === undefined) throw new Error(`The page gives no ${kind} ${JSON.stringify(reference)}.`);
    return document;
  };
}

/** px; null where the browser cannot tell. */
async function sizeOf(file: File): Promise<{ readonly width: number | null; readonly height: number | null }> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  const { width, height } = bitmap ?? { width: null, height: null };
  bitmap?.close();
  return { width, height };
}
