// The page of a template's review links: makes and ends them, and shows, answers and resolves their comments.

import { useState } from 'preact/hooks';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField } from '../../parts/field.tsx';
import { link, messageSquare } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.tsx';
import { accountPath, get, post, put, remove, send } from '../../shell/api.ts';
import type { OpenedReview, Review, ReviewComment, TemplateDetail } from '../../shell/contract.ts';
import { exactTime } from '../../shell/format.ts';
import { useLoad } from '../../shell/load.ts';
import type { TemplatePageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';
import { TemplateHead } from '../template-head.tsx';
import { Board } from './board.tsx';

/** Days for which a link can be opened. */
const LIFETIMES = [1, 3, 7, 14, 30, 90];

const hasEnded = ({ endsAt }: Pick<Review, 'endsAt'>) => Date.parse(endsAt) <= Date.now();
const shows = ({ version }: Pick<Review, 'version'>) =>
  version === null ? texts.value.common.draft : texts.value.common.versionNumbered(version);

export default function ReviewPage({ accountId, templateId }: TemplatePageProps) {
  const path = accountPath(accountId, 'templates', templateId);
  const template = useLoad(path, () => get<TemplateDetail>(path));
  const list = useLoad(`${path}/reviews`, () => get<{ items: readonly Review[] }>(`${path}/reviews`));
  const [chosen, setChosen] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'new' | Review | null>(null);
  const mayEdit = mayDo(accountId, 'editor');
  const reviews = list.data?.items ?? [];
  const current = reviews.find(({ id }) => id === chosen) ?? reviews[0];
  const create = mayEdit && (
    <Button look="main" icon={link} onClick={() => setDialog('new')}>
      {texts.value.review.newLink}
    </Button>
  );
  const error = template.error ?? list.error;
  return (
    <>
      <TemplateHead
        accountId={accountId}
        templateId={templateId}
        name={template.data?.name ?? null}
        page="review"
        actions={reviews.length > 0 && create}
      />
      {error && <ErrorPanel error={error} onRetry={list.reload} />}
      {!list.data && !error && <SkeletonRows rows={4} />}
      {list.data && reviews.length === 0 && (
        <EmptyState icon={messageSquare} title={texts.value.review.noneYet} action={create}>
          {texts.value.review.noneYetNote}
        </EmptyState>
      )}
      {reviews.length > 0 && (
        <ul class="review-links">
          {reviews.map((review) => (
            <li key={review.id} class={review.id === current?.id ? 'review-link is-on' : 'review-link'}>
              <button type="button" aria-pressed={review.id === current?.id} onClick={() => setChosen(review.id)}>
                <b>{shows(review)}</b>
                <span class="muted">
                  {texts.value.common.by(review.createdBy?.name ?? texts.value.review.somebody)}{' '}
                  <Time at={review.createdAt} />
                </span>
                <span class="muted">{texts.value.review.comments(review.comments, review.open)}</span>
              </button>
              {hasEnded(review) ? (
                <Badge>{texts.value.review.ended}</Badge>
              ) : (
                <>
                  <span class="muted">{texts.value.review.until(exactTime(review.endsAt))}</span>
                  {mayEdit && (
                    <Button dense onClick={() => setDialog(review)}>
                      {texts.value.review.endLink}
                    </Button>
                  )}
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {current && (
        <OneReview key={current.id} path={`${path}/reviews/${current.id}`} onChange={list.reload} mayEdit={mayEdit} />
      )}
      {dialog === 'new' && (
        <NewLink
          path={`${path}/reviews`}
          newest={template.data?.version ?? 0}
          onMade={list.reload}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog !== null && dialog !== 'new' && (
        <ConfirmDialog
          title={texts.value.review.endQuestion}
          action={texts.value.review.endLink}
          isDanger
          onConfirm={async () => {
            await remove(`${path}/reviews/${dialog.id}`);
            toast(texts.value.review.linkEnded);
            list.reload();
          }}
          onClose={() => setDialog(null)}
        >
          {texts.value.review.endNote}
        </ConfirmDialog>
      )}
    </>
  );
}

function OneReview({ path, mayEdit, onChange }: { path: string; mayEdit: boolean; onChange: () => void }) {
  const { data, error, reload, change } = useLoad(path, () => get<OpenedReview>(path));
  const keep = (comments: (before: readonly ReviewComment[]) => ReviewComment[]) => {
    change((before) => ({ ...before, comments: comments(before.comments) }));
    onChange();
  };
  if (error) return <ErrorPanel error={error} onRetry={reload} />;
  if (!data) return <SkeletonRows rows={4} />;
  return (
    <Board
      opened={data}
      draw={async ({ size, lang }, signal) => {
        const query = { size: size ?? undefined, lang: lang ?? undefined };
        return (await send('GET', `${path}/picture`, { query, signal })).blob();
      }}
      say={
        mayEdit
          ? async (remark) => {
              const made = await post<ReviewComment>(`${path}/comments`, remark);
              keep((before) => [...before, made]);
            }
          : null
      }
      resolve={
        mayEdit
          ? async ({ id }, isResolved) => {
              const { resolvedAt } = await put<ReviewComment>(`${path}/comments/${id}`, { isResolved });
              keep((before) => before.map((one) => (one.id === id ? { ...one, resolvedAt } : one)));
            }
          : null
      }
      remove={
        mayEdit
          ? async ({ id }) => {
              await remove(`${path}/comments/${id}`);
              keep((before) => before.filter((one) => one.id !== id && one.answers !== id));
            }
          : null
      }
    />
  );
}

interface NewLinkProps {
  readonly path: string;
  /** Version. */
  readonly newest: number;
  readonly onMade: () => void;
  readonly onClose: () => void;
}

function NewLink({ path, newest, onMade, onClose }: NewLinkProps) {
  const [what, setWhat] = useState('');
  const [days, setDays] = useState('14');
  const [made, setMade] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  if (made !== null)
    return (
      <Dialog
        title={texts.value.review.theLink}
        wide
        onClose={onClose}
        foot={<Button onClick={onClose}>{texts.value.common.done}</Button>}
      >
        <Note>{texts.value.review.shownOnce}</Note>
        <CodeBlock line code={made} label={texts.value.review.theLink} />
      </Dialog>
    );
  const create = async () => {
    const { url } = await post<{ url: string }>(path, {
      version: what === '' ? null : Number(what),
      days: Number(days),
    });
    setMade(url);
    onMade();
  };
  return (
    <Dialog
      title={texts.value.review.newLink}
      onClose={onClose}
      onSubmit={() => void run(create)}
      submit={{ children: texts.value.people.createLink, busy: isBusy }}
    >
      <p class="muted">{texts.value.review.newLinkNote}</p>
      <SelectField
        label={texts.value.review.shows}
        value={what}
        onChoose={setWhat}
        options={[
          { value: '', label: texts.value.review.theDraft },
          ...(newest > 0 ? [{ value: String(newest), label: texts.value.common.versionNumbered(newest) }] : []),
        ]}
      />
      <SelectField
        label={texts.value.review.lasts}
        value={days}
        onChoose={setDays}
        options={LIFETIMES.map((many) => ({ value: String(many), label: texts.value.review.days(many) }))}
      />
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}
