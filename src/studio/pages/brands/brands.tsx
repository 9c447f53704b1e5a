// The brands of an account: each with its colours and a line of its first text style; one is opened to be edited.

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { cssOf, type FillValue } from '../../editor/inspector/fill.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SearchField, TextField } from '../../parts/field.tsx';
import { palette, plus } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { accountPath, get, getAll, put } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Brand, BrandHead } from '../../shell/contract.ts';
import { PageHead } from '../../shell/frame.tsx';
import { forget, useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { OutdatedUses } from '../outdated/outdated-uses.tsx';
import { brandName, KINDS } from './brand-draft.ts';
import { BrandEditor } from './brand-editor.tsx';
import './brands.css';
import { texts } from '../../texts/pages.ts';

/** Colours of a card. */
const SHOWN = 8;

export default function Brands({ accountId }: PageProps) {
  const { query } = useLocation();
  if (query.open && query.view === 'uses') return <BrandUses accountId={accountId} name={query.open} />;
  if (query.open) return <BrandEditor key={query.open} accountId={accountId} name={query.open} />;
  return <BrandList accountId={accountId} isNew={query.new === '1'} />;
}

/** The templates that use an older version of a brand. */
function BrandUses({ accountId, name }: PageProps & { readonly name: string }) {
  return (
    <>
      <a class="brand-back" href={`${STUDIO}/a/${accountId}/brands?open=${name}`}>
        {texts.value.outdated.brandHas}
      </a>
      <PageHead title={name} />
      <OutdatedUses accountId={accountId} path={accountPath(accountId, 'brands', name)} name={name} />
    </>
  );
}

function BrandList({ accountId, isNew }: PageProps & { readonly isNew: boolean }) {
  const { route } = useLocation();
  const path = accountPath(accountId, 'brands');
  const { data, error, reload } = useLoad(path, () => getAll<BrandHead>(path));
  const [search, setSearch] = useState('');
  const here = `${STUDIO}/a/${accountId}/brands`;
  const mayEdit = mayDo(accountId, 'editor');
  const shown = data?.filter(({ name }) => name.includes(search.trim().toLowerCase())) ?? [];
  const open = () => route(`${here}?new=1`);
  return (
    <>
      <PageHead
        title={texts.value.brands.brands}
        intro={texts.value.brands.intro}
        actions={
          mayEdit && (
            <Button look="main" icon={plus} onClick={open}>
              {texts.value.brands.newBrand}
            </Button>
          )
        }
      />
      {data && data.length > 6 && (
        <div class="bar">
          <SearchField label={texts.value.brands.searchBrands} value={search} onText={setSearch} />
        </div>
      )}
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={4} height={88} />}
      {data?.length === 0 && (
        <EmptyState
          icon={palette}
          title={texts.value.brands.noneYet}
          action={mayEdit && <Button onClick={open}>{texts.value.brands.newBrand}</Button>}
        >
          {texts.value.brands.noneYetNote}
        </EmptyState>
      )}
      {data && data.length > 0 && shown.length === 0 && <EmptyState title={texts.value.brands.noMatch} />}
      <div class="brands">
        {shown.map((head) => (
          <BrandCard key={head.name} accountId={accountId} head={head} />
        ))}
      </div>
      {isNew && mayEdit && (
        <NewBrand
          accountId={accountId}
          onClose={() => route(here, true)}
          onMade={(name) => {
            forget(path);
            route(`${here}?open=${name}`, true);
          }}
        />
      )}
    </>
  );
}

/** Loaded when it scrolls into view. */
function BrandCard({ accountId, head }: { readonly accountId: string; readonly head: BrandHead }) {
  const ref = useRef<HTMLAnchorElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setSeen(true);
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  const path = accountPath(accountId, 'brands', `${head.name}@${head.version}`);
  const { data } = useLoad(isSeen ? path : null, () => get<Brand>(path));
  const colors = Object.entries(data?.colors ?? {});
  const count = data ? KINDS.reduce((sum, kind) => sum + Object.keys(data[kind]).length, 0) : null;
  return (
    <a ref={ref} class="brand-card" href={`${STUDIO}/a/${accountId}/brands?open=${head.name}`}>
      <span class="brand-colors" aria-hidden="true">
        {colors.slice(0, SHOWN).map(([name, color]) => (
          <span key={name} class="brand-color">
            <span style={{ background: cssOf(color as FillValue) }} />
          </span>
        ))}
      </span>
      <span class="brand-card-name truncate">{head.name}</span>
      <span class="card-facts">
        {texts.value.brands.facts(count, head.version)} · <Time at={head.updatedAt} />
      </span>
      {head.outdatedUses > 0 && (
        <span>
          <Badge tone="info">{texts.value.brands.toUpdate(head.outdatedUses)}</Badge>
        </span>
      )}
    </a>
  );
}

interface NewBrandProps extends PageProps {
  readonly onClose: () => void;
  readonly onMade: (name: string) => void;
}

function NewBrand({ accountId, onClose, onMade }: NewBrandProps) {
  const [text, setText] = useState('');
  const { isBusy, error, setError, run } = useAction();
  const name = brandName(text);
  const make = async () => {
    if (name === '') throw new Error(texts.value.brands.nameNeedsLetters);
    await put(accountPath(accountId, 'brands', name), { baseVersion: 0, brand: {} });
    onMade(name);
  };
  return (
    <Dialog
      title={texts.value.brands.newBrand}
      onClose={onClose}
      onSubmit={() => void run(make)}
      submit={{ children: texts.value.brands.createBrand, busy: isBusy }}
    >
      <TextField
        label={texts.value.common.name}
        placeholder={texts.value.brands.nameExample}
        value={text}
        onText={(next) => {
          setText(next);
          setError(null);
        }}
        hint={name === '' ? texts.value.brands.nameHint : texts.value.brands.nameIs(name)}
        {...(error !== null && { error: error.message })}
      />
    </Dialog>
  );
}
