// How to use a template: a form with its picture to download; then signed URLs, code in three languages, a CSV, and the
// parameters.

import { useMemo, useState } from 'preact/hooks';
import { Problem } from '../../parts/field.tsx';
import { STUDIO } from '../../shell/base.ts';
// Before the sheet of a list is loaded, which brings zod.
import '../../editor/no-eval.ts';
import { useAction } from '../../parts/action.ts';
import { useBlobAddress } from '../../parts/blob-address.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { chosenFile, DownloadFields } from '../../parts/download-fields.tsx';
import { download as downloadIcon, keyRound, pencil } from '../../parts/icons.ts';
import { Badge, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { accountPath, get } from '../../shell/api.ts';
import type { Brand, Key, Page, Settings, TemplateDetail } from '../../shell/contract.ts';
import { drawTemplate, saveDrawn } from '../../shell/drawn-file.ts';
import { useLoad } from '../../shell/load.ts';
import type { PageProps, TemplatePageProps } from '../../shell/page-props.ts';
import { exampleOf, type Parameter, parametersOf } from '../../shell/parameters.ts';
import { mayDo } from '../../shell/session.ts';
import { TemplateHead } from '../template-head.tsx';
import { BulkSection } from './bulk/bulk-section.tsx';
import { type LivePreview, useLivePreview } from './live-preview.ts';
import { SignedUrlSection } from './signed-url-section.tsx';
import { curlSnippet, javascriptSnippet, pythonSnippet } from './snippets.ts';
import './use.css';
import { texts } from '../../texts/pages.ts';
import { inSentence, problemIn, problemsOf, type Values, withValue } from './values.ts';
import { ValuesForm } from './values-form.tsx';

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
            <ButtonLink icon={pencil} href={`${STUDIO}/a/${accountId}/templates/${templateId}/edit`}>
              {texts.value.common.edit}
            </ButtonLink>
          )
        }
      />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!template && !error && <SkeletonRows rows={10} />}
      {template && <Filled accountId={accountId} template={template} mayEdit={mayEdit} />}
    </>
  );
}

interface FilledProps extends PageProps {
  readonly template: TemplateDetail;
  readonly mayEdit: boolean;
}

/** The form, its picture, and all that uses the values of the form. */
function Filled({ accountId, template, mayEdit }: FilledProps) {
  const parameters = useMemo(() => parametersOf(template.document), [template]);
  const [values, setValues] = useState<Values>({});
  const [isAsked, setAsked] = useState(false);
  const { isBusy, error: refusal, setError: setRefusal, run } = useAction();
  const wrong = useMemo(() => problemsOf(parameters, values, true), [parameters, values]);
  const lacking = useMemo(() => problemsOf(parameters, values, false), [parameters, values]);
  // What does not fit is left out of the picture, which otherwise could not be drawn.
  const fitting = useMemo(
    () => Object.fromEntries(Object.entries(values).filter(([name]) => wrong[name] === undefined)),
    [values, wrong],
  );
  const { brand } = template.document;
  const brandPath = typeof brand === 'string' ? accountPath(accountId, 'brands', brand) : null;
  const brandColors = useLoad(brandPath, () => get<Brand>(brandPath ?? '')).data?.colors ?? null;
  const preview = useLivePreview(accountId, template, fitting);
  const answer = refusal ?? preview.error;
  const named = answer && problemIn(answer.message, parameters);
  const problems = { ...(named && { [named.name]: named.problem }), ...(isAsked ? lacking : wrong) };
  const missing = parameters.find(({ name }) => lacking[name] !== undefined);
  const firstProblem = missing ? inSentence(missing.label, lacking[missing.name] ?? '') : null;
  const download = async () => {
    setAsked(true);
    if (missing) return document.querySelector<HTMLElement>('.values [aria-invalid="true"], .values .input')?.focus();
    await saveDrawn(template.name, chosenFile.peek(), async (request) => {
      const drawn = await drawTemplate(accountId, template.id, { ...request, modifications: values });
      return drawn.blob;
    });
  };
  return (
    <div class="use">
      <div class="use-filled">
        <section class="section use-form" aria-labelledby="values">
          <header>
            <div>
              <h2 id="values">{texts.value.use.fillIn}</h2>
              <p>{texts.value.use.pictureFollowsTemplate}</p>
            </div>
            {Object.keys(values).length > 0 && (
              <Button dense look="quiet" onClick={() => setValues({})}>
                {texts.value.use.resetAll}
              </Button>
            )}
          </header>
          <ValuesForm
            accountId={accountId}
            parameters={parameters}
            values={values}
            problems={problems}
            wrongCells={named ? { [named.name]: named.cell } : {}}
            brandColors={brandColors}
            onValue={(parameter, value) => {
              setRefusal(null);
              setValues((before) => withValue(before, parameter, value));
            }}
          />
        </section>
        <aside class="use-side" aria-label={texts.value.use.thePicture}>
          <Picture template={template} preview={preview} />
          {answer && !named && <ErrorPanel error={answer} />}
          {preview.warnings.length > 0 && !preview.isStale && (
            <Note warn>
              {preview.warnings.map((warning) => (
                <p key={warning}>{warning}</p>
              ))}
            </Note>
          )}
          <DownloadFields width={template.width} height={template.height} />
          <Button look="main" icon={downloadIcon} busy={isBusy} onClick={() => void run(download)}>
            {texts.value.common.download}
          </Button>
          <Problem of={isAsked && firstProblem} />
          <p class="card-facts">{texts.value.use.versionPx(template.version, template.width, template.height)}</p>
          {template.draft && <Note>{texts.value.use.thereDraftNot(template.version)}</Note>}
        </aside>
      </div>
      <div class="use-main">
        {mayEdit && (
          <SignedUrlSection accountId={accountId} template={template} values={values} missing={firstProblem} />
        )}
        <Requests accountId={accountId} template={template} parameters={parameters} values={values} />
        {mayEdit && <BulkSection accountId={accountId} template={template} />}
        <Parameters parameters={parameters} />
      </div>
    </div>
  );
}

