// Moves one or more templates to a folder, and deletes them, with undo.

import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, post, put, remove } from '../../shell/api.ts';
import type { TemplateCard } from '../../shell/contract.ts';
import { texts } from '../../texts/pages.ts';

const named = (cards: readonly TemplateCard[]) => (cards.length === 1 ? (cards[0]?.name ?? '') : null);

/** Runs an action for each template, one after the other; those before a failure stay done. */
async function forEach(
  cards: readonly TemplateCard[],
  act: (card: TemplateCard) => Promise<unknown>,
): Promise<readonly TemplateCard[]> {
  const done: TemplateCard[] = [];
  try {
    for (const card of cards) {
      await act(card);
      done.push(card);
    }
  } catch (err) {
    toastError(err);
  }
  return done;
}

/** Deletes templates, and offers to undo it. @returns whether all were deleted */
export async function dropTemplates(
  accountId: string,
  cards: readonly TemplateCard[],
  onChanged: () => void,
): Promise<boolean> {
  const path = (id: string) => accountPath(accountId, 'templates', id);
  const done = await forEach(cards, ({ id }) => remove(path(id)));
  const undo = async () => {
    await forEach(done, ({ id }) => post(`${path(id)}/undelete`));
    onChanged();
  };
  if (done.length > 0) {
    toast(texts.value.templates.deleted(named(done), done.length), {
      action: { label: texts.value.common.undo, onSelect: () => void undo() },
    });
    onChanged();
  }
  return done.length === cards.length;
}

interface MoveDialogProps {
  readonly accountId: string;
  readonly cards: readonly TemplateCard[];
  /** Names of the folders that there are. */
  readonly folders: readonly string[];
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

/** The choice of a folder that does not exist yet. Names have no spaces at their ends. */
const NEW = ' new';

export function MoveDialog({ accountId, cards, folders, onClose, onMoved }: MoveDialogProps) {
  const [choice, setChoice] = useState(folders[0] ?? NEW);
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const wanted = choice === NEW ? name.trim() : choice;
  const moveTo = (folderOf: (card: TemplateCard) => string | null, moved: readonly TemplateCard[]) =>
    forEach(moved, (card) => put(accountPath(accountId, 'templates', card.id, 'folder'), { folder: folderOf(card) }));
  const move = async () => {
    setBusy(true);
    const done = await moveTo(() => (wanted === '' ? null : wanted), cards);
    const undo = async () => {
      await moveTo(({ folder }) => folder, done);
      onMoved();
    };
    if (done.length > 0) {
      toast(texts.value.templates.moved(named(done), done.length, wanted), {
        action: { label: texts.value.common.undo, onSelect: () => void undo() },
      });
    }
    onMoved();
  };
  return (
    <Dialog
      title={texts.value.templates.moveTitle(named(cards), cards.length)}
      onClose={onClose}
      foot={
        <Button look="main" busy={isBusy} disabled={choice === NEW && wanted === ''} onClick={() => void move()}>
          {texts.value.templates.move}
        </Button>
      }
    >
      <SelectField
        label={texts.value.templates.folder}
        value={choice}
        onChoose={setChoice}
        options={[
          ...folders.map((value) => ({ value, label: value })),
          { value: NEW, label: texts.value.templates.newFolder },
          { value: '', label: texts.value.templates.noFolder },
        ]}
      />
      {choice === NEW && (
        <TextField label={texts.value.templates.folderName} value={name} onText={setName} maxLength={100} />
      )}
    </Dialog>
  );
}
