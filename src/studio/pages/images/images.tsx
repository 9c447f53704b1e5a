// The images of an account: upload by dropping, search, folders, where each is used, its focal point; move and delete one
// or many, with undo.

import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { contextMenu } from '../../parts/context-menu.tsx';
import { copyText } from '../../parts/copy.ts';
import { DropZone } from '../../parts/drop-zone.tsx';
import { SearchField, TextField } from '../../parts/field.tsx';
import { download, externalLink, folderOpen, image as imageIcon, imagePlus, link, trash2 } from '../../parts/icons.ts';
import type { MenuEntry } from '../../parts/menu.tsx';
import { FilePicture } from '../../parts/picture-address.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, get, put } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { ImagePage, StoredImage, StoredImageDetail, TemplateUse } from '../../shell/contract.ts';
import { bytes } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { tellUploadsChanged, uploadImage } from '../../shell/uploads.ts';
import './images.css';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ShowMore } from '../../parts/table.tsx';
import { useDrag } from '../../parts/use-drag.ts';
import { forget, useLoad } from '../../shell/load.ts';
import { texts } from '../../texts/pages.ts';
import { texts as shell } from '../../texts/shell.ts';
import { useMany } from '../folders/folders.tsx';
import { ConfirmDeletion, TemplateLinks } from '../uploads/delete-upload.tsx';

