// The format of a file to download, its resolution, and whether all sizes, languages and pages are wanted: kept for the
// next download of this tab.

import { signal } from '@preact/signals';
import { isVector, labelOf, OUTPUTS, type Output } from '#draw/output/formats.ts';
import { sidesOf, sizeName, type TemplateView, type TemplateViews, wantedViews } from '../shell/views.ts';
import { texts } from '../texts/shell.ts';
import { setSignal } from './action.ts';
import { Check, SelectField } from './field.tsx';
import { languageName } from './language-name.ts';

/** Device px per canvas px. */
const SCALES = [1, 2, 3];

interface ChosenFile {
  readonly output: Output;
  readonly scale: number;
  /** Instead of the size, the language and the page that are shown. */
  readonly everySize: boolean;
  readonly everyLanguage: boolean;
  readonly everyPage: boolean;
}

/** The choice of the last download. */
export const chosenFile = signal<ChosenFile>({
  ...{ output: 'png', scale: 1, everySize: false, everyLanguage: false },
  everyPage: true,
});

/** The files that are chosen. */
export function chosenViews(views: TemplateViews, shown: TemplateView): readonly TemplateView[] {
  const { output, everySize, everyLanguage, everyPage } = chosenFile.value;
  const { page, ...whole } = shown;
  const hasPages = output !== 'pdf' && views.pages > 1;
  const one = hasPages ? { ...whole, page: page ?? 1 } : whole;
  return wantedViews(views, one, { sizes: everySize, languages: everyLanguage, pages: hasPages && everyPage });
}

/** `German`; of words whose language the template does not say, as they are written. */
export const spokenName = (lang: string | null): string =>
  lang === null ? texts.value.parts.asWritten : languageName(lang);

interface DownloadFieldsProps {
  readonly views: TemplateViews;
  /** The size and the language that are shown. */
  readonly shown: TemplateView;
}

export function DownloadFields({ views, shown }: DownloadFieldsProps) {
  const { output, scale, everySize, everyLanguage, everyPage } = chosenFile.value;
  const { width, height } = sidesOf(views, shown.size);
  const hasSizes = views.sizes.length > 1;
  const change = (to: Partial<ChosenFile>) => setSignal(chosenFile, { ...chosenFile.peek(), ...to });
  const sides = (by: number) => (hasSizes && everySize ? '' : `: ${width * by} × ${height * by} px`);
  return (
    <>
      <div class="form-row">
        <SelectField
          label={texts.value.parts.format}
          value={output}
          onChoose={(value) => change({ output: value as Output })}
          options={OUTPUTS.map((value) => ({ value, label: labelOf(value) }))}
        />
        {isVector(output) ? (
          <SelectField
            label={texts.value.parts.resolution}
            disabled
            value="1"
            options={[{ value: '1', label: texts.value.parts.anySize }]}
          />
        ) : (
          <SelectField
            label={texts.value.parts.resolution}
            value={String(scale)}
            onChoose={(value) => change({ scale: Number(value) })}
            options={SCALES.map((value) => ({ value: String(value), label: `${value}×${sides(value)}` }))}
          />
        )}
      </div>
      {hasSizes && (
        <Check
          label={texts.value.parts.everySize(views.sizes.length, sizeName(shown.size))}
          checked={everySize}
          onToggle={(checked) => change({ everySize: checked })}
        />
      )}
      {views.languages.length > 1 && (
        <Check
          label={texts.value.parts.everyLanguage(views.languages.length, spokenName(shown.lang))}
          checked={everyLanguage}
          onToggle={(checked) => change({ everyLanguage: checked })}
        />
      )}
      {views.pages > 1 && output !== 'pdf' && (
        <Check
          label={texts.value.parts.everyPage(views.pages, shown.page ?? 1)}
          checked={everyPage}
          onToggle={(checked) => change({ everyPage: checked })}
        />
      )}
    </>
  );
}
