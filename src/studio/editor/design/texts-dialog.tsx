// The texts of a template in all its languages, side by side: typed in, exported to be translated, and imported.

import { useSignal } from '@preact/signals';
import { unescaped, writeCsv } from '#design/csv-text.ts';
import {
  isUntranslated,
  type Translated,
  tableRows,
  textTable,
  translationsIn,
  withTranslations,
} from '#design/text-table.ts';
import { readXliff, writeXliff } from '#design/xliff.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { chevronDown, download, upload } from '../../parts/icons.ts';
import { Menu } from '../../parts/menu.tsx';
import { Badge, ErrorPanel } from '../../parts/states.tsx';
import { ApiError } from '../../shell/api.ts';
import { saveFile } from '../../shell/drawn-file.ts';
import { parseCsv, textOfSheet } from '../core/document/sheet.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import './design.css';
import { languageName } from '../../parts/language-name.ts';
import { texts } from '../../texts/editor.ts';

interface TextsDialogProps {
  readonly editor: EditorState;
  /** Shown even if nothing is translated to it yet. */
  readonly more: readonly string[];
  readonly onClose: () => void;
}

/** Bytes of a file that is imported. */
const LARGEST = 8_000_000;

const save = (name: string, type: string, text: string) => saveFile(new Blob([text], { type }), name);

export function TextsDialog({ editor, more, onClose }: TextsDialogProps) {
  const error = useSignal<Error | null>(null);
  const stored = editor.stored.value;
  const table = textTable(stored);
  const languages = [...new Set([...table.languages, ...more])].filter((tag) => tag !== table.lang);
  const name = stored.name.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
  const set = (entry: Translated) =>
    editor.editStored((document) => withTranslations(document, [entry]), `text ${entry.name} ${entry.lang}`);
  const read = async (file: File) => {
    error.value = null;
    try {
      if (file.size > LARGEST) throw new Error(texts.value.design.tooLarge(LARGEST / 1e6));
      const text = await textOfSheet(file);
      const entries = text.trimStart().startsWith('<')
        ? readXliff(text)
        : translationsIn(
            parseCsv(text).map((row) => row.map(unescaped)),
            table.lang,
          );
      const before = editor.stored.peek();
      const next = withTranslations(before, entries);
      editor.editStored(() => (JSON.stringify(next) === JSON.stringify(before) ? before : next));
      editor.host.tell(texts.value.design.textsRead(entries.length, file.name));
    } catch (err) {
      const message = err instanceof Error ? err.message : String(err);
      error.value = new ApiError(400, 'invalid_request', `${file.name}: ${message}`);
    }
  };
  return (
    <Dialog title={texts.value.design.texts} wide onClose={onClose}>
      <div class="texts-head">
        <p class="muted">{texts.value.design.textsIn(table.rows.length, languages.length + 1)}</p>
        <Menu
          align="end"
          entries={[
            {
              label: texts.value.design.csv,
              onSelect: () => save(`${name}.csv`, 'text/csv', writeCsv(tableRows({ ...table, languages }))),
            },
            languages.length > 0 && 'line',
            ...languages.map((tag) => ({
              label: texts.value.design.xliff(languageName(tag)),
              onSelect: () =>
                save(`${name}.${tag}.xlf`, 'application/x-xliff+xml', writeXliff(table, stored.name, [tag])),
            })),
          ]}
        >
          {(attributes) => (
            <Button {...attributes} dense icon={download}>
              {texts.value.design.export}
              <Icon of={chevronDown} size={14} />
            </Button>
          )}
        </Menu>
        <label class="button button-plain is-dense">
          <Icon of={upload} size={14} />
          {texts.value.design.import}
          <input
            class="visually-hidden"
            type="file"
            accept=".csv,.tsv,.xlf,.xliff"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              event.currentTarget.value = '';
              if (file) void read(file);
            }}
          />
        </label>
      </div>
      {error.value && <ErrorPanel error={error.value} />}
      <div class="texts-scroll">
        <table class="texts">
          <thead>
            <tr>
              <th scope="col">{texts.value.common.layer}</th>
              <th scope="col">{table.lang === null ? texts.value.design.asWritten : languageName(table.lang)}</th>
              {languages.map((tag) => {
                const missing = table.rows.filter((row) => isUntranslated(row, tag)).length;
                return (
                  <th key={tag} scope="col">
                    {languageName(tag)}{' '}
                    {missing > 0 && <Badge tone="warn">{texts.value.design.missing(missing)}</Badge>}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(({ name: layer, source, texts: translated }) => (
              <tr key={layer}>
                <th scope="row">{layer}</th>
                <td class="texts-source">{source}</td>
                {languages.map((tag) => (
                  <td key={tag}>
                    <textarea
                      class={
                        isUntranslated({ source, texts: translated }, tag)
                          ? 'input is-dense is-missing'
                          : 'input is-dense'
                      }
                      rows={Math.min(
                        5,
                        Math.max(1, Math.ceil(Math.max(source.length, (translated[tag] ?? '').length) / 18)),
                      )}
                      lang={tag}
                      dir="auto"
                      aria-label={texts.value.design.layerIn(layer, languageName(tag))}
                      placeholder={texts.value.design.notTranslated}
                      value={translated[tag] ?? ''}
                      onInput={(event) => set({ name: layer, lang: tag, text: event.currentTarget.value })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
