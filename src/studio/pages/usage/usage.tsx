// The usage of a month: by day, against the quota, and by template.

import { useState } from 'preact/hooks';
import { ButtonLink, IconButton } from '../../parts/button.tsx';
import { arrowLeft, arrowRight } from '../../parts/icons.ts';
import { MonthChart } from '../../parts/month-chart.tsx';
import { EmptyState, ErrorPanel, Note, Skeleton } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { accountPath, get } from '../../shell/api.ts';
import type { Usage as MonthUsage } from '../../shell/contract.ts';
import { bytes, count, plural } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import './usage.css';

const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const thisMonth = () => new Date().toISOString().slice(0, 7);
const shifted = (period: string, months: number) => {
  const [year = 0, month = 1] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7);
};

export default function Usage({ accountId }: PageProps) {
  const [period, setPeriod] = useState(thisMonth);
  const path = accountPath(accountId, 'usage');
  const { data, error, reload } = useLoad(`${path}?${period}`, () => get<MonthUsage>(path, { period }));
  return (
    <>
      <PageHead
        title="Usage"
        actions={
          <>
            <IconButton
              icon={arrowLeft}
              look="plain"
              label="Previous month"
              onClick={() => setPeriod(shifted(period, -1))}
            />
            <span style={{ minWidth: '128px', textAlign: 'center' }} aria-live="polite">
              {monthName.format(new Date(`${period}-01T00:00:00Z`))}
            </span>
            <IconButton
              icon={arrowRight}
              look="plain"
              label="Next month"
              disabled={period >= thisMonth()}
              onClick={() => setPeriod(shifted(period, 1))}
            />
          </>
        }
      />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <Skeleton height={300} />}
      {data && <Month usage={data} templates={`/studio/a/${accountId}/templates`} />}
    </>
  );
}

function Month({ usage, templates }: { usage: MonthUsage; templates: string }) {
  const { quota, used, reserved, overage, blocks, storedBytes, storageLimit } = usage;
  const share = quota ? used / quota : 0;
  const rows = [
    ...usage.templates.map(({ id, name, count: value }) => ({ id, name: name ?? 'Deleted template', value })),
    ...(usage.other > 0 ? [{ id: '', name: 'Screenshots and other', value: usage.other }] : []),
  ];
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <>
      <div class="usage-numbers usage-head" style={{ justifyContent: 'flex-start' }}>
        <Figure label="Renders" value={count(used)} />
        {quota !== null && <Figure label="Quota" value={count(quota)} />}
        {overage > 0 && <Figure label="Over quota" value={count(overage)} />}
        {reserved > 0 && <Figure label="In progress" value={count(reserved)} />}
        <Figure
          label={storageLimit === null ? 'Stored' : `Stored, of ${bytes(storageLimit)}`}
          value={bytes(storedBytes)}
        />
      </div>
      {quota !== null && (
        <div class="usage-meter">
          <div
            class="progress"
            role="progressbar"
            aria-label="Share of the quota"
            aria-valuenow={Math.min(100, Math.round(share * 100))}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span style={{ width: `${Math.min(100, share * 100)}%` }} />
          </div>
          <p class="card-facts">
            {Math.round(share * 100)} % of the month's quota.{' '}
            {blocks
              ? 'Once it is used up, renders are refused until next month.'
              : 'Over quota, renders continue and count as overage.'}
          </p>
        </div>
      )}
      {blocks && share >= 0.9 && (
        <Note warn>{share >= 1 ? 'This month’s quota is used up.' : 'This month’s quota is almost used up.'}</Note>
      )}
      <section class="usage-chart" aria-label="By day">
        <MonthChart period={usage.period} days={usage.days} unit="render" />
      </section>
      {rows.length === 0 ? (
        <EmptyState title="No renders this month" action={<ButtonLink href={templates}>Choose a template</ButtonLink>}>
          Test keys and previews are not counted.
        </EmptyState>
      ) : (
        <section class="section" aria-labelledby="by-template">
          <h2 id="by-template">By template</h2>
          <Table
            label="By template"
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'name',
                header: 'Template',
                width: '40%',
                render: ({ name }) => <span class="cell-main">{name}</span>,
              },
              {
                key: 'share',
                header: 'Share',
                render: ({ value }) => (
                  <span class="usage-share">
                    <span class="progress" title={plural(value, 'render')}>
                      <span style={{ width: `${(100 * value) / most}%` }} />
                    </span>
                  </span>
                ),
              },
              { key: 'value', header: 'Renders', width: '110px', align: 'end', render: ({ value }) => count(value) },
            ]}
          />
        </section>
      )}
    </>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <p class="card-facts">{label}</p>
      <p class="usage-figure">{value}</p>
    </div>
  );
}
