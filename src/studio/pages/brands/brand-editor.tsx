// One brand: its entries by kind, its versions. A save makes a version; templates take it over when they are saved with it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { FillValue } from '../../editor/inspector/fill.ts';
import { FillField } from '../../editor/inspector/fill-field.tsx';
import { SwatchesContext } from '../../editor/inspector/inspector-context.ts';
import { Problem } from '../../parts/field.tsx';
import { STUDIO } from '../../shell/base.ts';
import '../../editor/inspector/inspector.css';
import { NumberInput } from '../../editor/inspector/number-input.tsx';
import { useAction } from '../../parts/action.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { history, image as imageIcon, plus, trash2 } from '../../parts/icons.ts';
import { Menu } from '../../parts/menu.tsx';
import { FilePicture } from '../../parts/picture-address.tsx';
import { PictureDialog } from '../../parts/picture-dialog.tsx';
import { Badge, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { ApiError, accountPath, get, put, remove } from '../../shell/api.ts';
import type {
  Brand,
  BrandVersions,
  FontFamily,
  FontList,
  OutdatedUsesPage,
  StoredImageDetail,
} from '../../shell/contract.ts';
import { ago } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { forget, useLoad } from '../../shell/load.ts';
import { mayDo } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';
import {
  added,
  type BrandDraft,
  changed,
  documentOf,
  draftOf,
  type Entry,
  isEmpty,
  type Kind,
  MAX_ENTRIES,
  problems,
  removed,
  renamed,
  type TextStyle,
} from './brand-draft.ts';
import { FamilyField, FontSample, TextStyleFields } from './text-style-fields.tsx';

/** The kinds, each with the entry that is added first. */
const SECTIONS: readonly {
  readonly kind: Kind;
  readonly first: readonly [name: string, value: unknown];
}[] = [
  { kind: 'colors', first: ['primary', '#1d4ed8'] },
  { kind: 'textStyles', first: ['headline', { fontFamily: 'Inter', fontSize: 64, fontWeight: 700 }] },
  { kind: 'fonts', first: ['display', 'Inter'] },
  { kind: 'images', first: ['logo', ''] },
  { kind: 'numbers', first: ['radius', 12] },
];

export function BrandEditor({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const { route } = useLocation();
  const path = accountPath(accountId, 'brands', name);
  const { data, error, reload } = useLoad(path, () => get<Brand>(path));
  const versions = useLoad(`${path}/versions`, () => get<BrandVersions>(`${path}/versions`));
  const uses = useLoad(`${path}/outdated-uses?limit=1`, () =>
    get<OutdatedUsesPage>(`${path}/outdated-uses`, { limit: 1 }),
  );
  const fonts = useLoad(accountPath(accountId, 'fonts'), () => get<FontList>(accountPath(accountId, 'fonts')));
  const mayEdit = mayDo(accountId, 'editor');
  const [draft, setDraft] = useState<BrandDraft | null>(null);
  const [saved, setSaved] = useState<BrandDraft | null>(null);
  const [base, setBase] = useState(0);
  const { isBusy, error: failure, run } = useAction();
  const [isDeleting, setDeleting] = useState(false);
  const show = (brand: Brand) => {
    const next = draftOf(brand);
    setDraft(next);
    setSaved(next);
    setBase(brand.version);
  };
  // What is typed stays when the brand is loaded again.
  const known = useRef<Brand | null>(null);
  if (data && known.current !== data) {
    known.current = data;
    if (draft === null || (draft === saved && data.version > base)) show(data);
  }
  const isChanged = draft !== saved;
  useEffect(() => {
    if (!isChanged) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onLeave);
    return () => removeEventListener('beforeunload', onLeave);
  }, [isChanged]);
  const save = async (over = base) => {
    if (!draft) return;
    const brand = await put<Brand>(path, { baseVersion: over, brand: documentOf(draft) });
    forget(accountPath(accountId, 'brands'));
    show(brand);
    versions.reload();
    uses.reload();
    toast(texts.value.brands.savedAsVersion(brand.version));
  };
  const openVersion = async (version: number) => {
    setDraft(draftOf(await get<Brand>(accountPath(accountId, 'brands', `${name}@${version}`))));
    toast(texts.value.brands.versionIsShown(version));
  };
  const wrong = draft ? problems(draft) : new Map<number, string>();
  const outdated = uses.data?.total ?? 0;
  const isConflict = failure instanceof ApiError && failure.status === 409;
  return (
    <>
      <a class="brand-back" href={`${STUDIO}/a/${accountId}/brands`}>
        {texts.value.brands.brands}
      </a>
      <PageHead
        name={name}
        title={
          <>
            {name} {base > 0 && <Badge>{texts.value.common.versionNumbered(base)}</Badge>}
          </>
        }
        actions={
          mayEdit && (
            <>
              <Menu
                align="end"
                entries={[
                  { title: texts.value.common.versions },
                  ...(versions.data?.items.slice(0, 30) ?? []).map(({ version, createdAt }) => ({
                    label: texts.value.common.versionNumbered(version),
                    aside: ago(createdAt),
                    checked: version === base,
                    onSelect: () => void run(() => openVersion(version)),
                  })),
                  'line',
                  {
                    label: texts.value.brands.deleteDots,
                    icon: trash2,
                    danger: true,
                    onSelect: () => setDeleting(true),
                  },
                ]}
              >
                {(attributes) => (
                  <Button {...attributes} icon={history}>
                    {texts.value.common.versions}
                  </Button>
                )}
              </Menu>
              <Button look="main" busy={isBusy} disabled={!isChanged || wrong.size > 0} onClick={() => void run(save)}>
                {texts.value.common.save}
              </Button>
            </>
          )
        }
      />
      {error && !draft && <ErrorPanel error={error} onRetry={reload} />}
      {failure && <ErrorPanel error={failure} />}
      {isConflict && (
        <div class="form-row">
          <Button dense onClick={() => void run(() => get<Brand>(path).then(show))}>
            {texts.value.brands.loadTheirs}
          </Button>
          <Button dense onClick={() => void run(() => get<Brand>(path).then(({ version }) => save(version)))}>
            {texts.value.brands.saveMineOver}
          </Button>
        </div>
      )}
      {!draft && !error && <SkeletonRows rows={8} />}
      {draft && isChanged && !isEmpty(draft) && <Note>{texts.value.brands.keepsVersion}</Note>}
      {draft && !isChanged && outdated > 0 && (
        <Note>
          {texts.value.brands.outdatedUses(outdated)}{' '}
          <a href={`${STUDIO}/a/${accountId}/brands?open=${name}&view=uses`}>{texts.value.outdated.beforeAndAfter}</a>
        </Note>
      )}
      {draft &&
        SECTIONS.map(({ kind, first: [firstName, value] }) => (
          <section key={kind} class="section brand-section">
            <header>
              <div>
                <h2>{texts.value.brandKinds[kind]}</h2>
                <p>{texts.value.aboutBrandKinds[kind]}</p>
              </div>
              {mayEdit && (
                <Button
                  dense
                  icon={plus}
                  disabled={draft[kind].length >= MAX_ENTRIES}
                  onClick={() => setDraft(added(draft, kind, firstName, value))}
                >
                  {texts.value.addBrandKinds[kind]}
                </Button>
              )}
            </header>
            {draft[kind].map((entry) => (
              <EntryRow
                key={entry.key}
                {...{ accountId, kind, entry, draft, mayEdit }}
                families={fonts.data?.families ?? []}
                problem={wrong.get(entry.key) ?? null}
                onDraft={setDraft}
              />
            ))}
          </section>
        ))}
      {isDeleting && (
        <ConfirmDialog
          title={texts.value.ending.deleteTitle(name)}
          action={texts.value.brands.deleteBrand}
          isDanger
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await remove(path);
            forget(accountPath(accountId, 'brands'));
            route(`${STUDIO}/a/${accountId}/brands`, true);
          }}
        >
          {texts.value.brands.deleteNote}
        </ConfirmDialog>
      )}
    </>
  );
}

