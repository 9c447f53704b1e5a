// The templates of an account: thumbnails, search, sizes, folders; create, duplicate, import, export; move and delete one
// or many, with undo.

import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { keep, readKept } from '../../editor/core/clock.ts';
import { useAction } from '../../parts/action.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { contextMenu } from '../../parts/context-menu.tsx';
import { DownloadDialog } from '../../parts/download-dialog.tsx';
import { SearchField, SelectField } from '../../parts/field.tsx';
import {
  copy,
  download,
  ellipsis,
  fileDown,
  folderInput,
  folderOpen,
  history,
  layoutTemplate,
  link,
  pencil,
  pencilLine,
  plus,
  trash2,
} from '../../parts/icons.ts';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import { Badge, EmptyState, ErrorPanel, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, call, get, post, put } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Draft, TemplateCard, TemplatePage } from '../../shell/contract.ts';
import { drawDocument, drawTemplate } from '../../shell/drawn-file.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import { forget, useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { ownView, viewsOf } from '../../shell/views.ts';
import { useMany } from '../folders/folders.tsx';
import { FirstSteps } from './first-steps.tsx';
import { NewTemplate } from './new-template.tsx';
import './templates.css';
import { ShowMore } from '../../parts/table.tsx';
import { texts } from '../../texts/pages.ts';

/** The order that was chosen last in this browser. */
const SORT_KEY = 'platen-templates-sort';
const keptSort = signal(readKept<string>(localStorage, SORT_KEY) ?? 'saved');
effect(() => {
  keep(localStorage, SORT_KEY, keptSort.value);
});

export default function Templates({ accountId }: PageProps) {
  const { query, route } = useLocation();
  const [search, setSearch] = useState('');
  const [size, setSize] = useState('');
  const wanted = useSettled(search, 200);
  const [width, height] = size.split('×');
  const path = accountPath(accountId, 'templates');
  const folder = query.folder ?? '';
  const sort = keptSort.value;
  const list = useList<TemplateCard, TemplatePage>(path, { search: wanted, width, height, folder, sort });
  const mayEdit = mayDo(accountId, 'editor');
  const isNewOpen = query.new !== undefined;
  const here = `${STUDIO}/a/${accountId}/templates`;
  const openNew = () => route(`${here}?new=starters`);
  const sizes = list.data?.sizes ?? [];
  const isFiltered = search !== '' || size !== '' || folder !== '';
  const changed = () => {
    forget(path);
    list.reload();
  };
  const many = useMany({
    ...{ accountId, kind: 'templates', folder, items: list.items, folders: list.data?.folders, onChanged: changed },
    onOpen: (name) => route(name === '' ? here : `${here}?folder=${encodeURIComponent(name)}`),
  });
  const isEmpty = list.items?.length === 0;

  return (
    <>
      <PageHead
        title={texts.value.common.templates}
        actions={
          mayEdit && (
            <>
              <ImportButton accountId={accountId} />
              <Button look="main" icon={plus} onClick={openNew}>
                {texts.value.templates.newTemplate}
              </Button>
            </>
          )
        }
      />
      {!(isEmpty && !isFiltered) && (
        <div class="bar">
          <SearchField label={texts.value.templates.searchTemplates} value={search} onText={setSearch} />
          {sizes.length > 1 && (
            <SelectField
              label={texts.value.common.size}
              hideLabel
              value={size}
              onChoose={setSize}
              options={[
                { value: '', label: texts.value.templates.allSizes },
                ...sizes.map((one) => ({
                  value: `${one.width}×${one.height}`,
                  label: `${one.width} × ${one.height} (${one.count})`,
                })),
              ]}
            />
          )}
          {many.field}
          <SelectField
            label={texts.value.templates.sort}
            hideLabel
            value={sort}
            onChoose={(value) => {
              keptSort.value = value;
            }}
            options={[
              { value: 'saved', label: texts.value.templates.lastChanged },
              { value: 'name', label: texts.value.common.name },
              { value: 'created', label: texts.value.templates.newest },
            ]}
          />
          {list.data && <span class="muted">{texts.value.templates.count(list.data.total)}</span>}
        </div>
      )}
      {many.bar}
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <CardSkeletons />}
      {isEmpty &&
        (isFiltered ? (
          <EmptyState
            title={texts.value.templates.noMatch}
            action={
              <Button
                onClick={() => {
                  setSearch('');
                  setSize('');
                  route(here);
                }}
              >
                {texts.value.common.showAll}
              </Button>
            }
          >
            {texts.value.templates.noMatchNote}
          </EmptyState>
        ) : (
          <EmptyState
            icon={layoutTemplate}
            title={texts.value.templates.noneYet}
            action={
              mayEdit && (
                <Button icon={plus} onClick={openNew}>
                  {texts.value.templates.chooseStarter}
                </Button>
              )
            }
          >
            {texts.value.templates.noneYetNote}
          </EmptyState>
        ))}
      {mayEdit && !isFiltered && list.items && <FirstSteps accountId={accountId} templates={list.items} />}
      {list.items && list.items.length > 0 && (
        <div class="cards">
          {list.items.map((card) => (
            <Card
              key={card.id}
              accountId={accountId}
              card={card}
              mayEdit={mayEdit}
              isChosen={many.isChosen(card.id)}
              box={many.box(card)}
              onMove={() => many.move([card])}
              onDelete={() => void many.drop([card])}
              onChanged={changed}
            />
          ))}
        </div>
      )}
      <ShowMore of={list} />
      {many.dialog}
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
  readonly isChosen: boolean;
  /** Chooses it. */
  readonly box: ComponentChildren;
  readonly onMove: () => void;
  readonly onDelete: () => void;
  readonly onChanged: () => void;
}