function Picture({ template, preview }: { template: TemplateDetail; preview: LivePreview }) {
  const address = useBlobAddress(preview.blob);
  return (
    <div class="use-picture" aria-busy={preview.isStale}>
      <img
        class={preview.isStale && address ? 'is-stale' : ''}
        src={address ?? template.thumbnail}
        width={template.width}
        height={template.height}
        alt={template.name}
      />
    </div>
  );
}

type Language = 'curl' | 'javascript' | 'python';

interface RequestsProps extends PageProps {
  readonly template: TemplateDetail;
  readonly parameters: readonly Parameter[];
  readonly values: Values;
}

function Requests({ accountId, template, parameters, values }: RequestsProps) {
  const [language, setLanguage] = useState<Language>('curl');
  const settingsPath = accountPath(accountId, 'settings');
  const { data: settings } = useLoad(settingsPath, () => get<Settings>(settingsPath));
  const keysPath = accountPath(accountId, 'keys');
  const { data: keys } = useLoad(`${keysPath}?first`, () => get<Page<Key>>(keysPath, { limit: 20 }));
  const hasKey = keys === null || keys.items.some(({ revokedAt }) => revokedAt === null);
  const request = {
    address: settings?.address ?? location.origin,
    template: template.id,
    modifications: Object.keys(values).length > 0 ? values : exampleOf(parameters),
    output: 'png',
  };
  const code = { curl: curlSnippet, javascript: javascriptSnippet, python: pythonSnippet }[language](request);
  return (
    <section class="section" aria-labelledby="requests">
      <header>
        <div>
          <h2 id="requests">{texts.value.use.renderKey}</h2>
          <p>{texts.value.use.samePictureProgram}</p>
        </div>
        <ButtonLink dense icon={keyRound} href={`${STUDIO}/a/${accountId}/keys?new=key`}>
          {texts.value.common.newKey}
        </ButtonLink>
      </header>
      {!hasKey && <Note>{texts.value.use.accountHasNo}</Note>}
      <Tabs
        label={texts.value.use.language}
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
          <CodeBlock code={code} label={texts.value.use.theRequest(language)} />
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
          <h2 id="parameters">{texts.value.use.parameters}</h2>
          <p>{texts.value.use.everyNamedLayer}</p>
        </div>
      </header>
      <Table
        label={texts.value.use.parameters}
        rows={parameters}
        rowKey={({ name }) => name}
        columns={[
          { key: 'name', header: texts.value.common.name, width: '24%', render: ({ name }) => <code>{name}</code> },
          {
            key: 'type',
            header: texts.value.use.layer,
            width: '12%',
            render: ({ type }) => <Badge>{texts.value.layerTypes[type] ?? type}</Badge>,
          },
          {
            key: 'property',
            header: texts.value.use.changes,
            width: '16%',
            render: ({ property }) => <span class="muted">{property ?? texts.value.use.visibility}</span>,
          },
          {
            key: 'rules',
            header: texts.value.use.rules,
            width: '20%',
            // Nothing, rather than an empty element: at 390 px its name would stand alone.
            render: (parameter) => rulesOf(parameter) && <span class="muted">{rulesOf(parameter)}</span>,
          },
          {
            key: 'value',
            header: texts.value.use.design,
            render: ({ value }) =>
              value && (
                <span class="muted" title={value}>
                  {value.startsWith('data:') ? texts.value.use.pictureTemplate : value}
                </span>
              ),
          },
        ]}
      />
    </section>
  );
}

/** `required, at most 40 characters` */
function rulesOf({ required, kind, maxLength, min, max, choices, isOffered }: Parameter): string {
  return [
    required && texts.value.use.required,
    maxLength !== undefined && texts.value.use.atMost(maxLength),
    choices && texts.value.use.oneOf(choices.length),
    (kind === 'number' || kind === 'url') && kind,
    min !== undefined && texts.value.use.from(min),
    max !== undefined && texts.value.use.to(max),
    !isOffered && texts.value.use.notForm,
  ]
    .filter(Boolean)
    .join(', ');
}
