// The templates that use an older version of a brand or a component, each before and after; all or some are updated.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { circleCheck } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, Note, SkeletonRows } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { accountPath } from '../../shell/api.ts';
import type { OutdatedUse, OutdatedUsesPage } from '../../shell/contract.ts';
import { plural } from '../../shell/format.ts';
import { useList } from '../../shell/list.ts';
import { forget } from '../../shell/load.ts';
import { mayDo } from '../../shell/session.ts';
import { BeforeAfter } from './before-after.tsx';
import './outdated.css';
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
      if (done.updated > 0) toast(`${plural(done.updated, 'template')} updated to version ${newest}`);
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
        <h2 id="outdated">
          {total > 0
            ? `${plural(total, 'template')} ${total === 1 ? 'uses' : 'use'} an older version`
            : 'Newer versions'}
        </h2>
        {mayEdit && total > 0 && (
          <div class="page-actions">
            {selected.length > 0 && (
              <Button look="quiet" onClick={() => setChosen(new Set())}>
                Choose none
              </Button>
            )}
            <Button look="main" onClick={() => setAsking(true)}>
              {isAll && total > 1 ? `Update all ${total}` : `Update ${plural(number, 'template')}`}
            </Button>
          </div>
        )}
      </header>
      {total > 0 && (
        <p class="page-intro">
          Version {newest} of {name} is the newest. A template gets it as a version of its own, which can be undone by
          restoring the one before. Drafts stay as they are.
        </p>
      )}
      {outcome && outcome.problems.size > 0 && (
        <div class="outdated-note">
          <Note warn>
            {plural(outcome.problems.size, 'template')} could not be updated. The reason is shown at each.
          </Note>
        </div>
      )}
      {list.error && <ErrorPanel error={list.error} onRetry={list.reload} />}
      {!list.items && !list.error && <SkeletonRows rows={4} height={160} />}
      {list.items?.length === 0 && (
        <EmptyState icon={circleCheck} title="All templates are up to date">
          Every template that uses {name} uses version {newest}.
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
      {list.hasMore && (
        <div class="table-more">
          <Button onClick={list.loadMore} busy={list.isLoadingMore}>
            Show more
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Update ${isAll && total > 1 ? `all ${total} templates` : plural(number, 'template')}?`}
          action="Update"
          onClose={() => setAsking(false)}
          onConfirm={update}
        >
          Renders and signed URLs show version {newest} of {name} from then on.
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
            aria-label={`Choose ${name}`}
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        )}
        <a class="truncate" href={`/studio/a/${accountId}/templates/${id}/versions`} title={name}>
          {name}
        </a>
        {hasDraft && <Badge tone="info">Draft</Badge>}
      </header>
      <BeforeAfter {...{ before, after, used, newest }} />
      {problem !== null && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
    </article>
  );
}