function Card({ accountId, card, mayEdit, isChosen, box, onMove, onDelete, onChanged }: CardProps) {
  const { route } = useLocation();
  const [isDownloading, setDownloading] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const [isRenaming, setRenaming] = useState(false);
  const draftPicture = card.draftThumbnail === failed ? null : card.draftThumbnail;
  const path = accountPath(accountId, 'templates', card.id);
  const page = (name: string) => `${STUDIO}/a/${accountId}/templates/${card.id}/${name}`;
  const duplicate = async () => {
    const copied = await post<TemplateCard>(`${path}/duplicate`, {});
    toast(texts.value.templates.copiedAs(copied.name), {
      action: {
        label: texts.value.common.open,
        onSelect: () => route(`${STUDIO}/a/${accountId}/templates/${copied.id}/edit`),
      },
    });
    onChanged();
  };
  const rename = async (typed: string) => {
    setRenaming(false);
    const name = typed.trim();
    if (name === '' || name === card.name) return;
    try {
      await put(`${path}/name`, { name });
      onChanged();
    } catch (err) {
      toastError(err, card.name);
    }
  };
  const entries: readonly (MenuEntry | false)[] = [
    mayEdit && { label: texts.value.common.edit, icon: pencil, href: page('edit') },
    { label: texts.value.common.use, icon: link, href: page('use') },
    { label: texts.value.common.versions, icon: history, href: page('versions') },
    'line',
    { label: texts.value.common.download, icon: download, onSelect: () => setDownloading(true) },
    mayEdit && {
      label: texts.value.templates.duplicate,
      icon: copy,
      onSelect: () => void duplicate().catch(toastError),
    },
    { label: texts.value.templates.exportAsJson, icon: fileDown, onSelect: () => location.assign(`${path}/export`) },
    mayEdit && { label: texts.value.common.rename, aside: 'F2', icon: pencilLine, onSelect: () => setRenaming(true) },
    mayEdit && { label: texts.value.templates.moveToFolder, icon: folderOpen, onSelect: onMove },
    mayEdit && 'line',
    mayEdit && { label: texts.value.common.delete, icon: trash2, danger: true, onSelect: () => onDelete() },
  ];
  return (
    <article
      class={isChosen ? 'card choosable is-chosen' : 'card choosable'}
      {...contextMenu({ label: card.name, entries: () => entries })}
    >
      <div class="card-picture">
        <img
          src={draftPicture ?? card.thumbnail}
          alt=""
          loading="lazy"
          decoding="async"
          // A draft need not be a template that can be drawn.
          onError={() => setFailed(draftPicture)}
        />
        {box}
      </div>
      <div class="card-foot">
        <div class="card-words">
          {isRenaming ? (
            <NameInput name={card.name} onName={(name) => void rename(name)} />
          ) : (
            <a
              class="card-name truncate"
              href={page(mayEdit ? 'edit' : 'use')}
              title={card.name}
              onKeyDown={(event) => {
                if (event.key === 'F2' && mayEdit) setRenaming(true);
              }}
            >
              {card.name}
            </a>
          )}
          <p class="card-facts">
            {card.width} × {card.height} · <Time at={card.updatedAt} />
            {card.updatedBy && ` ${texts.value.common.by(card.updatedBy.name)}`}
            {card.folder !== null && ` · ${card.folder}`}
          </p>
        </div>
        {card.hasDraft && <Badge tone="info">{texts.value.common.draft}</Badge>}
        <Menu align="end" entries={entries}>
          {(attributes) => (
            <IconButton {...attributes} icon={ellipsis} label={texts.value.templates.actionsFor(card.name)} dense />
          )}
        </Menu>
      </div>
      {isDownloading && <Download accountId={accountId} card={card} onClose={() => setDownloading(false)} />}
    </article>
  );
}

