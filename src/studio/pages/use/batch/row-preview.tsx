// Shows one row of a table on the design, as the server would render it, with its warnings beside it.

import { useEffect, useState } from 'preact/hooks';
import { type Choice, choosingParameters } from '#design/choice.ts';
import type { SheetRow } from '../../../editor/core/document/sheet.ts';
import { Button } from '../../../parts/button.tsx';
import { TextField } from '../../../parts/field.tsx';
import { Note, WarningNote } from '../../../parts/states.tsx';
import { accountPath, send } from '../../../shell/api.ts';
import type { TemplateDetail } from '../../../shell/contract.ts';
import { parametersOf } from '../../../shell/parameters.ts';
import { texts } from '../../../texts/pages.ts';

/** ms after the last step or change. */
const SETTLED = 200;
/** The longer side of the picture, px. */
const SIDE = 900;

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

interface Shown {
  /** Object URL; null: the row would fail. */
  readonly picture: string | null;
  readonly warnings: readonly string[];
  readonly error: string | null;
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
    modifications: Object.fromEntries(entries.filter(([name]) => !choosing.includes(name))),
  };
}

export function RowPreview({ accountId, template, row, chosen, at, count: total, onStep }: RowPreviewProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [isStale, setStale] = useState(true);
  const path = accountPath(accountId, 'templates', template.id, 'preview');
  const { width, height, version, document } = template;
  const values = JSON.stringify([row.modifications, chosen]);
  useEffect(() => {
    setStale(true);
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const scale = Math.min(1, Math.max(0.1, SIDE / Math.max(width, height)));
      const [own, forAll] = JSON.parse(values) as [Readonly<Record<string, unknown>>, Choice];
      const body = { ...chosenIn(own, document, forAll), output: 'webp', scale };
      draw(path, { version }, body, abort.signal).then(
        (next) => {
          setShown(next);
          setStale(false);
        },
        (err: unknown) => {
          if (abort.signal.aborted) return;
          setShown({ picture: null, warnings: [], error: err instanceof Error ? err.message : String(err) });
          setStale(false);
        },
      );
    }, SETTLED);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [path, values, width, height, version, document]);
  const picture = shown?.picture ?? null;
  useEffect(() => () => void (picture && URL.revokeObjectURL(picture)), [picture]);
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
      <div class={isStale ? 'use-picture is-stale' : 'use-picture'} aria-busy={isStale}>
        {picture && <img src={picture} alt={texts.value.use.rowNumbered(at + 1)} />}
        {shown?.error && !picture && <p class="muted">{texts.value.use.noPicture}</p>}
      </div>
      <div role="status">
        {shown?.error && <Note warn>{texts.value.use.rowWouldFail(shown.error)}</Note>}
        {shown && <WarningNote warnings={shown.warnings} />}
        {shown && !shown.error && shown.warnings.length === 0 && <p class="muted">{texts.value.use.nothingWarnRow}</p>}
      </div>
    </div>
  );
}

async function draw(
  path: string,
  query: { readonly version: number },
  body: object,
  signal: AbortSignal,
): Promise<Shown> {
  const answer = await send('POST', path, { query, body, signal });
  const warnings = JSON.parse(answer.headers.get('platen-warnings') ?? '[]') as readonly string[];
  return { picture: URL.createObjectURL(await answer.blob()), warnings, error: null };
}
