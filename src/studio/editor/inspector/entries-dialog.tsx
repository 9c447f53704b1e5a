// The dialog that fills a table with rows: a CSV, rows of a spreadsheet, or JSON, pasted, dropped or chosen as a file.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/field.tsx';
import { texts } from '../../texts/editor.ts';
import type { RawLayer } from '../core/document/document.ts';
import { textOfRowsFile, tryEntries } from '../core/document/read-entries.ts';
import { valueNames } from '../core/document/table-edits.ts';
import { fillTable } from '../core/state/actions.ts';
import type { EditorState } from '../core/state/editor-state.ts';

interface EntriesDialogProps {
  readonly editor: EditorState;
  readonly table: RawLayer;
  readonly onClose: () => void;
}

export function EntriesDialog({ editor, table, onClose }: EntriesDialogProps) {
  const text = useSignal('');
  const file = useRef<HTMLInputElement>(null);
  const read = tryEntries(text.value);
  const entries = read && 'rows' in read ? read : null;
  const shown = valueNames(table);
  const missing = entries ? shown.filter((name) => !entries.names.includes(name)) : [];
  const unshown = entries ? entries.names.filter((name) => !shown.includes(name)) : [];
  const isOther = entries !== null && unshown.length === entries.names.length;
  const open = async (chosen: File | undefined) => {
    if (!chosen) return;
    try {
      text.value = await textOfRowsFile(chosen);
    } catch (error) {
      editor.host.tell(error instanceof Error ? error.message : String(error), { tone: 'bad' });
    }
  };
  const fill = () => {
    if (!entries) return;
    fillTable(editor, table.name, entries);
    onClose();
  };
  return (
    <Dialog
      title={texts.value.inspector.rowsOf(table.name)}
      onClose={onClose}
      onSubmit={fill}
      wide
      foot={
        <>
          <Button onClick={() => file.current?.click()}>{texts.value.inspector.chooseFile}</Button>
          <Button type="submit" look="main" disabled={!entries}>
            {texts.value.inspector.useRows(entries?.rows.length ?? null)}
          </Button>
        </>
      }
    >
      <input
        ref={file}
        type="file"
        hidden
        accept=".csv,.tsv,.json,text/csv,text/plain,application/json"
        onChange={(event) => void open(event.currentTarget.files?.[0])}
      />
      <label class="field">
        <span class="field-label">{texts.value.inspector.pasteHere}</span>
        <textarea
          class="input is-mono"
          rows={10}
          spellcheck={false}
          placeholder={'item,quantity,amount\nHinge,4,50.00'}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            if ((event.dataTransfer?.files.length ?? 0) === 0) return;
            event.preventDefault();
            void open(event.dataTransfer?.files[0]);
          }}
        />
      </label>
      <Problem of={read && 'problem' in read && read.problem} />
      {entries && (
        <p class="faint" role="status">
          {isOther
            ? texts.value.inspector.tableGets(entries.names)
            : [
                unshown.length > 0 ? texts.value.inspector.unshown(unshown.join(', ')) : '',
                missing.length > 0 ? texts.value.inspector.missing(missing.join(', ')) : '',
              ].join(' ')}
        </p>
      )}
    </Dialog>
  );
}
