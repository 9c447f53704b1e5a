// Builds a signed URL: a picture at an address that needs no key, with its values in the query.

import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { externalLink, link } from '../../parts/icons.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { toastError } from '../../parts/toast.tsx';
import { accountPath, post } from '../../shell/api.ts';
import type { TemplateDetail } from '../../shell/contract.ts';
import { parametersOf } from '../../shell/parameters.ts';
import { htmlSnippet } from './snippets.ts';

/** Hours from now; null: never. */
const LIFETIMES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'Never expires' },
  { value: '1', label: 'Expires in an hour' },
  { value: '24', label: 'Expires in a day' },
  { value: '168', label: 'Expires in a week' },
  { value: '8760', label: 'Expires in a year' },
];
const EXTENSIONS = ['png', 'jpg', 'webp', 'pdf'];
/** Fields that are shown at once. */
const FEW = 6;

export function SignedUrlSection({ accountId, template }: { accountId: string; template: TemplateDetail }) {
  const parameters = parametersOf(template.document).filter(({ type }) => type !== 'shape' && type !== 'frame');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [extension, setExtension] = useState('png');
  const [isPinned, setPinned] = useState('');
  const [lifetime, setLifetime] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [form, setForm] = useState<'address' | 'html'>('address');
  const make = async () => {
    setBusy(true);
    try {
      const expires = lifetime === '' ? null : new Date(Date.now() + Number(lifetime) * 3_600_000).toISOString();
      const { url } = await post<{ url: string }>(accountPath(accountId, 'templates', template.id, 'signed-url'), {
        extension,
        version: isPinned === '' ? null : template.version,
        parameters: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
        expires,
      });
      setMade(url);
    } catch (err) {
      toastError(err);
    } finally {
      setBusy(false);
    }
  };
  // What was signed no longer says what stands in the form.
  const change = (act: () => void) => {
    act();
    setMade(null);
  };
  return (
    <section class="section" aria-labelledby="signed">
      <header>
        <div>
          <h2 id="signed">Signed URL</h2>
          <p>
            For an &lt;img&gt; or a link preview: drawn when it is first opened, without a key. Nobody can change its
            values.
          </p>
        </div>
      </header>
      <form
        class="section"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <div class="form-grid">
          {parameters.slice(0, showsAll ? undefined : FEW).map(({ name, value }) => (
            <TextField
              key={name}
              label={name}
              placeholder={value?.startsWith('data:') ? '' : (value ?? '')}
              value={values[name] ?? ''}
              onText={(text) => change(() => setValues((before) => ({ ...before, [name]: text })))}
            />
          ))}
        </div>
        {parameters.length > FEW && !showsAll && (
          <div>
            <Button look="quiet" dense onClick={() => setShowsAll(true)}>
              {parameters.length - FEW} more parameters
            </Button>
          </div>
        )}
        <div class="form-row">
          <SelectField
            label="Format"
            value={extension}
            onChoose={(value) => change(() => setExtension(value))}
            options={EXTENSIONS.map((value) => ({ value, label: value.toUpperCase() }))}
          />
          <SelectField
            label="Version"
            value={isPinned}
            onChoose={(value) => change(() => setPinned(value))}
            options={[
              { value: '', label: 'The newest' },
              { value: 'pinned', label: `Always version ${template.version}` },
            ]}
          />
          <SelectField
            label="Expiry"
            value={lifetime}
            onChoose={(value) => change(() => setLifetime(value))}
            options={LIFETIMES}
          />
          <Button type="submit" icon={link} busy={isBusy}>
            Sign URL
          </Button>
        </div>
      </form>
      {made && (
        <>
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
        </>
      )}
    </section>
  );
}
