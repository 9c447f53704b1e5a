// The editor of an html template: markup and style sheet at the left, the page as the server draws it at the right.

import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { setSignal } from '../../parts/action.ts';
import { useBlobAddress } from '../../parts/blob-address.ts';
import { IconButton } from '../../parts/button.tsx';
import { DownloadDialog } from '../../parts/download-dialog.tsx';
import { Check, Problem } from '../../parts/field.tsx';
import { PublishDialog } from '../../parts/publish-dialog.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { STUDIO } from '../../shell/base.ts';
import { drawDocument } from '../../shell/drawn-file.ts';
import { parametersOf } from '../../shell/parameters.ts';
import { mayDo } from '../../shell/session.ts';
import { ownView, viewsOf } from '../../shell/views.ts';
import { texts } from '../../texts/editor.ts';
import { browserClock, useSaving } from '../browser.ts';
import type { RawDocument } from '../core/document/document.ts';
import type { Opened } from '../core/host.ts';
import { Autosave } from '../core/state/autosave.ts';
import { NumberInput } from '../inspector/number-input.tsx';
import { labelOf } from '../inspector/schema.ts';
import { BarEnd, BarStart } from '../panels/bar-ends.tsx';
import { ChangedElsewhere } from '../panels/changed-elsewhere.tsx';
import { commandIcons } from '../panels/command-icons.ts';
import { draftStore } from '../server-host.ts';
import type { CodeEditor } from './code-editor.ts';

interface HtmlEditorProps {
  readonly accountId: string;
  readonly templateId: string;
  readonly opened: Opened;
}

type Part = 'html' | 'css';
/** ms after a key press before the page is drawn. */
const PAUSE = 400;

export function HtmlEditor({ accountId, templateId, opened }: HtmlEditorProps) {
  // Counts reloads of the document; each recreates the code fields.
  const loads = useSignal(0);
  const edited = useMemo(() => signal(opened.document), [opened]);
  const mayEdit = mayDo(accountId, 'editor');
  const autosave = useMemo(() => {
    const replace = (next: RawDocument) => {
      edited.value = next;
      loads.value++;
    };
    const drafts = mayEdit ? draftStore(accountId, templateId) : null;
    const { draft, saved } = opened;
    return new Autosave({
      ...{ drafts, draft, saved, clock: browserClock, kept: localStorage },
      edited: { document: edited, replace },
    });
  }, [accountId, templateId, opened, mayEdit, edited, loads]);
  const part = useSignal<Part>('html');
  const code = useRef<CodeEditor | null>(null);
  const picture = useSignal<Blob | null>(null);
  const address = useBlobAddress(picture.value);
  const problem = useSignal<string | null>(null);
  const publishing = useSignal(false);
  const downloading = useSignal(false);
  const document = edited.value;
  useSaving(autosave);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      drawDocument(accountId, document, { modifications: opened.values, output: 'png' }, abort.signal).then(
        (blob) => {
          picture.value = blob;
          problem.value = null;
        },
        (error: unknown) => {
          if (!abort.signal.aborted) problem.value = error instanceof Error ? error.message : String(error);
        },
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [document, accountId, opened.values, picture, problem]);
  const base = `${STUDIO}/a/${accountId}/templates`;
  const names = parametersOf(document)
    .map(({ name }) => name)
    .join(', ');
  return (
    <div class="editor">
      <header class="top-bar">
        <BarStart base={base} mayEdit={mayEdit} autosave={autosave}>
          <span class="title-field">{document.name}</span>
        </BarStart>
        <div class="top-middle">
          {(['undo', 'redo'] as const).map((id) => (
            <IconButton
              key={id}
              icon={commandIcons[`${id}2`]}
              label={texts.value.commands[id]}
              dense
              disabled={!mayEdit}
              onClick={() => code.current?.[id]()}
            />
          ))}
        </div>
        <BarEnd
          {...{ base, templateId, mayEdit }}
          onDownload={() => setSignal(downloading, true)}
          onPublish={() => setSignal(publishing, true)}
        />
        {downloading.value && (
          <DownloadDialog
            name={document.name}
            views={viewsOf(document)}
            shown={ownView(viewsOf(document))}
            draw={(request, stop) => {
              const modifications = opened.values;
              return drawDocument(accountId, edited.peek(), { ...request, modifications }, stop);
            }}
            onClose={() => setSignal(downloading, false)}
          />
        )}
        {publishing.value && (
          // Of a page that has not been drawn yet, only the server says whether it can be.
          <PublishDialog
            accountId={accountId}
            templateId={templateId}
            baseVersion={autosave.version.peek()}
            publish={(note, over) => autosave.publish(note, over)}
            problem={null}
            onClose={() => setSignal(publishing, false)}
          />
        )}
      </header>
      <ChangedElsewhere autosave={autosave} accountId={accountId} />
      <div class="editor-body html-editor">
        <section class="html-code" aria-label={texts.value.editor.code}>
          <div class="html-bar">
            <Tabs
              label={texts.value.editor.partOfPage}
              panelId="code-pane"
              dense
              current={part.value}
              tabs={[
                { name: 'html', label: 'HTML' },
                { name: 'css', label: 'CSS' },
              ]}
              onChoose={(name) => setSignal(part, name)}
            />
            <div class="html-size">
              {(['width', 'height'] as const).map((side) => (
                <NumberInput
                  key={side}
                  label={labelOf(side)}
                  prefix={texts.value.looks[side].prefix}
                  value={document[side]}
                  {...{ min: 1, max: 16_384, isInt: true, disabled: !mayEdit }}
                  onNumber={(px) => setSignal(edited, { ...edited.peek(), [side]: px })}
                />
              ))}
            </div>
            <Check
              label={texts.value.editor.tailwindClasses}
              asSwitch
              checked={document.tailwind === true}
              disabled={!mayEdit}
              onToggle={(tailwind) => setSignal(edited, { ...edited.peek(), tailwind })}
            />
          </div>
          <CodePane
            key={`${part.value} ${loads.value}`}
            view={code}
            document={document}
            part={part.value}
            onText={(text) => setSignal(edited, { ...edited.peek(), [part.value]: text })}
          />
          <p class="html-names faint">
            {names === '' ? texts.value.editor.noPageParameters : texts.value.editor.pageParameters(names)}
          </p>
        </section>
        <section class="html-page" aria-label={texts.value.editor.page}>
          {address ? (
            <img src={address} alt={texts.value.editor.pageAsDrawn} width={document.width} height={document.height} />
          ) : (
            problem.value === null && (
              <div
                class="skeleton"
                role="status"
                aria-label={texts.value.panels.loading}
                style={{ width: `${document.width}px`, aspectRatio: `${document.width} / ${document.height}` }}
              />
            )
          )}
          <Problem of={problem.value} />
        </section>
      </div>
    </div>
  );
}

interface CodePaneProps {
  readonly view: { current: CodeEditor | null };
  readonly document: RawDocument;
  readonly part: Part;
  readonly onText: (text: string) => void;
}

function CodePane({ view, document, part, onText }: CodePaneProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(onText);
  latest.current = onText;
  const text = String(document[part] ?? '');
  const first = useRef(text);
  useEffect(() => {
    let isGone = false;
    void import('./code-editor.ts').then(({ openCodeEditor }) => {
      if (!isGone && host.current)
        view.current = openCodeEditor(host.current, part, first.current, (next) => latest.current(next));
    });
    return () => {
      isGone = true;
      view.current?.close();
    };
  }, [part, view]);
  return <div ref={host} id="code-pane" role="tabpanel" aria-label={part.toUpperCase()} class="json-host" />;
}
