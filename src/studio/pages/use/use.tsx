// How to use a template: a form with its picture to download; then signed URLs, code in three languages, a CSV, and the
// parameters.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Choice } from '#design/choice.ts';
import { worded } from '../../editor/core/design/shown-document.ts';
import { PageSection } from '../../parts/section.tsx';
import { STUDIO } from '../../shell/base.ts';
// Before the sheet of a list is loaded, which brings zod.
import '../../editor/no-eval.ts';
import { useAction } from '../../parts/action.ts';
import { useBlobAddress } from '../../parts/blob-address.ts';
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { chosenFile, chosenViews, DownloadFields, spokenName } from '../../parts/download-fields.tsx';
import { Problem, SearchField, SelectField } from '../../parts/field.tsx';
import { chevronLeft, chevronRight, download as downloadIcon, keyRound, pencil } from '../../parts/icons.ts';
import { type PdfFiles, PdfFilesFields } from '../../parts/pdf-files.tsx';
import { Badge, ErrorPanel, Note, SkeletonRows, WarningNote } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { accountPath, get, getAll } from '../../shell/api.ts';
import type { Brand, BrandHead, FileRequest, Key, ListPage, Settings, TemplateDetail } from '../../shell/contract.ts';
import { drawTemplate, saveDrawn } from '../../shell/drawn-file.ts';
import { useLoad } from '../../shell/load.ts';
import type { PageProps, TemplatePageProps } from '../../shell/page-props.ts';
import { exampleOf, type Parameter, parametersOf } from '../../shell/parameters.ts';
import { mayDo } from '../../shell/session.ts';
import {
  choiceOf,
  ownView,
  sidesOf,
  sizeName,
  type TemplateView,
  type TemplateViews,
  viewsOf,
} from '../../shell/views.ts';
import { TemplateHead } from '../template-head.tsx';
import { BatchSection } from './batch/batch-section.tsx';
import { type LivePreview, useLivePreview } from './live-preview.ts';
import { SignedUrlSection } from './signed-url-section.tsx';
import { curlSnippet, javascriptSnippet, pythonSnippet } from './snippets.ts';
import './use.css';
import { texts } from '../../texts/pages.ts';
import { texts as parts } from '../../texts/shell.ts';
import { inSentence, problemIn, problemsOf, type Values, withValue } from './values.ts';
import { isFound, ValuesForm } from './values-form.tsx';

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
  const known = useMemo(() => viewsOf(template.document, template), [template]);
  const [shown, setShown] = useState(() => ownView(known));
  const [brandName, setBrandName] = useState('');
  const parameters = useMemo(
    () => parametersOf({ ...template.document, ...worded(template.document, choiceOf(known, shown)) }),
    [template, known, shown],
  );
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
  const brand = brandName || template.document.brand;
  const { page: shownPage, ...ofView } = choiceOf(known, shown);
  const choice = { ...ofView, ...(brandName !== '' && { brand: brandName }) };
  const { width, height } = sidesOf(known, shown.size);
  const brandPath = typeof brand === 'string' ? accountPath(accountId, 'brands', brand) : null;
  const shownBrand = useLoad(brandPath, () => get<Brand>(brandPath ?? '')).data;
  const onPage = { ...choice, ...(shownPage !== undefined && { page: shownPage }) };
  const preview = useLivePreview(accountId, template, { width, height, choice: onPage }, fitting);
  // How many pages what flows has is known once it was drawn.
  const views = { ...known, pages: Math.max(known.pages, preview.pages) };
  const isPageGone = shownPage !== undefined && preview.error?.message.startsWith('page: ') === true;
  useEffect(() => {
    if (isPageGone) setShown(({ page: _gone, ...view }) => view);
  }, [isPageGone]);
  const answer = refusal ?? (isPageGone ? null : preview.error);
  const named = answer && problemIn(answer.message, parameters);
  const problems = { ...(named && { [named.name]: named.problem }), ...(isAsked ? lacking : wrong) };
  const missing = parameters.find(({ name }) => lacking[name] !== undefined);
  const firstProblem = missing ? inSentence(missing.label, lacking[missing.name] ?? '') : null;
  const wanted = chosenViews(views, shown);
  const [file, setFile] = useState(0);
  // Of this page alone: the XML of one invoice is not to get into another.
  const [pdf, setPdf] = useState<PdfFiles>({});
  const isPdf = chosenFile.value.output === 'pdf' && template.document.layers !== undefined;
  const download = async () => {
    setAsked(true);
    if (missing) return document.querySelector<HTMLElement>('.values [aria-invalid="true"], .values .input')?.focus();
    const { output, scale } = chosenFile.peek();
    const draw = async (request: FileRequest) => {
      const within = isPdf && Object.keys(pdf).length > 0 ? { pdf: { ...pdf } } : {};
      const all = { ...request, ...within, ...(brandName !== '' && { brand: brandName }), modifications: values };
      return (await drawTemplate(accountId, template.id, all)).blob;
    };
    await saveDrawn({ name: template.name, output, scale, views, wanted, draw, onFile: setFile });
  };
  return (
    <div class="use">
      <div class="use-filled">
        <PageSection
          id="values"
          title={texts.value.use.fillIn}
          intro={texts.value.use.pictureFollowsTemplate}
          look="section use-form"
          actions={
            Object.keys(values).length > 0 && (
              <Button dense look="quiet" onClick={() => setValues({})}>
                {texts.value.use.resetAll}
              </Button>
            )
          }
        >
          <ViewFields
            {...{ accountId, template, views, shown }}
            onShow={setShown}
            brand={brandName}
            onBrand={setBrandName}
          />
          <ValuesForm
            accountId={accountId}
            parameters={parameters}
            values={values}
            problems={problems}
            wrongCells={named ? { [named.name]: named.cell } : {}}
            brand={shownBrand}
            onValue={(parameter, value) => {
              setRefusal(null);
              setValues((before) => withValue(before, parameter, value));
            }}
          />
        </PageSection>
        <aside class="use-side" aria-label={texts.value.use.thePicture}>
          <Picture name={template.name} first={template.thumbnail} {...{ width, height }} preview={preview} />
          {views.pages > 1 && (
            <Pager page={shown.page ?? 1} pages={views.pages} onPage={(page) => setShown({ ...shown, page })} />
          )}
          {answer && !named && <ErrorPanel error={answer} />}
          {!preview.isStale && <WarningNote warnings={preview.warnings} />}
          <DownloadFields views={views} shown={shown} />
          {isPdf && (
            <PdfFilesFields
              files={pdf}
              onChange={(patch) => {
                setRefusal(null);
                const next = Object.entries({ ...pdf, ...patch }).filter(([, value]) => value !== undefined);
                setPdf(Object.fromEntries(next));
              }}
            />
          )}
          <Button look="main" icon={downloadIcon} busy={isBusy} onClick={() => void run(download)}>
            {parts.value.parts.downloadFiles(wanted.length)}
          </Button>
          {isBusy && wanted.length > 1 && <p role="status">{parts.value.parts.fileOf(file + 1, wanted.length)}</p>}
          <Problem of={isAsked && firstProblem} />
          <p class="card-facts">{texts.value.use.versionPx(template.version, width, height)}</p>
          {template.draft && <Note>{texts.value.use.thereDraftNot(template.version)}</Note>}
        </aside>
      </div>
      <div class="use-main">
        {mayEdit && (
          <SignedUrlSection
            accountId={accountId}
            template={template}
            view={{ width, height, choice }}
            values={values}
            missing={firstProblem}
          />
        )}
        <Requests accountId={accountId} template={template} {...{ parameters, choice, values }} />
        {mayEdit && <BatchSection accountId={accountId} template={template} />}
        <Parameters parameters={parameters} views={views} hasBrand={template.document.brand !== undefined} />
      </div>
    </div>
  );
}

