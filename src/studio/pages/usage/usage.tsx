// The usage of a month: by day, against the quota, and by template. Below it what is stored now, by kind.

import { computed } from '@preact/signals';
import { useState } from 'preact/hooks';
import { ButtonLink, IconButton } from '../../parts/button.tsx';
import { arrowLeft, arrowRight } from '../../parts/icons.ts';
import { MonthChart } from '../../parts/month-chart.tsx';
import { PageSection } from '../../parts/section.tsx';
import { EmptyState, ErrorPanel, Note, Skeleton } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { accountPath, get } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { Usage as MonthUsage } from '../../shell/contract.ts';
import { bytes, count } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { language } from '../../texts/language.ts';
import './usage.css';
import { texts } from '../../texts/pages.ts';

const monthName = computed(
  () => new Intl.DateTimeFormat(language.value, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);
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
        title={texts.value.usage.usage}
        actions={
          <>
            <IconButton
              icon={arrowLeft}
              look="plain"
              label={texts.value.usage.previousMonth}
              onClick={() => setPeriod(shifted(period, -1))}
            />
            <span style={{ minWidth: '128px', textAlign: 'center' }} aria-live="polite">
              {monthName.value.format(new Date(`${period}-01T00:00:00Z`))}
            </span>
            <IconButton
              icon={arrowRight}
              look="plain"
              label={texts.value.usage.nextMonth}
              disabled={period >= thisMonth()}
              onClick={() => setPeriod(shifted(period, 1))}
            />
          </>
        }
      />
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <Skeleton height={300} />}
      {data && <Month usage={data} templates={`${STUDIO}/a/${accountId}/templates`} />}
    </>
  );
}

function Month({ usage, templates }: { usage: MonthUsage; templates: string }) {
  const { quota, used, reserved, overage, blocks, storedBytes, storageLimit } = usage;
  const share = quota ? used / quota : 0;
  const rows = [
    ...usage.templates.map(({ id, name, count: value }) => ({
      id,
      name: name ?? texts.value.common.deletedTemplate,
      value,
    })),
    ...(usage.other > 0 ? [{ id: '', name: texts.value.usage.screenshotsAndOther, value: usage.other }] : []),
  ];
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <>
      <div class="usage-numbers usage-head" style={{ justifyContent: 'flex-start' }}>
        <Figure label={texts.value.common.renders} value={count(used)} />
        {quota !== null && <Figure label={texts.value.usage.quota} value={count(quota)} />}
        {overage > 0 && <Figure label={texts.value.usage.overQuota} value={count(overage)} />}
        {reserved > 0 && <Figure label={texts.value.common.inProgress} value={count(reserved)} />}
        <Figure
          label={storageLimit === null ? texts.value.usage.stored : texts.value.usage.storedOf(bytes(storageLimit))}
          value={bytes(storedBytes)}
        />
      </div>
      {quota !== null && (
        <div class="usage-meter">
          <div
            class="progress"
            role="progressbar"
            aria-label={texts.value.usage.shareOfQuota}
            aria-valuenow={Math.min(100, Math.round(share * 100))}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span style={{ width: `${Math.min(100, share * 100)}%` }} />
          </div>
          <p class="card-facts">
            {texts.value.usage.ofTheQuota(Math.round(share * 100))}{' '}
            {blocks ? texts.value.usage.refusedNote : texts.value.usage.countedNote}
          </p>
        </div>
      )}
      {blocks && share >= 0.9 && (
        <Note warn>{share >= 1 ? texts.value.usage.quotaUsed : texts.value.usage.quotaAlmostUsed}</Note>
      )}
      <section class="usage-chart" aria-label={texts.value.usage.byDay}>
        <MonthChart period={usage.period} days={usage.days} unit={texts.value.settings.renders} />
      </section>
      {rows.length === 0 ? (
        <EmptyState
          title={texts.value.usage.noneThisMonth}
          action={<ButtonLink href={templates}>{texts.value.common.chooseTemplate}</ButtonLink>}
        >
          {texts.value.usage.notCounted}
        </EmptyState>
      ) : (
        <PageSection id="by-template" title={texts.value.usage.byTemplate}>
          <Table
            label={texts.value.usage.byTemplate}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                header: texts.value.common.template,
                width: '40%',
                render: ({ name }) => <span class="cell-main">{name}</span>,
              },
              {
                header: texts.value.usage.share,
                render: ({ value }) => (
                  <span class="usage-share">
                    <span class="progress" title={texts.value.settings.renders(value)}>
                      <span style={{ width: `${(100 * value) / most}%` }} />
                    </span>
                  </span>
                ),
              },
              { header: texts.value.common.renders, width: '110px', align: 'end', render: ({ value }) => count(value) },
            ]}
          />
        </PageSection>
      )}
      <Stored stored={usage.stored} />
    </>
  );
}

/** A kind of what is stored; without a bound of its own where it shares one. */
type Kind = { name: string; bytes: number; count?: number; limit?: number | null };
const numbers = (header: string, render: Column<Kind>['render']): Column<Kind> => {
  return { header, align: 'end', render };
};

/** What is stored now, by kind; all but renders share one bound. */
function Stored({ stored }: { stored: MonthUsage['stored'] }) {
  const rows: readonly Kind[] = [
    { name: texts.value.common.templates, ...stored.templates },
    { name: texts.value.images.images, ...stored.images },
    { name: texts.value.fonts.fonts, ...stored.fonts },
    { name: texts.value.brands.brands, ...stored.brands },
    { name: texts.value.usage.together, bytes: stored.bytes, limit: stored.limit },
    { name: texts.value.common.renders, ...stored.renders },
  ];
  const allowed = ({ limit }: Kind) =>
    limit !== undefined && (limit === null ? texts.value.usage.anyAmount : bytes(limit));
  const name = (row: Kind) => <span class="cell-main">{row.name}</span>;
  return (
    <PageSection id="stored" title={texts.value.usage.storedNow} look="section section-below">
      <p class="card-facts">{texts.value.usage.deletedCounts}</p>
      <Table
        label={texts.value.usage.storedNow}
        rows={rows}
        rowKey={(row) => row.name}
        columns={[
          { header: texts.value.common.kind, width: '40%', render: name },
          numbers(texts.value.usage.number, (row) => row.count !== undefined && count(row.count)),
          numbers(texts.value.common.size, (row) => bytes(row.bytes)),
          numbers(texts.value.usage.planAllows, allowed),
        ]}
      />
    </PageSection>
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
