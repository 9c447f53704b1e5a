// Shows the editor in an element of a page, in a shadow tree of its own, and gives the page its methods and events.

import { render } from 'preact';
import { parseTemplate, type TemplateDocument } from '#core/template/template.ts';
import type { EditorOptions, PlatenEditor } from '../../editor.ts';
import { isDesign } from '../editor/design/designs.ts';
import type { RawDocument } from '../editor/document/document.ts';
import '../editor/editor.css';
import { LayersEditor } from '../editor/layers-editor.tsx';
import type { Compositor } from '../editor/scene/compositor.ts';
import { applyLook, THEMED } from '../embed/look.ts';
import { embeddedSurroundings, isDocument, type Methods } from '../embed/surroundings.tsx';
import { ContextMenus } from '../parts/context-menu.tsx';
import { Toasts, toastError } from '../parts/toast.tsx';
import { ui } from '../parts/ui-root.ts';
import '../shell/base.css';
import '../shell/tokens.css';
import { texts } from '../texts/editor.ts';
import './module.css';
import { pageHost } from './page-host.ts';
import { interfaceFonts, styles } from './styles.ts';

const OUTPUTS = ['png', 'jpeg', 'webp', 'svg', 'pdf'] as const;

/** @param onEnd called once, when the editor has been removed */
export async function openModule(
  element: HTMLElement,
  options: EditorOptions,
  onEnd: () => void,
): Promise<PlatenEditor> {
  const { signal, rights = 'all', locked = [], logo } = options;
  const document = checkedDocument(options.document, 'document');
  if (rights !== 'all' && rights !== 'texts-and-pictures')
    throw new Error('rights: must be "all" or "texts-and-pictures".');
  if (!Array.isArray(locked)) throw new Error('locked: must be a list of names of layers.');
  const composing = Promise.withResolvers<Compositor>();
  const host = await pageHost(options, async (document, request) => {
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
    return applyLook({ theme: Object.fromEntries(theme), lang: options.lang ?? around ?? 'en', logo: picture });
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
    <>
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
      <ContextMenus />
      <Toasts />
    </>,
    page.body,
  );
  let isOver = false;
  const destroy = () => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener('abort', destroy);
    page.leave();
    opened.reject(signal?.reason);
    onEnd();
  };
  signal?.addEventListener('abort', destroy);
  const methods = await opened.promise;
  return {
    load: (next) => methods.load(checkedDocument(next, 'load')),
    setData: (values) => methods.setData(values),
    getDocument: () => methods.getDocument() as TemplateDocument,
    download: (wanted = {}) => methods.download(wanted),
    refreshLook: () => void look().catch(toastError),
    destroy,
  };
}

/** @throws Error saying what is wrong, and where */
function checkedDocument(given: unknown, name: string): RawDocument {
  if (!isDocument(given)) {
    throw new Error(`${name}: must be a template of layers: an object with name, width, height and layers.`);
  }
  // What a design is becomes known when its brand and components are.
  if (!isDesign(given)) parseTemplate(given);
  return given;
}

async function pictureAt(address: string | undefined): Promise<Blob | null> {
  if (address === undefined) return null;
  const response = await fetch(address).catch(() => null);
  return response?.ok ? response.blob() : null;
}

/** Makes the shadow tree, and lets the interface find its elements there. */
function enter(element: HTMLElement): { readonly body: HTMLElement; leave(): void } {
  const before = { ...ui };
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
  Object.assign(ui, { root, body, themed: body, keys: root });
  for (const [family, weight, address] of interfaceFonts) {
    if ([...document.fonts].some((face) => face.family === family && face.weight === weight)) continue;
    document.fonts.add(new FontFace(family, `url(${JSON.stringify(address)})`, { weight, display: 'swap' }));
  }
  return {
    body,
    leave() {
      render(null, body);
      place.remove();
      Object.assign(ui, before);
    },
  };
}
