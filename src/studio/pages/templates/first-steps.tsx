// The first three steps in a new account. What the account has shows which of them are done; once all are, the list is
// gone for good.

import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { circle, circleCheck } from '../../parts/icons.ts';
import { accountPath, get } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Key, ListPage, Render, TemplateCard } from '../../shell/contract.ts';
import { useLoad } from '../../shell/load.ts';
import './first-steps.css';
import { texts } from '../../texts/pages.ts';

interface FirstStepsProps {
  readonly accountId: string;
  /** The account's templates, newest first. */
  readonly templates: readonly TemplateCard[];
}

/** Remembered by this browser, which then asks nothing more for it. */
const keyOf = (accountId: string) => `platen-started-${accountId}`;

export function FirstSteps(props: FirstStepsProps) {
  const key = keyOf(props.accountId);
  const [isOver, setOver] = useState(() => localStorage.getItem(key) !== null);
  if (isOver) return null;
  const end = () => {
    localStorage.setItem(key, 'yes');
    setOver(true);
  };
  return <Steps {...props} onEnd={end} />;
}

function Steps({ accountId, templates, onEnd }: FirstStepsProps & { readonly onEnd: () => void }) {
  const keysPath = accountPath(accountId, 'keys');
  const rendersPath = accountPath(accountId, 'renders');
  const { data } = useLoad(`${keysPath}?steps`, async () => {
    const [keys, renders] = await Promise.all([
      get<ListPage<Key>>(keysPath, { limit: 20 }),
      get<ListPage<Render>>(rendersPath, { limit: 1 }),
    ]);
    return { keys: keys.items, renders: renders.items };
  });
  const here = `${STUDIO}/a/${accountId}`;
  const [newest] = templates;
  const steps = [
    {
      title: texts.value.templates.designTemplate,
      about: texts.value.templates.designNote,
      href: `${here}/templates?new=starters`,
      // Nobody has changed the samples that come with a new account.
      isDone: templates.some(({ updatedBy, hasDraft }) => updatedBy !== null || hasDraft),
    },
    {
      title: texts.value.templates.createApiKey,
      about: texts.value.templates.createKeyNote,
      href: `${here}/keys?new=key`,
      isDone: data?.keys.some(({ createdBy, lastUsedAt }) => createdBy !== null || lastUsedAt !== null) ?? false,
    },
    {
      title: texts.value.templates.renderIt,
      about: texts.value.templates.renderItNote,
      href: newest ? `${here}/templates/${newest.id}/use` : `${here}/templates?new=starters`,
      isDone: (data?.renders.length ?? 0) > 0,
    },
  ];
  const isOver = data !== null && steps.every(({ isDone }) => isDone);
  useEffect(() => {
    if (isOver) onEnd();
  });
  if (data === null || isOver) return null;
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">{texts.value.templates.getStarted}</h2>
        <Button look="quiet" dense onClick={onEnd}>
          {texts.value.templates.hide}
        </Button>
      </header>
      <ol>
        {steps.map(({ title, about, href, isDone }) => (
          <li key={title} class={isDone ? 'is-done' : undefined}>
            <Icon
              of={isDone ? circleCheck : circle}
              size={20}
              label={isDone ? texts.value.common.done : texts.value.templates.toDo}
            />
            <div>
              {isDone ? <b>{title}</b> : <a href={href}>{title}</a>}
              <p class="card-facts">{about}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
