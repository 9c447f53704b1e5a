// The templates of an account: thumbnails, search, sizes; create, duplicate, import, export, delete with undo.

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button, IconButton } from '../../parts/button.tsx';
import { SearchField, SelectField } from '../../parts/field.tsx';
import {
  copy,
  ellipsis,
  fileDown,
  folderInput,
  history,
  layoutTemplate,
  link,
  pencil,
  plus,
  trash2,
} from '../../parts/icons.ts';
import { Menu } from '../../parts/menu.tsx';
import { Badge, EmptyState, ErrorPanel, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, call, post, remove } from '../../shell/api.ts';
import type { PageProps } from '../../shell/app.tsx';
import type { TemplateCard, TemplatePage } from '../../shell/contract.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import { forget } from '../../shell/load.ts';
import { mayDo } from '../../shell/session.ts';
import { NewTemplate } from './new-template.tsx';
import './templates.css';

export default function Templates({ accountId }: PageProps) {
  const { query, route } = useLocation();
  const [search, setSearch] = useState('');
  const [size, setSize] = useState('');
  const wanted = useSettled(search, 200);
  const [width, height] = size.split('×');
  const path = accountPath(accountId, 'templates');
  const list = useList<TemplateCard, TemplatePage>(path, { search: wanted, width, height });
  const mayEdit = mayDo(accountId, 'editor');
  const isNewOpen = query.new !== undefined;
  const here = `/studio/a/${accountId}/templates`;
  const openNew = () => route(`${here}?new=starters`);
  const sizes = list.data?.sizes ?? [];
  const isFiltered = search !== '' || size !== '';
  const isEmpty = list.items?.length === 0;

  return (
    <>
      <PageHead
        title="Templates"
        actions={
          mayEdit && (
            <>
              <ImportButton accountId={accountId} />
              <Button look="main" icon={plus} onClick={openNew}>
                New template
              </Button>
            </>
          )
        }
      />
      {!(isEmpty && !isFiltered) && (
        <div class="bar">
          <SearchField label="Search templates" value={search} onText={setSearch} />
          {sizes.length > 1 && (
            <SelectField
              label="Size"
              hideLabel
              value={size}
              onChoose={setSize}
              options={[
                { value: '', label: 'All sizes' },
                ...sizes.map((one) => ({
                  value: `${one.width}×${one.height}`,
                  label: `${one.width} × ${one.height} (${one.count})`,
                })),
              ]}
            />
          )}
        </div>
      )}
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <CardSkeletons />}
      {isEmpty &&
        (isFiltered ? (
          <EmptyState
            title="No template fits"
            action={
              <Button
                onClick={() => {
                  setSearch('');
                  setSize('');
                }}
              >
                Show all
              </Button>
            }
          >
            Nothing has this name and size.
          </EmptyState>
        ) : (
          <EmptyState
            icon={layoutTemplate}
            title="No templates yet"
            action={
              mayEdit && (
                <Button look="main" icon={plus} onClick={openNew}>
                  Choose a starter
                </Button>
              )
            }
          >
            A template is a picture whose texts, photos and colours can be changed by whoever renders it. Start from one
            that is finished, and make it yours.
          </EmptyState>
        ))}
      {list.items && list.items.length > 0 && (
        <div class="cards">
          {list.items.map((card) => (
            <Card
              key={card.id}
              accountId={accountId}
              card={card}
              mayEdit={mayEdit}
              onGone={() => list.changeItems((items) => items.filter(({ id }) => id !== card.id))}
              onChanged={list.reload}
            />
          ))}
        </div>
      )}
      {list.hasMore && (
        <div class="table-more">
          <Button onClick={list.loadMore} busy={list.isLoadingMore}>
            Show more
          </Button>
        </div>
      )}
      {isNewOpen && (
        <NewTemplate
          accountId={accountId}
          onClose={() => route(here, true)}
          tab={query.new === 'blank' ? 'blank' : 'starters'}
        />
      )}
    </>
  );
}

