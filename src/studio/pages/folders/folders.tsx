// Folders of templates and images: one is shown, and what is selected is moved to another, or deleted, with undo.

import { useRef, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FolderField, SelectField, TextField } from '../../parts/field.tsx';
import { folderInput, trash2 } from '../../parts/icons.ts';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, post, put, remove } from '../../shell/api.ts';
import type { TemplatePage } from '../../shell/contract.ts';
import { mayDo } from '../../shell/session.ts';
import { texts } from '../../texts/pages.ts';
import { texts as shell } from '../../texts/shell.ts';
import './folders.css';

/** A template or an image. */
interface Kept {
  readonly id: string;
  readonly name: string | null;
  readonly folder: string | null;
}

interface ManyProps<T> {
  readonly accountId: string;
  readonly kind: 'templates' | 'images';
  /** Those that are shown; null while they are loaded. */
  readonly items: readonly T[] | null;
  /** Of the whole account; absent while they are loaded. */
  readonly folders: TemplatePage['folders'] | undefined;
  /** The name of the folder that is shown, '' for all. */
  readonly folder: string;
  readonly onOpen: (folder: string) => void;
  /** Called after a change, and after it was undone. */
  readonly onChanged: () => void;
  /** Whether these may be deleted; absent = always. */
  readonly mayDrop?: (items: readonly T[]) => Promise<boolean>;
}

/**
 * The choice of a folder (`field`), what can be done with those that are chosen (`bar`), the dialog that is open, and the box
 * that chooses one of them. `drop` returns whether all were deleted.
 */
export function useMany<T extends Kept>(props: ManyProps<T>) {
  const { accountId, kind, items, folder, onOpen, onChanged, mayDrop = async () => true } = props;
  const words = texts.value[kind];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [moving, setMoving] = useState<readonly T[]>([]);
  // While a list is loaded, those of the one before are shown.
  const known = useRef<TemplatePage['folders']>([]);
  known.current = props.folders ?? known.current;
  const folders = known.current;
  const selected = items?.filter(({ id }) => chosen.has(id)) ?? [];
  const drop = async (dropped: readonly T[]) => {
    if (!(await mayDrop(dropped).catch(toastError))) return false;
    const path = (id: string) => accountPath(accountId, kind, id);
    const done = await forEach(dropped, ({ id }) => remove(path(id)));
    if (done.length > 0) {
      offerUndo(words.deleted(named(done), done.length), async () => {
        await forEach(done, ({ id }) => post(`${path(id)}/undelete`));
        onChanged();
      });
      onChanged();
    }
    if (done.length < dropped.length) return false;
    setChosen(new Set());
    return true;
  };
  return {
    field: (folders.length > 0 || folder !== '') && <FolderField {...{ folders, folder }} onChoose={onOpen} />,
    bar: selected.length > 0 && (
      <div class="bar" role="toolbar" aria-label={words.chosen(selected.length)}>
        <b>{words.chosen(selected.length)}</b>
        <Button icon={folderInput} onClick={() => setMoving(selected)}>
          {texts.value.templates.move}
        </Button>
        <Button icon={trash2} onClick={() => void drop(selected)}>
          {texts.value.common.delete}
        </Button>
        <Button look="quiet" onClick={() => setChosen(new Set())}>
          {texts.value.common.chooseNone}
        </Button>
      </div>
    ),
    dialog: moving.length > 0 && (
      <MoveDialog
        {...{ accountId, kind, items: moving, folders: folders.map(({ name }) => name) }}
        onClose={() => setMoving([])}
        onMoved={() => {
          setMoving([]);
          setChosen(new Set());
          onChanged();
        }}
      />
    ),
    isChosen: (id: string) => chosen.has(id),
    box: ({ id, name }: T) =>
      mayDo(accountId, 'editor') && (
        <input
          class="card-choice"
          type="checkbox"
          aria-label={texts.value.common.chooseNamed(name ?? id)}
          checked={chosen.has(id)}
          onChange={({ currentTarget }) => {
            const others = [...chosen].filter((one) => one !== id);
            setChosen(new Set(currentTarget.checked ? [...others, id] : others));
          }}
        />
      ),
    move: setMoving,
    drop,
  };
}

const named = (items: readonly Kept[]) => (items.length === 1 ? (items[0]?.name ?? items[0]?.id ?? '') : null);

const offerUndo = (text: string, undo: () => Promise<void>) =>
  toast(text, { action: { label: texts.value.common.undo, onSelect: () => void undo() } });

/** Runs an action for each of them, one after the other; those before a failure stay done. */
async function forEach<T extends Kept>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<readonly T[]> {
  const done: T[] = [];
  try {
    for (const item of items) {
      await act(item);
      done.push(item);
    }
  } catch (err) {
    toastError(err);
  }
  return done;
}

interface MoveDialogProps extends Pick<ManyProps<Kept>, 'accountId' | 'kind'> {
  readonly items: readonly Kept[];
  /** Names of the folders that there are. */
  readonly folders: readonly string[];
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

/** The choice of a folder that does not exist yet. Names have no spaces at their ends. */
const NEW = ' new';

function MoveDialog({ accountId, kind, items, folders, onClose, onMoved }: MoveDialogProps) {
  const words = texts.value[kind];
  const others = folders.filter((one) => items.some(({ folder }) => folder !== one));
  const [choice, setChoice] = useState(others[0] ?? NEW);
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const wanted = choice === NEW ? name.trim() : choice;
  const path = (id: string) => accountPath(accountId, kind, id, ...(kind === 'templates' ? ['folder'] : []));
  const moveTo = (folderOf: (item: Kept) => string | null, moved: readonly Kept[]) =>
    forEach(moved, (item) => put(path(item.id), { folder: folderOf(item) }));
  const move = async () => {
    setBusy(true);
    const done = await moveTo(() => (wanted === '' ? null : wanted), items);
    if (done.length > 0) {
      offerUndo(words.moved(named(done), done.length, wanted), async () => {
        await moveTo(({ folder }) => folder, done);
        onMoved();
      });
    }
    onMoved();
  };
  return (
    <Dialog
      title={words.moveTitle(named(items), items.length)}
      onClose={onClose}
      onSubmit={() => void move()}
      submit={{ children: texts.value.templates.move, busy: isBusy, disabled: choice === NEW && wanted === '' }}
    >
      <SelectField
        label={shell.value.parts.folder}
        value={choice}
        onChoose={setChoice}
        options={[
          ...folders.map((value) => ({ value, label: value })),
          { value: NEW, label: texts.value.templates.newFolder },
          { value: '', label: texts.value.templates.noFolder },
        ]}
      />
      {choice === NEW && (
        <TextField label={texts.value.templates.folderName} autofocus value={name} onText={setName} maxLength={100} />
      )}
    </Dialog>
  );
}
