// Builds a signed URL: a picture at a URL that needs no key, with its values in the query.

import { useEffect, useState } from 'preact/hooks';
import { choosingParameters } from '#design/choice.ts';
import { extensionOf, labelOf, REQUEST_OUTPUTS } from '#draw/output/formats.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { SelectField } from '../../parts/field.tsx';
import { externalLink } from '../../parts/icons.ts';
import { PageSection } from '../../parts/section.tsx';
import { Note } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { toastError } from '../../parts/toast.tsx';
import { accountPath, call } from '../../shell/api.ts';
import type { TemplateDetail } from '../../shell/contract.ts';
import { parametersOf } from '../../shell/parameters.ts';
import { texts } from '../../texts/pages.ts';
import type { ShownView } from './live-preview.ts';
import { htmlSnippet } from './snippets.ts';
import { queryOf, type Values } from './values.ts';

/** Hours from now; null: never. */
const LIFETIMES = ['', '1', '24', '168', '8760'] as const;
/** ms after the last change of the form. */
const SETTLED = 300;

interface SignedUrlProps {
  readonly accountId: string;
  readonly template: TemplateDetail;
  /** What is shown above: its sides, px, and what a request says of it. */
  readonly view: ShownView;
  /** The values of the form above, all of which fit. */
  readonly values: Values;
  /** What is still missing or does not fit; null: nothing. */
  readonly missing: string | null;
}

export function SignedUrlSection({ accountId, template, view, values, missing }: SignedUrlProps) {
  const [extension, setExtension] = useState('png');
  const [isPinned, setPinned] = useState('');
  const [lifetime, setLifetime] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const [form, setForm] = useState<'address' | 'html'>('address');
  const path = accountPath(accountId, 'templates', template.id, 'signed-url');
  const [isStale, setStale] = useState(true);
  const named = new Set(parametersOf(template.document).map(({ name }) => name));
  const may = choosingParameters(template.document, named);
  const lost = Object.keys(view.choice).filter((name) => !(may as readonly string[]).includes(name));
  // A URL names layers and choices alike, so a layer of the name comes first.
  const parameters = JSON.stringify({
    ...Object.fromEntries(may.flatMap((name) => (view.choice[name] === undefined ? [] : [[name, view.choice[name]]]))),
    ...queryOf(values),
  });
  const lists = Object.keys(values).filter((name) => typeof values[name] === 'object');

  // Signed again whenever the form settles: nothing is drawn or metered until somebody opens the URL.
  useEffect(() => {
    setStale(true);
    if (missing !== null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const expires = lifetime === '' ? null : new Date(Date.now() + Number(lifetime) * 3_600_000).toISOString();
      const body = {
        extension,
        version: isPinned === '' ? null : template.version,
        parameters: JSON.parse(parameters) as object,
        expires,
      };
      call<{ url: string }>('POST', path, { body, signal: abort.signal }).then(
        ({ url }) => {
          setMade(url);
          setStale(false);
        },
        (err: unknown) => {
          if (!abort.signal.aborted) toastError(err);
        },
      );
    }, SETTLED);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [parameters, missing, extension, isPinned, lifetime, path, template.version]);

  return (
    <PageSection id="signed" title={texts.value.use.signedUrl} intro={texts.value.use.signedNote}>
      <form class="section" onSubmit={(event) => event.preventDefault()}>
        <div class="form-row">
          <SelectField
            label={texts.value.common.format}
            value={extension}
            onChoose={setExtension}
            options={REQUEST_OUTPUTS.map((output) => ({ value: extensionOf(output), label: labelOf(output) }))}
          />
          <SelectField
            label={texts.value.common.version}
            value={isPinned}
            onChoose={setPinned}
            options={[
              { value: '', label: texts.value.use.theNewest },
              { value: 'pinned', label: texts.value.use.alwaysVersion(template.version) },
            ]}
          />
          <SelectField
            label={texts.value.use.expiry}
            value={lifetime}
            onChoose={setLifetime}
            options={LIFETIMES.map((value) => ({ value, label: texts.value.lifetimes[value] }))}
          />
        </div>
      </form>
      {missing !== null && <Note>{texts.value.use.urlCarriesValues(missing)}</Note>}
      {missing === null && lists.length > 0 && <Note>{texts.value.use.urlWithoutLists(lists.join(', '))}</Note>}
      {lost.length > 0 && <Note warn>{texts.value.use.urlWithoutChoice(lost.join(', '))}</Note>}
      {made && missing === null && (
        <div class={isStale ? 'section is-stale' : 'section'} aria-busy={isStale}>
          <Tabs
            label={texts.value.use.form}
            dense
            current={form}
            onChoose={setForm}
            tabs={[
              { name: 'address', label: texts.value.account.address },
              { name: 'html', label: texts.value.use.imgMetaTags },
            ]}
          >
            <div class="tab-space">
              {form === 'address' ? (
                <CodeBlock line code={made} label={texts.value.use.theSignedUrl} />
              ) : (
                <CodeBlock
                  code={htmlSnippet(made, template.name, view.width, view.height)}
                  label={texts.value.use.theTags}
                />
              )}
            </div>
          </Tabs>
          <div>
            <ButtonLink dense icon={externalLink} href={made} target="_blank" rel="noreferrer">
              {texts.value.use.openNewTab}
            </ButtonLink>
          </div>
        </div>
      )}
    </PageSection>
  );
}