interface EntryRowProps {
  readonly accountId: string;
  readonly kind: Kind;
  readonly entry: Entry;
  readonly draft: BrandDraft;
  readonly mayEdit: boolean;
  readonly families: readonly FontFamily[];
  readonly problem: string | null;
  readonly onDraft: (draft: BrandDraft) => void;
}

function EntryRow({ accountId, kind, entry, draft, mayEdit, families, problem, onDraft }: EntryRowProps) {
  const { key, name, value } = entry;
  const set = (next: unknown) => onDraft(changed(draft, kind, key, next));
  const label = name === '' ? texts.value.brands.unnamed : name;
  const controls: Readonly<Record<Kind, () => ComponentChildren>> = {
    colors: () => (
      <span class="brand-color-field">
        <SwatchesContext.Provider value={() => colorsOf(draft)}>
          <FillField label={label} value={value as FillValue} onFill={set} />
        </SwatchesContext.Provider>
      </span>
    ),
    textStyles: () => (
      <TextStyleFields {...{ accountId, label, draft, families }} style={value as TextStyle} onStyle={set} />
    ),
    fonts: () => (
      <>
        <FamilyField label={label} value={value} families={families} draft={null} onFamily={set} />
        <FontSample accountId={accountId} families={families} style={{ fontFamily: value, fontSize: 24 }} />
      </>
    ),
    images: () => <PictureField accountId={accountId} label={label} source={String(value)} onSource={set} />,
    numbers: () => (
      <span class="brand-number">
        <NumberInput label={label} value={Number(value)} min={-100_000} max={100_000} onNumber={set} />
      </span>
    ),
  };
  return (
    <fieldset class={`brand-entry is-${kind}`} disabled={!mayEdit}>
      <legend class="visually-hidden">{label}</legend>
      <span class="brand-entry-name">
        <input
          class="input is-dense is-mono"
          aria-label={texts.value.brands.nameOf(label)}
          value={name}
          spellcheck={false}
          aria-invalid={problem !== null}
          onInput={(event) => onDraft(renamed(draft, kind, key, event.currentTarget.value.trim()))}
        />
        <Problem of={problem} />
      </span>
      <div class="brand-entry-value">{controls[kind]()}</div>
      <IconButton
        icon={trash2}
        label={texts.value.brands.removeNamed(label)}
        dense
        onClick={() => onDraft(removed(draft, kind, key))}
      />
    </fieldset>
  );
}

