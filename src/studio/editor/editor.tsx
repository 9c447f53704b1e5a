// The editor of one template: loads its draft, and shows the editor for its engine.

import { setSignal } from '../parts/action.ts';
import './no-eval.ts';
import './editor.css';
import { signal, useComputed, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button, ButtonLink } from '../parts/button.tsx';
import { onDemand } from '../parts/on-demand.tsx';
import { ErrorPanel } from '../parts/states.tsx';
import { toastError } from '../parts/toast.tsx';
import { accountPath, get } from '../shell/api.ts';
import { STUDIO } from '../shell/base.ts';
import type { Draft, RenderDetail } from '../shell/contract.ts';
import type { TemplatePageProps } from '../shell/page-props.ts';
import { mayDo } from '../shell/session.ts';
import { texts } from '../texts/editor.ts';
import type { RawDocument } from './core/document/document.ts';
import type { Opened } from './core/host.ts';
import { unsavedDocument } from './core/state/autosave.ts';
import { EditorSkeleton, LayersEditor } from './layers-editor.tsx';
import { ChangedElsewhere } from './panels/changed-elsewhere.tsx';
import { TopBar, type TopBarProps } from './panels/top-bar.tsx';
import { serverHost } from './server-host.ts';
import type { Surroundings } from './surroundings.ts';

const HtmlEditor = onDemand(async () => (await import('./html/html-editor.tsx')).HtmlEditor);

/** If the render is gone or has no stored values, the editor opens without them. */
async function valuesOf(accountId: string): Promise<Opened['values']> {
  const render = new URLSearchParams(location.search).get('values');
  if (!render) return {};
  try {
    const { modifications } = await get<RenderDetail>(accountPath(accountId, 'renders', render));
    return modifications ?? {};
  } catch (err) {
    toastError(err);
    return {};
  }
}

/** Both panels and a canvas that can be worked on fit beside each other, px. */
const LEAST_WIDTH = 720;

/** The editor, or in a narrow window the way to what can be done there. */
export function Editor(props: TemplatePageProps) {
  // An open editor stays when its window becomes narrower.
  const [isOpen, setOpen] = useState(() => innerWidth >= LEAST_WIDTH);
  useEffect(() => {
    const query = matchMedia(`(min-width: ${LEAST_WIDTH}px)`);
    const onChange = () => query.matches && setOpen(true);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isOpen ? <WideEditor {...props} /> : <TooNarrow {...props} onOpen={() => setOpen(true)} />;
}

function TooNarrow({ accountId, templateId, onOpen }: TemplatePageProps & { readonly onOpen: () => void }) {
  const base = `${STUDIO}/a/${accountId}/templates`;
  return (
    <main class="lone">
      <h1>{texts.value.editor.tooNarrow}</h1>
      <p class="muted">{texts.value.editor.tooNarrowNote}</p>
      <ButtonLink look="main" href={`${base}/${templateId}/use`}>
        {texts.value.editor.useTemplate}
      </ButtonLink>
      <Button onClick={onOpen}>{texts.value.editor.openAnyway}</Button>
      <a href={base}>{texts.value.common.allTemplates}</a>
    </main>
  );
}

function WideEditor({ accountId, templateId }: TemplatePageProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const load = () => {
    setError(null);
    const draft = get<Draft>(accountPath(accountId, 'templates', templateId, 'draft'));
    Promise.all([draft, valuesOf(accountId)]).then(([draft, values]) => {
      const saved = draft.document as unknown as RawDocument;
      setOpened({ draft, saved, document: unsavedDocument(localStorage, templateId, draft) ?? saved, values });
    }, setError);
  };
  useEffect(load, [accountId, templateId]);
  if (error)
    return (
      <main class="lone">
        <ErrorPanel error={error} onRetry={load} />
        <a href={`${STUDIO}/a/${accountId}/templates`}>{texts.value.common.allTemplates}</a>
      </main>
    );
  if (!opened) return <EditorSkeleton />;
  const props = { accountId, templateId, opened };
  return opened.document.engine === 'html' ? <HtmlEditor {...props} /> : <StudioEditor {...props} />;
}

// The editor of layers in the studio: the server as its host, and the studio's bar and dialogs around it.

const PictureDialog = onDemand(async () => (await import('../parts/picture-dialog.tsx')).PictureDialog);

function StudioEditor({ accountId, templateId, opened }: { accountId: string; templateId: string; opened: Opened }) {
  const mayEdit = mayDo(accountId, 'editor');
  const host = useMemo(
    () =>
      serverHost({
        accountId,
        templateId,
        isSaved: mayEdit,
        mayUpload: mayEdit,
        showsAccount: true,
        kept: localStorage,
      }),
    [accountId, templateId, mayEdit],
  );
  const surroundings = useMemo((): Surroundings => {
    const publishing = signal(false);
    const downloading = signal(false);
    const open = (dialog: typeof publishing) => () => setSignal(dialog, true);
    const own = { accountId, templateId, mayEdit, publishing, downloading };
    return {
      limits: null,
      Bar: (parts) => <StudioBar {...parts} {...own} />,
      landmark: 'main',
      ContentPanel: null,
      publish: mayEdit ? open(publishing) : null,
      download: open(downloading),
      opened: () => () => {},
    };
  }, [accountId, templateId, mayEdit]);
  return <LayersEditor host={host} opened={opened} surroundings={surroundings} />;
}

function StudioBar(props: TopBarProps) {
  const { accountId, editor, autosave, mayEdit } = props;
  useSignalEffect(() => {
    document.title = `${editor.name.value} · Platen Studio`;
  });
  const layer = useComputed(() => (editor.task.value.kind === 'picture' ? editor.task.value.layer : null)).value;
  return (
    <>
      <TopBar {...props} />
      <ChangedElsewhere autosave={autosave} accountId={accountId} />
      {layer !== null && (
        <PictureDialog
          accountId={accountId}
          label={`“${layer}”`}
          mayUpload={mayEdit}
          onChoose={(src) => {
            editor.showPicture(layer, src);
            editor.leave();
          }}
          onClose={() => editor.leave()}
        />
      )}
    </>
  );
}
