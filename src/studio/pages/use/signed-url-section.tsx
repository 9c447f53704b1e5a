// Builds a signed URL: a picture at a URL that needs no key, with its values in the query.

import { useEffect, useState } from 'preact/hooks';
import { extensionOf, labelOf, REQUEST_OUTPUTS } from '#output/formats.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { SelectField } from '../../parts/field.tsx';
import { externalLink } from '../../parts/icons.ts';
import { Note } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { toastError } from '../../parts/toast.tsx';
import { accountPath, call } from '../../shell/api.ts';
import type { TemplateDetail } from '../../shell/contract.ts';
import { htmlSnippet } from './snippets.ts';
import { queryOf, type Values } from './values.ts';

/** Hours from now; null: never. */
const LIFETIMES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'Never expires' },
  { value: '1', label: 'Expires in an hour' },
  { value: '24', label: 'Expires in a day' },
  { value: '168', label: 'Expires in a week' },
  { value: '8760', label: 'Expires in a year' },
];
/** ms after the last change of the form. */
const SETTLED = 300;

interface SignedUrlProps {
  readonly accountId: string;
  readonly template: TemplateDetail;
  /** The values of the form above, all of which fit. */
  readonly values: Values;
  /** What is still missing or does not fit; null: nothing. */
  readonly missing: string | null;
}

export function SignedUrlSection({ accountId, template, values, missing }: SignedUrlProps) {
  const [extension, setExtension] = useState('png');
  const [isPinned, setPinned] = useState('');
  const [lifetime, setLifetime] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const [form, setForm] = useState<'address' | 'html'>('address');
  const path = accountPath(accountId, 'templates', template.id, 'signed-url');
  const [isStale, setStale] = useState(true);

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
        parameters: queryOf(values),
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
  }, [values, missing, extension, isPinned, lifetime, path, template.version]);

  return (
    <section class="section" aria-labelledby="signed">
      <header>
        <div>
          <h2 id="signed">Signed URL</h2>
          <p>
            For an &lt;img&gt; or a link preview: drawn with these values when it is first opened, without a key. Nobody
            can change them.
          </p>
        </div>
      </header>
      <form class="section" onSubmit={(event) => event.preventDefault()}>
        <div class="form-row">
          <SelectField
            label="Format"
            value={extension}
            onChoose={setExtension}
            options={REQUEST_OUTPUTS.map((output) => ({ value: extensionOf(output), label: labelOf(output) }))}
          />
          <SelectField
            label="Version"
            value={isPinned}
            onChoose={setPinned}
            options={[
              { value: '', label: 'The newest' },
              { value: 'pinned', label: `Always version ${template.version}` },
            ]}
          />
          <SelectField label="Expiry" value={lifetime} onChoose={setLifetime} options={LIFETIMES} />
        </div>
      </form>
      {missing !== null && <Note>{missing} The URL carries the values above.</Note>}
      {made && missing === null && (
        <div class={isStale ? 'section is-stale' : 'section'} aria-busy={isStale}>
          <Tabs
            label="Form"
            dense
            current={form}
            onChoose={setForm}
            tabs={[
              { name: 'address', label: 'Address' },
              { name: 'html', label: '<img> and meta tags' },
            ]}
          >
            <div class="tab-space">
              {form === 'address' ? (
                <CodeBlock line code={made} label="The signed URL" />
              ) : (
                <CodeBlock code={htmlSnippet(made, template.name, template.width, template.height)} label="The tags" />
              )}
            </div>
          </Tabs>
          <div>
            <ButtonLink dense icon={externalLink} href={made} target="_blank" rel="noreferrer">
              Open in a new tab
            </ButtonLink>
          </div>
        </div>
      )}
    </section>
  );
}