const colorsOf = (draft: BrandDraft): readonly string[] =>
  draft.colors.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));

interface PictureFieldProps {
  readonly accountId: string;
  readonly label: string;
  readonly source: string;
  readonly onSource: (source: string) => void;
}

function PictureField({ accountId, label, source, onSource }: PictureFieldProps) {
  const [isChoosing, setChoosing] = useState(false);
  const upload = source.startsWith('img_') ? accountPath(accountId, 'images', source) : null;
  const { data: stored } = useLoad(upload, () => get<StoredImageDetail>(upload ?? ''));
  // The page loads nothing from other hosts.
  const shown = source.startsWith('data:') ? source : upload && `${upload}/file`;
  // Of a picture within the brand, its media type.
  const name = stored?.name ?? (source.startsWith('data:') ? source.slice(5, source.search(/[;,]/)) : source);
  return (
    <>
      <button
        type="button"
        class="brand-picture"
        aria-label={texts.value.use.choosePictureFor(label)}
        onClick={() => setChoosing(true)}
      >
        {shown ? <FilePicture src={shown} /> : <Icon of={imageIcon} size={20} />}
      </button>
      <span class="faint truncate">{name === '' ? texts.value.brands.noPictureYet : name}</span>
      {isChoosing && (
        <PictureDialog
          accountId={accountId}
          label={`“${label}”`}
          mayUpload
          onChoose={(chosen) => {
            onSource(chosen);
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
