// The editor of one template: loads its draft, and shows the editor for its engine.

import { useEffect, useState } from 'preact/hooks';
import { onDemand } from '../parts/on-demand.tsx';
import { STUDIO } from '../shell/base.ts';
import type { Opened } from './core/host.ts';
import './no-eval.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { ErrorPanel } from '../parts/states.tsx';
import { toastError } from '../parts/toast.tsx';
import { accountPath, get } from '../shell/api.ts';
import type { Draft, RenderDetail } from '../shell/contract.ts';
import type { TemplatePageProps } from '../shell/page-props.ts';
import './editor.css';
import { texts } from '../texts/editor.ts';
import type { RawDocument } from './core/document/document.ts';
import { unsavedDocument } from './core/state/autosave.ts';
import { StudioEditor } from './studio-editor.tsx';

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

function EditorSkeleton() {
  return (
    <div class="editor is-loading" role="status" aria-label={texts.value.editor.loading}>
      <header class="top-bar" />
      <div class="editor-body">
        <aside class="left-panel" />
        <div class="canvas" />
        <aside class="inspector" />
      </div>
    </div>
  );
}
