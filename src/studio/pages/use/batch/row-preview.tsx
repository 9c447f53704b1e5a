// Shows one row of a table on the design, as the server would render it, with its warnings beside it.

import { type Choice, choosingParameters } from '#design/choice.ts';
import type { SheetRow } from '../../../editor/core/document/sheet.ts';
import { useBlobAddress } from '../../../parts/blob-address.ts';
import { Button } from '../../../parts/button.tsx';
import { TextField } from '../../../parts/field.tsx';
import { Note, WarningNote } from '../../../parts/states.tsx';
import type { TemplateDetail } from '../../../shell/contract.ts';
import { parametersOf } from '../../../shell/parameters.ts';
import { texts } from '../../../texts/pages.ts';
import { useLivePreview } from '../live-preview.ts';
import type { Values } from '../values.ts';

interface RowPreviewProps {
  readonly accountId: string;
  readonly template: TemplateDetail;
  readonly row: SheetRow;
  /** What is chosen for all rows; `all` stands for each. */
  readonly chosen: Choice;
  /** The row's place, from 0. */
  readonly at: number;
  readonly count: number;
  readonly onStep: (at: number) => void;
}

/**
 * The values of a row, and what it chooses: of several sizes, languages or brands the first.
 *
 * @param chosen what is chosen for all rows
 */
function chosenIn(values: Readonly<Record<string, unknown>>, document: TemplateDetail['document'], chosen: Choice) {
  const choosing: readonly string[] = choosingParameters(
    document,
    new Set(parametersOf(document).map(({ name }) => name)),
  );
  const entries = Object.entries(values);
  const own = entries.filter(([name]) => choosing.includes(name));
  return {
    ...Object.fromEntries(Object.entries(chosen).filter(([, name]) => name !== 'all')),
    ...Object.fromEntries(own.map(([name, value]) => [name, String(value).split(',')[0]?.trim()])),
    modifications: Object.fromEntries(entries.filter(([name]) => !choosing.includes(name))) as Values,
  };
}

export function RowPreview({ accountId, template, row, chosen, at, count: total, onStep }: RowPreviewProps) {
  const { width, height, document } = template;
  const { modifications, ...choice } = chosenIn(row.modifications, document, chosen);
  const { blob, warnings, error, isStale } = useLivePreview(
    accountId,
    template,
    { width, height, choice },
    modifications,
  );
  const picture = useBlobAddress(error ? null : blob);
  const isLate = isStale && !error;
  const step = (to: number) => onStep(Math.min(total - 1, Math.max(0, to)));
  return (
    <div class="batch-row">
      <div class="batch-step">
        <Button dense disabled={at === 0} onClick={() => step(at - 1)}>
          {texts.value.use.previous}
        </Button>
        <TextField
          label={texts.value.use.row}
          hideLabel
          dense
          inputMode="numeric"
          value={String(at + 1)}
          onText={(text) => {
            if (/^[1-9]\d{0,4}$/.test(text)) step(Number(text) - 1);
          }}
        />
        <span class="muted">{texts.value.use.ofTotal(total)}</span>
        <Button dense disabled={at === total - 1} onClick={() => step(at + 1)}>
          {texts.value.use.next}
        </Button>
      </div>
      <div class={isLate ? 'use-picture is-stale' : 'use-picture'} aria-busy={isLate}>
        {picture && <img src={picture} alt={texts.value.use.rowNumbered(at + 1)} />}
        {error && <p class="muted">{texts.value.use.noPicture}</p>}
      </div>
      <div role="status">
        {error && <Note warn>{texts.value.use.rowWouldFail(error.message)}</Note>}
        {!error && <WarningNote warnings={warnings} />}
        {picture && warnings.length === 0 && <p class="muted">{texts.value.use.nothingWarnRow}</p>}
      </div>
    </div>
  );
}
