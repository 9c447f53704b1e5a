// The templates that use an older version of a brand or a component, each before and after; all or some are updated.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Problem } from '../../parts/field.tsx';
import { circleCheck } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { accountPath } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { OutdatedUse, OutdatedUsesPage } from '../../shell/contract.ts';
import { useList } from '../../shell/list.ts';
import { forget } from '../../shell/load.ts';
import { mayDo } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';
import { BeforeAfter } from './before-after.tsx';
import './outdated.css';
import { ShowMore } from '../../parts/table.tsx';
import { type UpdateOutcome, updateUses } from './update-uses.ts';

interface OutdatedUsesProps {
  readonly accountId: string;
  /** Of the brand or the component. */
  readonly path: string;
  readonly name: string;
}

export function OutdatedUses({ accountId, path, name }: OutdatedUsesProps) {
  const list = useList<OutdatedUse, OutdatedUsesPage>(`${path}/outdated-uses`);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<UpdateOutcome | null>(null);
  const mayEdit = mayDo(accountId, 'editor');
  const { total = 0, newest = 0 } = list.data ?? {};
  const selected = list.items?.filter(({ id }) => chosen.has(id)) ?? [];
  const number = selected.length > 0 ? selected.length : total;
  const isAll = number === total;
  const update = async () => {
    const wanted = selected.length > 0 ? selected.map(({ id, version }) => `${id}@${version}`) : 'all';
    try {
      const done = await updateUses(path, wanted, newest);
      setOutcome(done);
      if (done.updated > 0) toast(texts.value.outdated.updatedTo(done.updated, newest));
    } finally {
      // Those before a failure stay updated.
      setChosen(new Set());
      for (const kind of ['brands', 'templates']) forget(accountPath(accountId, kind));
      list.reload();
    }
  };
  return (
    <section aria-labelledby="outdated">
      <header class="page-head">
        <h2 id="outdated">{total > 0 ? texts.value.outdated.olderUses(total) : texts.value.outdated.newerVersions}</h2>
        {mayEdit && total > 0 && (
          <div class="page-actions">
            {selected.length > 0 && (
              <Button look="quiet" onClick={() => setChosen(new Set())}>
                {texts.value.common.chooseNone}
              </Button>
            )}
            <Button look="main" onClick={() => setAsking(true)}>
              {isAll && total > 1 ? texts.value.outdated.updateAll(total) : texts.value.outdated.updateSome(number)}
            </Button>
          </div>
        )}
      </header>
      {total > 0 && <p class="page-intro">{texts.value.outdated.intro(newest, name)}</p>}
      {outcome && outcome.problems.size > 0 && (
        <div class="outdated-note">
          <Note warn>{texts.value.outdated.notUpdated(outcome.problems.size)}</Note>
        </div>
      )}
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <SkeletonRows rows={4} height={160} />}
      {list.items?.length === 0 && (
        <EmptyState icon={circleCheck} title={texts.value.outdated.upToDate}>
          {texts.value.outdated.allUse(name, newest)}
        </EmptyState>
      )}
      <div class="outdated">
        {list.items?.map((use) => (
          <Use
            key={use.id}
            {...{ accountId, use, newest, mayEdit }}
            problem={outcome?.problems.get(use.id) ?? null}
            isChosen={chosen.has(use.id)}
            onChoose={(isChosen) => {
              const next = new Set(chosen);
              if (isChosen) next.add(use.id);
              else next.delete(use.id);
              setChosen(next);
            }}
          />
        ))}
      </div>
      <ShowMore of={list} />
      {isAsking && (
        <ConfirmDialog
          title={isAll && total > 1 ? texts.value.outdated.askAll(total) : texts.value.outdated.askSome(number)}
          action={texts.value.outdated.update}
          onClose={() => setAsking(false)}
          onConfirm={update}
        >
          {texts.value.outdated.showFromThen(newest, name)}
        </ConfirmDialog>
      )}
    </section>
  );
}

interface UseProps {
  readonly accountId: string;
  readonly use: OutdatedUse;
  readonly newest: number;
  readonly mayEdit: boolean;
  /** Why it could not be updated. */
  readonly problem: string | null;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

function Use({ accountId, use, newest, mayEdit, problem, isChosen, onChoose }: UseProps) {
  const { id, name, used, hasDraft, before, after } = use;
  return (
    <article class={isChosen ? 'outdated-use is-chosen' : 'outdated-use'} aria-label={name}>
      <header>
        {mayEdit && (
          <input
            type="checkbox"
            aria-label={texts.value.common.chooseNamed(name)}
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        )}
        <a class="truncate" href={`${STUDIO}/a/${accountId}/templates/${id}/versions`} title={name}>
          {name}
        </a>
        {hasDraft && <Badge tone="info">{texts.value.common.draft}</Badge>}
      </header>
      <BeforeAfter {...{ before, after, used, newest }} />
      <Problem of={problem} />
    </article>
  );
}