interface CardProps {
  readonly accountId: string;
  readonly card: TemplateCard;
  readonly mayEdit: boolean;
  readonly onGone: () => void;
  readonly onChanged: () => void;
}

function Card({ accountId, card, mayEdit, onGone, onChanged }: CardProps) {
  const { route } = useLocation();
  const path = accountPath(accountId, 'templates', card.id);
  const page = (name: string) => `/studio/a/${accountId}/templates/${card.id}/${name}`;
  const duplicate = async () => {
    try {
      const copied = await post<TemplateCard>(`${path}/duplicate`, {});
      toast(`Copied as “${copied.name}”`, {
        action: { label: 'Open', onSelect: () => route(`/studio/a/${accountId}/templates/${copied.id}/edit`) },
      });
      onChanged();
    } catch (err) {
      toastError(err);
    }
  };
  const drop = async () => {
    try {
      await remove(path);
      onGone();
      forget(accountPath(accountId, 'templates'));
      toast(`“${card.name}” was deleted`, {
        action: { label: 'Undo', onSelect: () => void post(`${path}/undelete`).then(onChanged, toastError) },
      });
    } catch (err) {
      toastError(err);
    }
  };
  return (
    <article class="card">
      <div class="card-picture">
        <img src={card.thumbnail} alt="" loading="lazy" decoding="async" />
      </div>
      <div class="card-foot">
        <div class="card-words">
          <a class="card-name truncate" href={page(mayEdit ? 'edit' : 'use')} title={card.name}>
            {card.name}
          </a>
          <p class="card-facts truncate">
            {card.width} × {card.height} · <Time at={card.updatedAt} />
            {card.updatedBy && ` by ${card.updatedBy.name}`}
          </p>
        </div>
        {card.hasDraft && <Badge tone="info">Draft</Badge>}
        <Menu
          align="end"
          entries={[
            mayEdit && { label: 'Edit', icon: pencil, href: page('edit') },
            { label: 'Use', icon: link, href: page('use') },
            { label: 'Versions', icon: history, href: page('versions') },
            'line',
            mayEdit && { label: 'Duplicate', icon: copy, onSelect: () => void duplicate() },
            { label: 'Export as JSON', icon: fileDown, onSelect: () => location.assign(`${path}/export`) },
            mayEdit && 'line',
            mayEdit && { label: 'Delete', icon: trash2, danger: true, onSelect: () => void drop() },
          ]}
        >
          {(attributes) => <IconButton {...attributes} icon={ellipsis} label={`More about ${card.name}`} dense />}
        </Menu>
      </div>
    </article>
  );
}

function ImportButton({ accountId }: PageProps) {
  const { route } = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    try {
      const isSvg = file.type === 'image/svg+xml' || file.name.endsWith('.svg');
      const made = await call<TemplateCard & { readonly warnings: readonly string[] }>(
        'POST',
        accountPath(accountId, 'templates', 'import'),
        {
          query: { name: file.name.replace(/\.\w+$/, '') },
          body: new Blob([await file.arrayBuffer()]),
          headers: { 'content-type': isSvg ? 'image/svg+xml' : 'application/json' },
        },
      );
      if (made.warnings.length > 0) toast(made.warnings.join(' '), { lasts: 12_000 });
      route(`/studio/a/${accountId}/templates/${made.id}/edit`);
    } catch (err) {
      toastError(err);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button icon={folderInput} busy={isBusy} onClick={() => input.current?.click()}>
        Import
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Import a template or an SVG"
        accept=".json,.svg,application/json,image/svg+xml"
        onChange={(event) => {
          void take(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

function CardSkeletons() {
  return (
    <div class="cards" role="status" aria-label="Loading">
      {Array.from({ length: 8 }, (_, at) => (
        <div key={at} class="card">
          <Skeleton height={180} />
          <Skeleton width="60%" height={14} />
        </div>
      ))}
    </div>
  );
}

/** Returns a value once it has not changed for `delay` ms. */
function useSettled<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
