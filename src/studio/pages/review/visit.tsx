// The page that a review link opens: pictures and comments, for a visitor who gives only a name.

import { useEffect, useRef, useState } from 'preact/hooks';
import { TextField } from '../../parts/field.tsx';
import { ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { ApiError, apiPath, post, send } from '../../shell/api.ts';
import type { OpenedReview, ReviewComment } from '../../shell/contract.ts';
import { exactTime } from '../../shell/format.ts';
import { useLoad } from '../../shell/load.ts';
import { texts } from '../../texts/pages.ts';
import { Board } from './board.tsx';

/** Characters of a name, as the server takes them. */
const MAX_NAME = 80;

export default function Visit() {
  const [token] = useState(() => location.hash.slice(1));
  const { data, error, reload, change } = useLoad(`review ${token}`, () =>
    post<OpenedReview>(apiPath('review', 'look'), { token }),
  );
  const [name, setName] = useState('');
  const [isAsked, setAsked] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const title = data?.name ?? texts.value.review.title;
  useEffect(() => {
    document.title = `${title} · Platen`;
  }, [title]);
  if (error instanceof ApiError && error.code === 'link_invalid')
    return (
      <main class="lone">
        <h1>{texts.value.review.hasEnded}</h1>
        <p class="muted">{texts.value.review.hasEndedNote}</p>
      </main>
    );
  const isNameless = name.trim() === '';
  return (
    <main class="visit">
      <header class="visit-head">
        <p class="muted">{texts.value.review.title}</p>
        <h1>{title}</h1>
        {data && <p class="muted">{texts.value.review.visitorNote(exactTime(data.endsAt))}</p>}
        <div ref={field}>
          <TextField
            label={texts.value.review.yourName}
            name="name"
            autocomplete="name"
            maxLength={MAX_NAME}
            error={isAsked && isNameless ? texts.value.review.nameFirst : null}
            hint={texts.value.review.pointHint}
            value={name}
            onText={setName}
          />
        </div>
      </header>
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={5} />}
      {data && (
        <Board
          opened={data}
          draw={async (picture, signal) => {
            const path = apiPath('review', 'picture');
            return (await send('POST', path, { body: { token, ...picture }, signal })).blob();
          }}
          say={async (remark) => {
            setAsked(true);
            if (isNameless) {
              field.current?.querySelector('input')?.focus();
              throw new ApiError(0, 'nameless', texts.value.review.nameFirst);
            }
            const body = { token, name: name.trim(), ...remark };
            const made = await post<ReviewComment>(apiPath('review', 'comments'), body);
            change((before) => ({ ...before, comments: [...before.comments, made] }));
          }}
          resolve={null}
          remove={null}
        />
      )}
    </main>
  );
}
