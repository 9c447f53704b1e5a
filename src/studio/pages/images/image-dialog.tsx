// One image: its name, its URL, its focal point, and the templates that use it.

import { useRef, useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { download, trash2 } from '../../parts/icons.ts';
import { ErrorPanel, Skeleton } from '../../parts/states.tsx';
import { toastError } from '../../parts/toast.tsx';
import { useDrag } from '../../parts/use-drag.ts';
import { accountPath, get, put } from '../../shell/api.ts';
import type { StoredImage, StoredImageDetail } from '../../shell/contract.ts';
import { bytes } from '../../shell/format.ts';
import { useLoad } from '../../shell/load.ts';
import { mayDo } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';
import { ConfirmDeletion, deleteUpload, TemplateLinks } from '../uploads/delete-upload.tsx';

interface ImageDialogProps {
  readonly accountId: string;
  readonly id: string;
  /** Whether it asks for the deletion at once. */
  readonly isDeleting: boolean;
  readonly onClose: () => void;
  readonly onChange: (next: StoredImage) => void;
  readonly onGone: (id: string) => void;
  /** Called when the deletion was undone. */
  readonly onBack: () => void;
}

export function ImageDialog({ accountId, id, isDeleting, onClose, onChange, onGone, onBack }: ImageDialogProps) {
  const path = accountPath(accountId, 'images', id);
  const { data, error, reload, change } = useLoad(path, () => get<StoredImageDetail>(path));
  const mayEdit = mayDo(accountId, 'editor');
  const save = (next: { name?: string | null; focus?: StoredImage['focus'] }) =>
    put<StoredImage>(path, next).then((saved) => {
      change((before) => ({ ...before, ...saved }));
      onChange(saved);
    }, toastError);
  const [isAsking, setAsking] = useState(isDeleting);
  const drop = () => {
    setAsking(false);
    void deleteUpload({
      ...{ accountId, kind: 'images', id },
      name: data?.name ? `“${data.name}”` : texts.value.images.theImage,
      onGone: () => {
        onGone(id);
        onClose();
      },
      onBack,
    });
  };
  if (data && isAsking)
    return (
      <ConfirmDeletion
        accountId={accountId}
        templates={data.usedBy}
        title={texts.value.images.deleteTitle(data.name)}
        outcome={texts.value.images.deleteNote}
        onConfirm={drop}
        onClose={() => setAsking(false)}
      />
    );
  return (
    <Dialog
      title={data?.name ?? texts.value.images.image}
      onClose={onClose}
      wide
      foot={
        data && (
          <>
            {mayEdit && (
              <Button look="danger" icon={trash2} onClick={() => (data.usedBy.length > 0 ? setAsking(true) : drop())}>
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
