// How to use a template: its parameters, code snippets in four languages, signed URLs, and rendering a CSV.

import { useState } from 'preact/hooks';
import { ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { keyRound, pencil } from '../../parts/icons.ts';
import { Badge, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { accountPath, get } from '../../shell/api.ts';
import type { TemplatePageProps } from '../../shell/app.tsx';
import type { Key, Page, Settings, TemplateDetail } from '../../shell/contract.ts';
import { useLoad } from '../../shell/load.ts';
import { exampleOf, type Parameter, parametersOf } from '../../shell/parameters.ts';
import { mayDo } from '../../shell/session.ts';
import { TemplateHead } from '../template-head.tsx';
import { BulkSection } from './bulk-section.tsx';
import { SignedUrlSection } from './signed-url-section.tsx';
import { curlSnippet, javascriptSnippet, pythonSnippet } from './snippets.ts';
import './use.css';

export default function Use({ accountId, templateId }: TemplatePageProps) {
  const path = accountPath(accountId, 'templates', templateId);
  const { data: template, error, reload } = useLoad(path, () => get<TemplateDetail>(path));
  const mayEdit = mayDo(accountId, 'editor');
  return (
    <>
      <TemplateHead
        accountId={accountId}
        templateId={templateId}
        name={template?.name ?? null}
        page="use"
        actions={
          mayEdit && (
            <ButtonLink icon={pencil} href={`/studio/a/${accountId}/templates/${templateId}/edit`}>
              Edit
            </ButtonLink>
          )
        }
      />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!template && !error && <SkeletonRows rows={10} />}
      {template && (
        <div class="use">
          <div class="use-main">
            <Requests accountId={accountId} template={template} />
            {mayEdit && <SignedUrlSection accountId={accountId} template={template} />}
            {mayEdit && <BulkSection accountId={accountId} template={template} />}
            <Parameters parameters={parametersOf(template.document)} />
          </div>
          <aside class="use-side" aria-label="What is live">
            <div class="use-picture">
              <img src={template.thumbnail} alt={template.name} />
            </div>
            <p class="card-facts">
              Version {template.version}, {template.width} × {template.height} px
            </p>
            {template.draft && (
              <Note>
                There is a draft that is not published. Whoever renders this template gets version {template.version}.
              </Note>
            )}
          </aside>
        </div>
      )}
    </>
  );
}

type Language = 'curl' | 'javascript' | 'python';

function Requests({ accountId, template }: { accountId: string; template: TemplateDetail }) {
  const [language, setLanguage] = useState<Language>('curl');
  const settingsPath = accountPath(accountId, 'settings');
  const { data: settings } = useLoad(settingsPath, () => get<Settings>(settingsPath));
  const keysPath = accountPath(accountId, 'keys');
  const { data: keys } = useLoad(`${keysPath}?first`, () => get<Page<Key>>(keysPath, { limit: 20 }));
  const hasKey = keys === null || keys.items.some(({ revokedAt }) => revokedAt === null);
  const request = {
    address: settings?.address ?? location.origin,
    template: template.id,
    modifications: exampleOf(parametersOf(template.document)),
    output: 'png',
  };
  const code = { curl: curlSnippet, javascript: javascriptSnippet, python: pythonSnippet }[language](request);
  return (
    <section class="section" aria-labelledby="requests">
      <header>
        <div>
          <h2 id="requests">Render with a key</h2>
          <p>The answer holds the address of the picture.</p>
        </div>
        <ButtonLink dense icon={keyRound} href={`/studio/a/${accountId}/keys?new=key`}>
          New key
        </ButtonLink>
      </header>
      {!hasKey && <Note>This account has no key yet. Make one, then put it where the code says PLATEN_KEY.</Note>}
      <Tabs
        label="Language"
        dense
        current={language}
        onChoose={setLanguage}
        tabs={[
          { name: 'curl', label: 'curl' },
          { name: 'javascript', label: 'JavaScript' },
          { name: 'python', label: 'Python' },
        ]}
      >
        <div class="tab-space">
          <CodeBlock code={code} label={`The request, ${language}`} />
        </div>
      </Tabs>
    </section>
  );
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <section class="section" aria-labelledby="parameters">
      <header>
        <div>
          <h2 id="parameters">Parameters</h2>
          <p>Every named layer. A plain value changes what stands in the third column; false hides the layer.</p>
        </div>
      </header>
      <Table
        label="Parameters"
        rows={parameters}
        rowKey={({ name }) => name}
        columns={[
          { key: 'name', header: 'Name', width: '32%', render: ({ name }) => <code>{name}</code> },
          { key: 'type', header: 'Layer', width: '14%', render: ({ type }) => <Badge>{type}</Badge> },
          {
            key: 'property',
            header: 'Changes',
            width: '16%',
            render: ({ property }) => <span class="muted">{property ?? 'shown or hidden'}</span>,
          },
          {
            key: 'value',
            header: 'In the design',
            render: ({ value }) => (
              <span class="muted" title={value ?? ''}>
                {value?.startsWith('data:') ? 'a picture in the template' : value}
              </span>
            ),
          },
        ]}
      />
    </section>
  );
}
