// Opens the document that a token is for in the editor, within the token's rights, and gives the page around its
// methods and events.

import { render } from 'preact';
import { OUTPUTS } from '#draw/output/formats.ts';
import type { StudioEmbedded } from '../../../clients/js/contract.generated.ts';
import { MemoryStorage } from '../editor/core/clock.ts';
import type { RawDocument } from '../editor/core/document/document.ts';
import '../editor/editor.css';
import type { Opened } from '../editor/core/host.ts';
import type { Autosave } from '../editor/core/state/autosave.ts';
import { LayersEditor } from '../editor/layers-editor.tsx';
import { serverHost } from '../editor/server-host.ts';
import type { Surroundings } from '../editor/surroundings.ts';
import { ContextMenus } from '../parts/context-menu.tsx';
import { Tips } from '../parts/tips.tsx';
import { Toasts } from '../parts/toast.tsx';
import { accountPath, apiPath, credentials, get, onSignedOut } from '../shell/api.ts';
import type { Draft } from '../shell/contract.ts';
import { applyLook, logoOf } from './look.ts';
import type { PageAround } from './page-around.ts';
import { embeddedSurroundings, type Methods } from './surroundings.tsx';

/** @throws ApiError when the token does not open the editor */
export async function openEmbedded(around: PageAround, root: Element): Promise<void> {
  const { token, origin } = around.opening;
  setToken(token, origin);
  onSignedOut.handle = () => around.tell('expired');
  const rights = await get<StudioEmbedded>(apiPath('embedded'));
  const opened = await openedOf(rights);
  const host = serverHost({
    accountId: rights.accountId,
    templateId: rights.template ?? 'blank',
    isSaved: rights.save !== 'hand-back',
    mayUpload: rights.uploads,
    // Its pictures, brands and templates are for the account's own people.
    showsAccount: false,
    kept: new MemoryStorage(),
    materials: opened.draft.materials,
  });
  render(
    <>
      <LayersEditor host={host} opened={opened} surroundings={surroundingsOf(around, rights)} />
      <ContextMenus />
      <Tips />
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

function surroundingsOf(around: PageAround, rights: StudioEmbedded): Surroundings {
  let autosave: Autosave | null = null;
  const methodsOf = (methods: Methods) => ({
    ...methods,
    setToken(token: unknown) {
      setToken(String(token), around.opening.origin);
      void autosave?.flush();
    },
    setLook: (look: unknown) =>
      applyLook(typeof look === 'object' && look !== null ? look : {}, document.documentElement),
  });
  const surroundings = embeddedSurroundings(
    {
      logo: logoOf(document.documentElement),
      tell: around.tell,
      askPicture: (layer) => around.ask('picture-wanted', { layer }),
      answer: (methods) => around.answer(methodsOf(methods)),
    },
    { ...rights, outputs: OUTPUTS },
  );
  return {
    ...surroundings,
    opened(parts) {
      autosave = parts.autosave;
      return surroundings.opened(parts);
    },
  };
}