interface ViewFieldsProps extends PageProps {
  readonly template: TemplateDetail;
  readonly views: TemplateViews;
  readonly shown: TemplateView;
  readonly onShow: (view: TemplateView) => void;
  /** The name of another brand; empty: the template's own. */
  readonly brand: string;
  readonly onBrand: (brand: string) => void;
}

/** Which size, language and brand the page is about; nothing where there is one of each. */
function ViewFields({ accountId, template, views, shown, onShow, brand, onBrand }: ViewFieldsProps) {
  const own = template.document.brand;
  const path = typeof own === 'string' ? accountPath(accountId, 'brands') : null;
  const { data } = useLoad(path, () => getAll<BrandHead>(path ?? ''));
  const others = data?.filter(({ name }) => name !== String(own).split('@')[0]) ?? [];
  if (views.sizes.length === 1 && views.languages.length === 1 && others.length === 0) return null;
  return (
    <div class="form-row">
      {views.sizes.length > 1 && (
        <SelectField
          label={texts.value.common.size}
          value={shown.size}
          onChoose={(size) => onShow({ ...shown, size })}
          options={views.sizes.map(({ name, width, height }) => ({
            value: name,
            label: `${sizeName(name)}, ${width} × ${height}`,
          }))}
        />
      )}
      {views.languages.length > 1 && (
        <SelectField
          label={texts.value.use.language}
          value={shown.lang ?? ''}
          onChoose={(lang) => onShow({ ...shown, lang: lang || null })}
          options={views.languages.map((lang) => ({ value: lang ?? '', label: spokenName(lang) }))}
        />
      )}
      {others.length > 0 && (
        <SelectField
          label={texts.value.use.brand}
          value={brand}
          onChoose={onBrand}
          options={[
            { value: '', label: String(own).split('@')[0] ?? '' },
            ...others.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
      )}
    </div>
  );
}

interface PictureProps {
  readonly name: string;
  /** What is shown before the first answer. */
  readonly first: string;
  readonly width: number;
  readonly height: number;
  readonly preview: LivePreview;
}

function Picture({ name, first, width, height, preview }: PictureProps) {
  const address = useBlobAddress(preview.blob);
  return (
    <div class="use-picture" aria-busy={preview.isStale}>
      <img
        class={preview.isStale && address ? 'is-stale' : ''}
        src={address ?? first}
        width={width}
        height={height}
        alt={name}
      />
    </div>
  );
}

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** Which page of a document the picture shows. */
function Pager({ page, pages, onPage }: PagerProps) {
  const { use } = texts.value;
  return (
    <div class="use-pager" role="group" aria-label={use.pages}>
      <IconButton icon={chevronLeft} label={use.pageBefore} disabled={page === 1} onClick={() => onPage(page - 1)} />
      <span role="status">{use.pageOf(page, pages)}</span>
      <IconButton
        icon={chevronRight}
        label={use.pageAfter}
        disabled={page === pages}
        onClick={() => onPage(page + 1)}
      />
    </div>
  );
}

type Language = 'curl' | 'javascript' | 'python';

interface RequestsProps extends PageProps {
  readonly template: TemplateDetail;
  readonly parameters: readonly Parameter[];
  readonly choice: Choice;
  readonly values: Values;
}

function Requests({ accountId, template, parameters, choice, values }: RequestsProps) {
  const [language, setLanguage] = useState<Language>('curl');
  const settingsPath = accountPath(accountId, 'settings');
  const { data: settings } = useLoad(settingsPath, () => get<Settings>(settingsPath));
  const keysPath = accountPath(accountId, 'keys');
  const { data: keys } = useLoad(`${keysPath}?first`, () => get<ListPage<Key>>(keysPath, { limit: 20 }));
  const hasKey = keys === null || keys.items.some(({ revokedAt }) => revokedAt === null);
  const request = {
    address: settings?.address ?? location.origin,
    template: template.id,
    modifications: Object.keys(values).length > 0 ? values : exampleOf(parameters),
    output: 'png',
    ...choice,
  };
  const code = { curl: curlSnippet, javascript: javascriptSnippet, python: pythonSnippet }[language](request);
  return (
    <PageSection
      id="requests"
      title={texts.value.use.renderKey}
      intro={texts.value.use.samePictureProgram}
      actions={
        <ButtonLink dense icon={keyRound} href={`${STUDIO}/a/${accountId}/keys?new=key`}>
          {texts.value.common.newKey}
        </ButtonLink>
      }
    >
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
    </PageSection>
  );
}

interface ParametersProps {
  readonly parameters: readonly Parameter[];
  readonly views: TemplateViews;
  readonly hasBrand: boolean;
}

/** The rows that are shown at first. */
const FEW = 12;

/** A row for each parameter, then one for each choice that the template leaves. */
function Parameters({ parameters, views, hasBrand }: ParametersProps) {
  const { use, common } = texts.value;
  const sizes = views.sizes.map(({ name }) => name);
  const languages = views.languages.filter((lang) => lang !== null);
  const choices = [
    { name: 'size', what: common.size, isThere: sizes.length > 1, rules: [...sizes, 'all'] },
    { name: 'lang', what: use.language, isThere: views.languages.length > 1, rules: [...languages, 'all'] },
    { name: 'brand', what: use.brand, isThere: hasBrand, rules: [] },
  ].filter(({ isThere }) => isThere);
  const [search, setSearch] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  const found = search === '' ? parameters : parameters.filter((one) => isFound(one, search));
  const shown = showsAll ? found : found.slice(0, FEW);
  return (
    <PageSection id="parameters" title={texts.value.use.parameters} intro={use.everyNamedLayer}>
      {parameters.length > FEW && <SearchField label={use.searchParameters} value={search} onText={setSearch} />}
      <Table
        label={texts.value.use.parameters}
        rows={shown}
        rowKey={({ name }) => name}
        columns={[
          { header: texts.value.common.name, width: '24%', render: ({ name }) => <code>{name}</code> },
          {
            header: texts.value.use.layer,
            width: '12%',
            render: ({ type }) => <Badge>{texts.value.layerTypes[type] ?? type}</Badge>,
          },
          {
            header: texts.value.use.changes,
            width: '16%',
            render: ({ property }) => <span class="muted">{property ?? texts.value.use.visibility}</span>,
          },
          {
            header: texts.value.use.rules,
            width: '20%',
            // Nothing, rather than an empty element: at 390 px its name would stand alone.
            render: (parameter) => rulesOf(parameter) && <span class="muted">{rulesOf(parameter)}</span>,
          },
          {
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
      {shown.length < found.length && (
        <div class="table-more">
          <Button onClick={() => setShowsAll(true)}>{use.moreParameters(found.length - shown.length)}</Button>
        </div>
      )}
      {found.length === 0 && <p class="muted">{use.thereNone}</p>}
      {choices.length > 0 && <h3>{use.choices}</h3>}
      {choices.length > 0 && (
        <Table
          label={use.choices}
          rows={choices}
          rowKey={({ name }) => name}
          columns={[
            { header: common.name, width: '24%', render: ({ name }) => <code>{name}</code> },
            { header: use.changes, width: '28%', render: ({ what }) => <Badge>{what}</Badge> },
            { header: use.values, render: ({ rules }) => <span class="muted">{rules.join(', ') || use.aBrand}</span> },
          ]}
        />
      )}
    </PageSection>
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