export default function Images({ accountId }: PageProps) {
  const { query, route } = useLocation();
  const [search, setSearch] = useState('');
  const [uploading, setUploading] = useState(0);
  const path = accountPath(accountId, 'images');
  const folder = query.folder ?? '';
  const [asked, ask] = useState<Asked | null>(null);
  const answer = (may: boolean) => {
    asked?.answer(may);
    ask(null);
    if (may && query.open) route(at(), true);
  };
  const mayDrop = async (images: readonly StoredImage[]) => {
    const usedBy = await Promise.all(
      images.map(async ({ id }) => (await get<StoredImageDetail>(`${path}/${id}`)).usedBy),
    );
    const templates = [...new Map(usedBy.flat().map((one) => [one.id, one])).values()];
    if (templates.length === 0) return true;
    return new Promise<boolean>((resolve) => {
      const title = texts.value.images.deleteTitle(
        images.length === 1 ? (images[0]?.name ?? null) : null,
        images.length,
      );
      ask({ templates, title, answer: resolve });
    });
  };
  const list = useList<StoredImage, ImagePage>(path, { search, folder });
  const mayEdit = mayDo(accountId, 'editor');
  /** The address of a folder, or of what is opened in it. */
  const at = (name = folder, opened: Readonly<Record<string, string>> = {}) =>
    `${STUDIO}/a/${accountId}/images?${new URLSearchParams({ ...(name && { folder: name }), ...opened })}`.replace(
      /\?$/,
      '',
    );
  const changed = () => {
    forget(path);
    tellUploadsChanged(accountId);
    list.reload();
  };
  const many = useMany({
    ...{ accountId, kind: 'images', folder, items: list.items, folders: list.data?.folders, mayDrop },
    onOpen: (name) => route(at(name)),
    onChanged: changed,
  });
  const upload = async (files: readonly File[]) => {
    setUploading(files.length);
    let done = 0;
    const before = new Set(list.items?.map(({ id }) => id));
    for (const file of files) {
      try {
        const made = await uploadImage(accountId, file, folder);
        // The server answers with the image that it has of an equal file, wherever that is.
        if (before.has(made.id) || (made.folder ?? '') !== folder) {
          toast(texts.value.images.alreadyThere(file.name, made.name ?? made.id, made.folder));
        } else {
          done++;
        }
        if (folder === '' || made.folder === folder)
          list.changeItems((items) => [made, ...items.filter(({ id }) => id !== made.id)]);
      } catch (err) {
        toastError(err, file.name);
      }
      setUploading((before) => before - 1);
    }
    if (done === 0) return;
    changed();
    toast(texts.value.images.uploaded(done));
  };
  const entriesOf = (image: StoredImage): readonly (MenuEntry | false)[] => [
    { label: texts.value.common.open, icon: imageIcon, onSelect: () => route(at(folder, { open: image.id })) },
    // An SVG is drawn, but never served at its address.
    image.format === 'svg'
      ? {
          label: texts.value.images.copyId,
          icon: link,
          onSelect: () => void copyText(image.id, texts.value.images.idCopied),
        }
      : {
          label: texts.value.images.copyAddress,
          icon: link,
          onSelect: () => void copyText(image.url, texts.value.images.addressCopied),
        },
    {
      label: texts.value.images.openFile,
      icon: externalLink,
      onSelect: () => void window.open(`${path}/${image.id}/file`, '_blank'),
    },
    mayEdit && { label: texts.value.templates.moveToFolder, icon: folderOpen, onSelect: () => many.move([image]) },
    mayEdit && 'line',
    mayEdit && {
      label: texts.value.images.deleteDots,
      icon: trash2,
      danger: true,
      onSelect: () => void many.drop([image]),
    },
  ];
  const isEmpty = list.items?.length === 0;
  const isFiltered = search !== '' || folder !== '';
  return (
    <>
      <PageHead title={texts.value.images.images} intro={texts.value.images.intro} />
      {!(isEmpty && !isFiltered) && (
        <div class="bar">
          <SearchField label={shell.value.parts.searchImages} value={search} onText={setSearch} />
          {many.field}
        </div>
      )}
      {many.bar}
      {mayEdit && (
        <DropZone
          icon={imagePlus}
          choose={uploading > 0 ? texts.value.images.uploadingLeft(uploading) : texts.value.images.chooseImages}
          hint={folder === '' ? texts.value.images.dropFiles : texts.value.images.dropInto(folder)}
          accept="image/*"
          multiple
          onFiles={(files) => void upload(files)}
        />
      )}
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && (
        <div class="pictures" role="status" aria-label={texts.value.common.loading}>
          {Array.from({ length: 8 }, (_, at) => (
            <Skeleton key={at} height={140} />
          ))}
        </div>
      )}
      {isEmpty && (
        <EmptyState
          title={search === '' ? texts.value.images.noneYet : texts.value.images.noMatch}
          action={
            isFiltered && (
              <Button
                onClick={() => {
                  setSearch('');
                  route(at(''));
                }}
              >
                {texts.value.common.showAll}
              </Button>
            )
          }
        >
          {search === '' ? texts.value.images.noneYetNote : texts.value.images.noMatchNote}
        </EmptyState>
      )}
      {list.items && list.items.length > 0 && (
        <div class="pictures">
          {list.items.map((one) => (
            <div
              key={one.id}
              class={many.isChosen(one.id) ? 'choosable is-chosen' : 'choosable'}
              {...contextMenu({ label: one.name ?? texts.value.images.image, entries: () => entriesOf(one) })}
            >
              <button type="button" class="picture" onClick={() => route(at(folder, { open: one.id }))}>
                <span class="picture-frame">
                  <FilePicture src={`${path}/${one.id}/file`} />
                </span>
                <span>
                  <span class="tile-name truncate" title={one.name ?? one.id}>
                    {one.name ?? one.id}
                  </span>
                  <span class="card-facts truncate">
                    {one.width === null ? texts.value.common.anySize : `${one.width} × ${one.height}`} ·{' '}
                    {bytes(one.size)}
                    {one.folder !== null && ` · ${one.folder}`}
                  </span>
                </span>
              </button>
              {many.box(one)}
            </div>
          ))}
        </div>
      )}
      <ShowMore of={list} />
      {many.dialog}
      {asked && (
        <ConfirmDeletion
          accountId={accountId}
          {...asked}
          outcome={texts.value.images.deleteNote}
          onConfirm={() => answer(true)}
          onClose={() => answer(false)}
        />
      )}
      {query.open && !asked && (
        <ImageDialog
          accountId={accountId}
          id={query.open}
          onClose={() => route(at(), true)}
          onChange={(next) => list.changeItems((items) => items.map((one) => (one.id === next.id ? next : one)))}
          onDelete={async (image) => {
            if (await many.drop([image])) route(at(), true);
          }}
        />
      )}
    </>
  );
}

/** A deletion that waits until somebody has seen which templates use what is deleted. */
interface Asked {
  readonly title: string;
  readonly templates: readonly TemplateUse[];
  readonly answer: (may: boolean) => void;
}

// One image: its name, its URL, its focal point, and the templates that use it.

interface ImageDialogProps {
  readonly accountId: string;
  readonly id: string;
  readonly onClose: () => void;
  readonly onChange: (next: StoredImage) => void;
  readonly onDelete: (image: StoredImage) => Promise<void>;
}

