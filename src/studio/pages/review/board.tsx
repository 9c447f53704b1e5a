// The pictures of a review with the comments on each, for visitors and for members of the account.

import { useEffect, useRef, useState } from 'preact/hooks';
import { submits, useAction } from '../../parts/action.ts';
import { useBlobAddress } from '../../parts/blob-address.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Check, TextArea } from '../../parts/field.tsx';
import { messageSquare, trash2 } from '../../parts/icons.ts';
import { languageName } from '../../parts/language-name.ts';
import { Badge, ErrorPanel, Note, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import type { OpenedReview, ReviewComment, ReviewPicture, ReviewRemark } from '../../shell/contract.ts';
import { sizeName } from '../../shell/views.ts';
import { texts } from '../../texts/pages.ts';
import './review.css';

/** Characters of a comment, as the server takes them. */
const MAX_COMMENT = 2_000;
/** Points of a picture are in ten thousandths of its sides. */
const WHOLE_SIDE = 10_000;

interface BoardActions {
  /** Draws a picture. */
  readonly draw: (picture: ReviewPicture, signal: AbortSignal) => Promise<Blob>;
  /** Sends a comment; null = it is only read. */
  readonly say: ((remark: ReviewRemark) => Promise<unknown>) | null;
  /** Null for visitors, and for those who only read. */
  readonly resolve: ((comment: ReviewComment, isResolved: boolean) => Promise<unknown>) | null;
  readonly remove: ((comment: ReviewComment) => Promise<unknown>) | null;
}

interface BoardProps extends BoardActions {
  readonly opened: OpenedReview;
}

/** What is being written: on which picture, at which point of it. */
type Begun = Pick<ReviewComment, 'size' | 'lang' | 'point'>;

const isOn = (one: ReviewPicture, picture: ReviewPicture) => one.size === picture.size && one.lang === picture.lang;

export function Board({ opened, ...actions }: BoardProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [showsResolved, setShowsResolved] = useState(true);
  const { pictures, comments, problem, hasPages, more } = opened;
  const all = comments.filter(({ answers }) => answers === null);
  const threads = all.filter(({ resolvedAt }) => showsResolved || resolvedAt === null);
  const numberOf = (thread: ReviewComment) => all.indexOf(thread) + 1;
  const elsewhere = threads.filter((thread) => !pictures.some((picture) => isOn(thread, picture)));
  const shown = (of: readonly ReviewComment[]) =>
    of.map((thread) => (
      <Thread
        key={thread.id}
        number={numberOf(thread)}
        thread={thread}
        answers={comments.filter(({ answers }) => answers === thread.id)}
        {...actions}
      />
    ));
  return (
    <div class="board">
      {problem !== null && <Note warn>{texts.value.review.notDrawn}</Note>}
      {hasPages && <Note>{texts.value.review.firstPage}</Note>}
      {more > 0 && <Note>{texts.value.review.more(more)}</Note>}
      {all.some(({ resolvedAt }) => resolvedAt !== null) && (
        <Check label={texts.value.review.showResolved} checked={showsResolved} onToggle={setShowsResolved} />
      )}
      {pictures.map((picture) => {
        const name = pictureName(opened, picture);
        const own = threads.filter((thread) => isOn(thread, picture));
        const form = begun && isOn(begun, picture) ? begun : null;
        return (
          <section key={`${picture.size} ${picture.lang}`} class="board-row" aria-label={name}>
            <div class="board-picture">
              <h2>{name}</h2>
              <Picture
                {...{ name, picture, threads: own, numberOf, begun: form }}
                revision={opened.revision}
                draw={actions.draw}
                onBegin={actions.say && ((point) => setBegun({ ...picture, point }))}
              />
            </div>
            <div class="board-talk">
              {shown(own)}
              {actions.say && form && (
                <Compose
                  label={form.point ? texts.value.review.commentOnPoint : texts.value.review.commentOn(name)}
                  send={(text) => actions.say?.({ ...form, text, answers: null }) ?? Promise.resolve()}
                  onClose={() => setBegun(null)}
                />
              )}
              {actions.say && !form && (
                <div>
                  <Button
                    dense
                    icon={messageSquare}
                    aria-label={texts.value.review.commentOn(name)}
                    onClick={() => setBegun({ ...picture, point: null })}
                  >
                    {texts.value.review.comment}
                  </Button>
                </div>
              )}
              {!actions.say && own.length === 0 && <p class="muted">{texts.value.review.nothingSaid}</p>}
            </div>
          </section>
        );
      })}
      {elsewhere.length > 0 && (
        <section class="board-talk" aria-label={texts.value.review.elsewhere}>
          <h2>{texts.value.review.elsewhere}</h2>
          {shown(elsewhere)}
        </section>
      )}
    </div>
  );
}

/** Which of several pictures it is; the template's name where there is one. */
function pictureName({ name, pictures, ownLang }: OpenedReview, { size, lang }: ReviewPicture): string {
  const has = (kind: keyof ReviewPicture) => new Set(pictures.map((picture) => picture[kind])).size > 1;
  const language = lang ?? ownLang;
  const parts = [
    ...(has('size') ? [sizeName(size)] : []),
    ...(has('lang') ? [language === null ? texts.value.review.ownLanguage : languageName(language)] : []),
  ];
  return parts.join(' · ') || name;
}

interface PictureProps extends Pick<BoardActions, 'draw'> {
  readonly name: string;
  readonly picture: ReviewPicture;
  readonly revision: number;
  readonly threads: readonly ReviewComment[];
  readonly numberOf: (thread: ReviewComment) => number;
  readonly begun: Begun | null;
  /** Null where one only reads. @param point null = the whole picture */
  readonly onBegin: ((point: ReviewComment['point']) => void) | null;
}

function Picture({ name, picture, revision, threads, numberOf, begun, draw, onBegin }: PictureProps) {
  const [blob, setBlob] = useState<Blob | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [round, setRound] = useState(0);
  const address = useBlobAddress(blob);
  const { size, lang } = picture;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision is another picture, and `round` asks again.
  useEffect(() => {
    const abort = new AbortController();
    setError(null);
    draw({ size, lang }, abort.signal).then(setBlob, (err: Error) => {
      if (!abort.signal.aborted) setError(err);
    });
    return () => abort.abort();
  }, [size, lang, revision, round]);
  if (error) return <ErrorPanel error={error} onRetry={() => setRound(round + 1)} />;
  if (!address) return <Skeleton height={220} />;
  const begin = (event: MouseEvent) => {
    const { left, top, width, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const along = (at: number, length: number) =>
      Math.min(WHOLE_SIDE, Math.max(0, Math.round((at / length) * WHOLE_SIDE)));
    // A press of a key has no place: it is about the whole picture.
    const isPointed = event.detail > 0;
    onBegin?.(isPointed ? { x: along(event.clientX - left, width), y: along(event.clientY - top, height) } : null);
  };
  const pins = threads.filter(({ point }) => point !== null);
  return (
    <div class="pinned">
      {onBegin ? (
        <button type="button" aria-label={texts.value.review.commentOn(name)} onClick={begin}>
          <img src={address} alt={name} />
        </button>
      ) : (
        <img src={address} alt={name} />
      )}
      {pins.map((thread) => (
        <a
          key={thread.id}
          class={thread.resolvedAt ? 'picture-mark is-done' : 'picture-mark'}
          href={`#${thread.id}`}
          style={at(thread)}
        >
          <span class="visually-hidden">{texts.value.review.comment} </span>
          {numberOf(thread)}
        </a>
      ))}
      {begun?.point && <span class="picture-mark is-new" style={at(begun)} aria-hidden />}
    </div>
  );
}

const at = ({ point }: Begun) => ({
  left: `${((point?.x ?? 0) / WHOLE_SIDE) * 100}%`,
  top: `${((point?.y ?? 0) / WHOLE_SIDE) * 100}%`,
});

interface ThreadProps extends BoardActions {
  readonly number: number;
  readonly thread: ReviewComment;
  readonly answers: readonly ReviewComment[];
}

function Thread({ number, thread, answers, say, resolve, remove }: ThreadProps) {
  const [isAnswering, setAnswering] = useState(false);
  const { isBusy, error, run } = useAction();
  const isResolved = thread.resolvedAt !== null;
  return (
    <article class={isResolved ? 'thread is-done' : 'thread'} id={thread.id} tabIndex={-1}>
      <Said comment={thread} number={number} {...(remove && { onRemove: () => void run(() => remove(thread)) })} />
      {answers.map((answer) => (
        <Said key={answer.id} comment={answer} {...(remove && { onRemove: () => void run(() => remove(answer)) })} />
      ))}
      {error && <ErrorPanel error={error} />}
      {isAnswering && say ? (
        <Compose
          label={texts.value.review.answer}
          send={(text) => say({ text, answers: thread.id })}
          onClose={() => setAnswering(false)}
        />
      ) : (
        <div class="thread-actions">
          {say && (
            <Button dense look="quiet" onClick={() => setAnswering(true)}>
              {texts.value.review.answer}
            </Button>
          )}
          {resolve && (
            <Button dense look="quiet" busy={isBusy} onClick={() => void run(() => resolve(thread, !isResolved))}>
              {isResolved ? texts.value.review.reopen : texts.value.review.resolve}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

interface SaidProps {
  readonly comment: ReviewComment;
  /** Of the thread that it begins. */
  readonly number?: number;
  readonly onRemove?: () => void;
}

function Said({ comment, number, onRemove }: SaidProps) {
  const { by, isMember, isEarlier, resolvedAt, createdAt, text } = comment;
  const who = by ?? texts.value.review.somebody;
  return (
    <div class="said">
      <p class="said-head">
        {number !== undefined && <span class="mark-number">{number}</span>}
        <b>{who}</b>
        {isMember && <Badge>{texts.value.review.team}</Badge>}
        {resolvedAt !== null && <Badge tone="good">{texts.value.review.resolved}</Badge>}
        <span class="muted">
          <Time at={createdAt} />
        </span>
        {onRemove && (
          <IconButton icon={trash2} dense label={texts.value.review.deleteCommentOf(who)} onClick={onRemove} />
        )}
      </p>
      {isEarlier && number !== undefined && <p class="muted">{texts.value.review.earlier}</p>}
      <p class="said-text" dir="auto">
        {text}
      </p>
    </div>
  );
}

interface ComposeProps {
  readonly label: string;
  readonly send: (text: string) => Promise<unknown>;
  readonly onClose: () => void;
}

function Compose({ label, send, onClose }: ComposeProps) {
  const [text, setText] = useState('');
  const { isBusy, error, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  return (
    <form
      ref={form}
      class="compose"
      onSubmit={submits(() => void run(() => send(text.trim()).then(onClose)))}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <TextArea label={label} rows={3} maxLength={MAX_COMMENT} value={text} onText={setText} />
      {error && <ErrorPanel error={error} />}
      <div class="thread-actions">
        <Button dense look="main" type="submit" busy={isBusy} disabled={text.trim() === ''}>
          {texts.value.review.send}
        </Button>
        <Button dense onClick={onClose}>
          {texts.value.review.cancel}
        </Button>
      </div>
    </form>
  );
}