interface DownloadProps extends PageProps {
  readonly card: TemplateCard;
  readonly onClose: () => void;
}

/** The draft, or else the newest version, with the sizes and languages that it has. */
function Download({ accountId, card, onClose }: DownloadProps) {
  // The document of the version, where there is no draft.
  const path = accountPath(accountId, 'templates', card.id, 'draft');
  const { data, error } = useLoad(path, () => get<Draft>(path));
  useEffect(() => {
    if (error) toastError(error, card.name);
  }, [error, card.name]);
  if (!data) return null;
  const views = viewsOf(data.document, card);
  return (
    <DownloadDialog
      name={card.name}
      views={views}
      shown={ownView(views)}
      draw={async (request, stop) => {
        if (card.hasDraft) return drawDocument(accountId, data.document, request, stop);
        return (await drawTemplate(accountId, card.id, request, stop)).blob;
      }}
      onClose={onClose}
    >
      {card.hasDraft ? texts.value.templates.draftNote : null}
    </DownloadDialog>
  );
}

/** Enter and leaving take the name; Escape keeps the old one. */
function NameInput({ name, onName }: { name: string; onName: (name: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  // After the menu, which gives the focus back to its button, has closed.
  useEffect(() => {
    const frame = requestAnimationFrame(() => input.current?.select());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <input
      ref={input}
      class="input is-dense"
      aria-label={texts.value.templates.newName(name)}
      maxLength={200}
      defaultValue={name}
      onBlur={(event) => onName(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.value = name;
        if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}

function ImportButton({ accountId }: PageProps) {
  const { route } = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, run } = useAction();
  const take = async (file: File) => {
    if (/\.(csv|tsv|xlsx?|ods)$/i.test(file.name)) {
      toast(texts.value.templates.droppedTable(file.name), { tone: 'bad' });
      return;
    }
    const isSvg = file.type === 'image/svg+xml' || file.name.endsWith('.svg');
    const made = await call<TemplateCard & { readonly warnings: readonly string[] }>(
      'POST',
      accountPath(accountId, 'templates', 'import'),
      {
        // A template's own name comes first: that of its file is often only "download".
        query: isSvg || !hasName(await file.text()) ? { name: file.name.replace(/\.\w+$/, '') } : {},
        body: new Blob([await file.arrayBuffer()]),
        headers: { 'content-type': isSvg ? 'image/svg+xml' : 'application/json' },
      },
    );
    if (made.warnings.length > 0) toast(made.warnings.join(' '), { lasts: 12_000 });
    route(`${STUDIO}/a/${accountId}/templates/${made.id}/edit`);
  };
  return (
    <>
      <Button icon={folderInput} busy={isBusy} onClick={() => input.current?.click()}>
        {texts.value.templates.import}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={texts.value.templates.importHint}
        accept=".json,.svg,application/json,image/svg+xml"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void run(() => take(file).catch((err) => toastError(err, file.name)));
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Whether a file is a template with a name; what is no JSON at all is left to the server to refuse. */
function hasName(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { readonly name?: unknown } | null)?.name === 'string';
  } catch {
    return false;
  }
}

function CardSkeletons() {
  return (
    <div class="cards" role="status" aria-label={texts.value.common.loading}>
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
