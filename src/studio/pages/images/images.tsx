// The images of an account: upload by dropping, search, where each is used, its focal point.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { SearchField } from '../../parts/field.tsx';
import { imagePlus } from '../../parts/icons.ts';
import { EmptyState, ErrorPanel, Skeleton } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, call } from '../../shell/api.ts';
import type { PageProps } from '../../shell/app.tsx';
import type { StoredImage } from '../../shell/contract.ts';
import { bytes, plural } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useList } from '../../shell/list.ts';
import { mayDo } from '../../shell/session.ts';
import { ImageDialog } from './image-dialog.tsx';
import './images.css';

export default function Images({ accountId }: PageProps) {
  const { query, route } = useLocation();
  const [search, setSearch] = useState('');
  const [uploading, setUploading] = useState(0);
  const path = accountPath(accountId, 'images');
  const list = useList<StoredImage>(path, { search });
  const mayEdit = mayDo(accountId, 'editor');
  const here = `/studio/a/${accountId}/images`;
  const upload = async (files: readonly File[]) => {
    setUploading(files.length);
    let done = 0;
    for (const file of files) {
      try {
        const made = await call<StoredImage>('POST', path, {
          body: file,
          query: { name: file.name },
          headers: { 'content-type': file.type || 'application/octet-stream' },
        });
        list.changeItems((items) => [made, ...items.filter(({ id }) => id !== made.id)]);
        done++;
      } catch (err) {
        toastError(err);
      }
      setUploading((before) => before - 1);
    }
    if (done > 0) toast(`${plural(done, 'image')} uploaded`);
  };
  const isEmpty = list.items?.length === 0;
  return (
    <>
      <PageHead title="Images" intro="Photos and drawings for your templates, at addresses that do not change." />
      {(list.items?.length || search) && (
        <div class="bar">
          <SearchField label="Search images" value={search} onText={setSearch} />
        </div>
      )}
      {mayEdit && (
        <DropZone
          icon={imagePlus}
          choose={uploading > 0 ? `Uploading, ${uploading} to go…` : 'Choose images'}
          hint="PNG, JPEG, WebP, GIF, AVIF or SVG here"
          accept="image/*"
          multiple
          onFiles={(files) => void upload(files)}
        />
      )}
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && (
        <div class="pictures" role="status" aria-label="Loading">
          {Array.from({ length: 8 }, (_, at) => (
            <Skeleton key={at} height={140} />
          ))}
        </div>
      )}
      {isEmpty && (
        <EmptyState title={search === '' ? 'No images yet' : 'No image has this name'}>
          {search === ''
            ? 'Drop a logo or a photo above; it can then be placed in every template.'
            : 'Try a shorter word.'}
        </EmptyState>
      )}
      {list.items && list.items.length > 0 && (
        <div class="pictures">
          {list.items.map((one) => (
            <button key={one.id} type="button" class="picture" onClick={() => route(`${here}?open=${one.id}`)}>
              <span class="picture-frame">
                <img src={`${path}/${one.id}/file`} alt="" loading="lazy" />
              </span>
              <span>
                <span class="tile-name truncate" style={{ display: 'block' }}>
                  {one.name ?? one.id}
                </span>
                <span class="card-facts">
                  {one.width === null ? 'Any size' : `${one.width} × ${one.height}`} · {bytes(one.size)}
                </span>
              </span>
            </button>
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
      {query.open && (
        <ImageDialog
          accountId={accountId}
          id={query.open}
          onClose={() => route(here, true)}
          onChange={(next) => list.changeItems((items) => items.map((one) => (one.id === next.id ? next : one)))}
          onGone={(id) => list.changeItems((items) => items.filter((one) => one.id !== id))}
        />
      )}
    </>
  );
}