function ImageDialog({ accountId, id, onClose, onChange, onDelete }: ImageDialogProps) {
  const path = accountPath(accountId, 'images', id);
  const { data, error, reload, change } = useLoad(path, () => get<StoredImageDetail>(path));
  const mayEdit = mayDo(accountId, 'editor');
  const save = (next: { name?: string | null; focus?: StoredImage['focus'] }) =>
    put<StoredImage>(path, next).then((saved) => {
      change((before) => ({ ...before, ...saved }));
      onChange(saved);
    }, toastError);
  return (
    <Dialog
      title={data?.name ?? texts.value.images.image}
      onClose={onClose}
      wide
      foot={
        data && (
          <>
            {mayEdit && (
              <Button look="danger" icon={trash2} onClick={() => void onDelete(data)}>
                {texts.value.common.delete}
              </Button>
            )}
            <ButtonLink icon={download} href={`${path}/file`} download={data.name ?? id} target="_blank">
              {texts.value.common.download}
            </ButtonLink>
          </>
        )
      }
    >
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <Skeleton height={300} />}
      {data && (
        <div class="image-detail">
          <FocalPoint
            src={`${path}/file`}
            focus={data.focus}
            disabled={!mayEdit}
            onChange={(focus) => void save({ focus })}
          />
          <div class="image-side">
            <TextField
              label={texts.value.common.name}
              value={data.name ?? ''}
              disabled={!mayEdit}
              onChange={(event) => void save({ name: event.currentTarget.value.trim() || null })}
            />
            <dl class="facts" style={{ gridTemplateColumns: '80px 1fr' }}>
              <dt>{texts.value.common.size}</dt>
              <dd>{data.width === null ? texts.value.common.anySize : `${data.width} × ${data.height} px`}</dd>
              <dt>{shell.value.parts.folder}</dt>
              <dd>{data.folder ?? texts.value.templates.noFolder}</dd>
              <dt>{texts.value.images.file}</dt>
              <dd>
                {data.format.toUpperCase()}, {bytes(data.size)}
              </dd>
            </dl>
            <FocusFields focus={data.focus} disabled={!mayEdit} onChange={(focus) => void save({ focus })} />
            {data.format === 'svg' ? (
              <CodeBlock line code={data.id} label={texts.value.images.drawingId} />
            ) : (
              <CodeBlock line code={data.url} label={texts.value.images.imageUrl} />
            )}
            <div>
              <h3>{texts.value.images.usedBy}</h3>
              {data.usedBy.length === 0 && <p class="muted">{texts.value.images.notUsed}</p>}
              <TemplateLinks accountId={accountId} templates={data.usedBy} />
            </div>
          </div>
        </div>
      )}
    </Dialog>
  );
}

interface FocusProps {
  /** 0..1 on each axis; null: not set. */
  readonly focus: StoredImage['focus'];
  readonly disabled: boolean;
  readonly onChange: (focus: StoredImage['focus']) => void;
}

/** The point that stays visible however the picture is cropped, set by a click. */
function FocalPoint({ src, focus, disabled, onChange }: FocusProps & { readonly src: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<{ x: number; y: number } | null>(null);
  const drag = useDrag<PointerEvent>();
  const at = dragged ?? focus;
  const pointAt = (event: PointerEvent) => {
    const { left, top, width, height } = box.current?.getBoundingClientRect() ?? {
      left: 0,
      top: 0,
      width: 1,
      height: 1,
    };
    const round = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000;
    return { x: round((event.clientX - left) / width), y: round((event.clientY - top) / height) };
  };
  return (
    <div
      ref={box}
      class="focal"
      {...drag({
        start: (event) => {
          if (disabled) return null;
          event.preventDefault();
          setDragged(pointAt(event));
          return event;
        },
        move: (_from, event) => setDragged(pointAt(event)),
        end: (_from, event) => {
          onChange(pointAt(event));
          setDragged(null);
        },
        cancel: () => setDragged(null),
      })}
    >
      <img src={src} alt={texts.value.images.setFocalPoint} draggable={false} />
      {at && <span class="focal-point" style={{ left: `${at.x * 100}%`, top: `${at.y * 100}%` }} />}
    </div>
  );
}

/** The focal point as numbers, for people who cannot drag. */
function FocusFields({ focus, disabled, onChange }: FocusProps) {
  const set = (axis: 'x' | 'y', text: string) => {
    const value = Number(text);
    if (text !== '' && value >= 0 && value <= 100) onChange({ x: 0.5, y: 0.5, ...focus, [axis]: value / 100 });
  };
  return (
    <fieldset disabled={disabled}>
      <legend class="field-label" style={{ marginBottom: '6px', padding: '0' }}>
        {texts.value.images.focalPoint}
      </legend>
      <div class="form-row">
        {(['x', 'y'] as const).map((axis) => (
          <TextField
            key={axis}
            label={axis === 'x' ? texts.value.images.left : texts.value.images.top}
            hideLabel
            type="number"
            min={0}
            max={100}
            value={focus ? String(Math.round(focus[axis] * 100)) : ''}
            placeholder="50"
            onChange={(event) => set(axis, event.currentTarget.value)}
          />
        ))}
        {focus && (
          <Button dense onClick={() => onChange(null)}>
            {texts.value.images.clear}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
