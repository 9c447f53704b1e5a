// The images of an account: upload by dropping, search, where each is used, its focal point.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { contextMenu } from '../../parts/context-menu.tsx';
import { copyText } from '../../parts/copy.ts';
import { DropZone } from '../../parts/drop-zone.tsx';
import { SearchField } from '../../parts/field.tsx';
import { externalLink, image as imageIcon, imagePlus, link, trash2 } from '../../parts/icons.ts';
import type { MenuEntry } from '../../parts/menu.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, call } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { StoredImage } from '../../shell/contract.ts';
import { bytes } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { tellUploadsChanged } from '../../shell/uploads-changed.ts';
import { ImageDialog } from './image-dialog.tsx';
import './images.css';
import { ShowMore } from '../../parts/table.tsx';
import { texts } from '../../texts/pages.ts';

export default function Images({ accountId }: PageProps) {
  const { query, route } = useLocation();
  const [search, setSearch] = useState('');
  const [uploading, setUploading] = useState(0);
  const path = accountPath(accountId, 'images');
  const list = useList<StoredImage>(path, { search });
  const mayEdit = mayDo(accountId, 'editor');
  const here = `${STUDIO}/a/${accountId}/images`;
  const upload = async (files: readonly File[]) => {
    setUploading(files.length);
    let done = 0;
    const before = new Set(list.items?.map(({ id }) => id));
    for (const file of files) {
      try {
        const made = await call<StoredImage>('POST', path, {
          body: file,
          query: { name: file.name },
          headers: { 'content-type': file.type || 'application/octet-stream' },
        });
        list.changeItems((items) => [made, ...items.filter(({ id }) => id !== made.id)]);
        // The server answers with the image that it has of an equal file.
        if (before.has(made.id)) toast(texts.value.images.alreadyThere(file.name, made.name ?? made.id));
        else done++;
      } catch (err) {
        toastError(err, file.name);
      }
      setUploading((before) => before - 1);
    }
    if (done > 0) tellUploadsChanged(accountId);
    if (done > 0) toast(texts.value.images.uploaded(done));
  };
  const entriesOf = (image: StoredImage): readonly (MenuEntry | false)[] => [
    { label: texts.value.common.open, icon: imageIcon, onSelect: () => route(`${here}?open=${image.id}`) },
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
    mayEdit && 'line',
    mayEdit && {
      label: texts.value.images.deleteDots,
      icon: trash2,
      danger: true,
      onSelect: () => route(`${here}?open=${image.id}&delete=1`),
    },
  ];
  const isEmpty = list.items?.length === 0;
  return (
    <>
      <PageHead title={texts.value.images.images} intro={texts.value.images.intro} />
      {(list.items?.length || search) && (
        <div class="bar">
          <SearchField label={texts.value.images.searchImages} value={search} onText={setSearch} />
        </div>
      )}
      {mayEdit && (
        <DropZone
          icon={imagePlus}
          choose={uploading > 0 ? texts.value.images.uploadingLeft(uploading) : texts.value.images.chooseImages}
          hint={texts.value.images.dropFiles}
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
        <EmptyState title={search === '' ? texts.value.images.noneYet : texts.value.images.noMatch}>
          {search === '' ? texts.value.images.noneYetNote : texts.value.images.noMatchNote}
        </EmptyState>
      )}
      {list.items && list.items.length > 0 && (
        <div class="pictures">
          {list.items.map((one) => (
            <button
              key={one.id}
              type="button"
              class="picture"
              onClick={() => route(`${here}?open=${one.id}`)}
              {...contextMenu({ label: one.name ?? texts.value.images.image, entries: () => entriesOf(one) })}
            >
              <span class="picture-frame">
                <img src={`${path}/${one.id}/file`} alt="" loading="lazy" />
              </span>
              <span>
                <span class="tile-name truncate" style={{ display: 'block' }} title={one.name ?? one.id}>
                  {one.name ?? one.id}
                </span>
                <span class="card-facts">
                  {one.width === null ? texts.value.common.anySize : `${one.width} × ${one.height}`} · {bytes(one.size)}
                </span>
              </span>
            </button>
          ))}
        </div>
      )}
      <ShowMore of={list} />
      {query.open && (
        <ImageDialog
          accountId={accountId}
          id={query.open}
          isDeleting={query.delete === '1'}
          onClose={() => route(here, true)}
          onChange={(next) => list.changeItems((items) => items.map((one) => (one.id === next.id ? next : one)))}
          onGone={(id) => list.changeItems((items) => items.filter((one) => one.id !== id))}
          onBack={list.reload}
        />
      )}
    </>
  );
}
