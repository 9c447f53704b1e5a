// The bar above the canvas of a template with sizes or languages: which is shown, and what a change there is for.

import { useSignal } from '@preact/signals';
import { languagesOf } from '#design/choice.ts';
import { setSignal } from '../../parts/action.ts';
import { IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem, TextField } from '../../parts/field.tsx';
import { ellipsis, grid2x2, pencil, plus, rotateCcw, table2, trash2, type } from '../../parts/icons.ts';
import { Menu } from '../../parts/menu.tsx';
import { onDemand } from '../../parts/on-demand.tsx';
import { showView, sizeEntries, type ViewsBarProps } from './common-sizes.ts';
import { differing } from './differences.tsx';
import './design.css';
import { languageName } from '../../parts/language-name.ts';
import { Radios } from '../../parts/radios.tsx';
import { sizeName } from '../../shell/views.ts';
import { texts } from '../../texts/editor.ts';
import {
  addSize,
  removeSize,
  renameSize,
  resetSize,
  sizeNameProblem,
  withOwnWords,
} from '../core/design/size-edits.ts';
import { aroundAll } from '../core/design/size-places.ts';
import type { View } from '../core/design/view.ts';
import { sizesOf, textsOf } from '../core/document/document.ts';
import { Select } from '../inspector/controls.tsx';

const TextsDialog = onDemand(async () => (await import('./texts-dialog.tsx')).TextsDialog);

/** The dialog that is open. */
type Asked = 'add' | 'rename' | 'texts';

export function ViewsBar({ editor, viewport }: ViewsBarProps) {
  const stored = editor.stored.value;
  const view = editor.view.value;
  const asked = useSignal<Asked | null>(null);
  const sizes = Object.entries(sizesOf(stored));
  const languages = languagesOf(stored as never);
  const own = typeof stored.lang === 'string' ? stored.lang : null;
  const show = (part: Partial<View>) => showView({ editor, viewport }, { ...view, ...part });
  const { size } = view;
  const [text, ...others] = editor.selectedLayers.value;
  // Which sizes and languages there are is part of the design, which not everybody may change.
  const mayDesign = editor.limits?.mayDesign !== false;
  return (
    <div class="views-bar" role="toolbar" aria-label={texts.value.design.sizesAndLanguages}>
      <div class="views-start">
        <Radios
          label={texts.value.common.size}
          look="views-sizes"
          choiceLook="views-size"
          choices={[[null, stored] as const, ...sizes].map(([name, { width, height }]) => ({
            value: name,
            content: (
              <>
                <span class="views-shape" aria-hidden="true">
                  <span style={shapeOf(width, height)} />
                </span>
                <span class="truncate">{sizeName(name)}</span>
                <span class="faint">
                  {width} × {height}
                </span>
              </>
            ),
          }))}
          isChosen={(name) => name === size}
          onChoose={(name, choice) => {
            // The sizes beside it come into sight too.
            choice.scrollIntoView({ block: 'nearest', inline: 'center' });
            show({ size: name });
          }}
        />
        {mayDesign && <AddSize {...{ editor, viewport }} asked={asked} />}
      </div>
      <div class="views-end">
        {size !== null && mayDesign && (
          <>
            <Radios
              label={texts.value.design.changesFor}
              look="segments"
              choices={[
                { value: true, content: texts.value.design.thisSize, title: texts.value.design.thisSizeHint },
                { value: false, content: texts.value.design.allSizes, title: texts.value.design.allSizesHint },
              ]}
              isChosen={(apart) => apart === editor.apart.value}
              onChoose={(apart) => setSignal(editor.apart, apart)}
            />
            <Menu
              align="end"
              entries={[
                {
                  label: texts.value.design.renameDots,
                  icon: pencil,
                  onSelect: () => setSignal(asked, 'rename'),
                },
                {
                  label: texts.value.design.makeLikeOthers,
                  icon: rotateCcw,
                  disabled: !sizesOf(stored)[size]?.changes,
                  onSelect: () => editor.editStored(resetSize(size)),
                },
                {
                  label: texts.value.design.ownWords,
                  icon: type,
                  disabled:
                    text?.type !== 'text' ||
                    others.length > 0 ||
                    differing(editor, text).some((key) => /^(?:text|spans)$/.test(key)),
                  onSelect: () => text && editor.editStored(withOwnWords(size, text)),
                },
                'line',
                {
                  label: texts.value.commands.delete,
                  icon: trash2,
                  danger: true,
                  onSelect: () => editor.editStored(removeSize(size)),
                },
              ]}
            >
              {(attributes) => (
                <IconButton {...attributes} icon={ellipsis} label={texts.value.design.sizeNamed(size)} dense />
              )}
            </Menu>
          </>
        )}
        {languages.length > 1 || Object.keys(textsOf(stored)).length > 0 || view.lang !== null ? (
          <Select
            label={texts.value.common.language}
            look="views-language"
            value={view.lang ?? ''}
            onChoose={(tag) => show({ lang: tag || null })}
            options={[
              ['', own === null ? texts.value.design.asWritten : languageName(own)],
              ...[...new Set([...languages, ...(view.lang === null ? [] : [view.lang])])]
                .filter((tag) => tag !== own)
                .map((tag) => [tag, languageName(tag)] as const),
            ]}
          />
        ) : null}
        {mayDesign && languages.length > 0 && (
          <IconButton
            icon={table2}
            label={texts.value.design.allTexts}
            dense
            onClick={() => setSignal(asked, 'texts')}
          />
        )}
        {sizes.length > 0 && (
          <IconButton
            icon={grid2x2}
            label={texts.value.design.sideBySide}
            dense
            aria-pressed={editor.preferences.showSizes.value}
            onClick={() => {
              const isShown = !editor.preferences.showSizes.peek();
              editor.preferences.showSizes.value = isShown;
              const { width, height } = editor.document.peek();
              viewport.fit(isShown ? aroundAll(editor.stored.peek(), size) : { x: 0, y: 0, width, height });
            }}
          />
        )}
      </div>
      {asked.value === 'add' && <OwnMeasures {...{ editor, viewport }} onClose={() => setSignal(asked, null)} />}
      {asked.value === 'texts' && (
        <TextsDialog
          editor={editor}
          more={view.lang === null ? [] : [view.lang]}
          onClose={() => setSignal(asked, null)}
        />
      )}
      {asked.value === 'rename' && size !== null && (
        <Rename {...{ editor, viewport }} size={size} onClose={() => setSignal(asked, null)} />
      )}
    </div>
  );
}

/** A rectangle of the size's proportions. */
function shapeOf(width: number, height: number) {
  const scale = 12 / Math.max(width, height);
  return { width: `${Math.max(2, width * scale)}px`, height: `${Math.max(2, height * scale)}px` };
}

interface AddSizeProps extends ViewsBarProps {
  readonly asked: { value: Asked | null };
}

function AddSize({ editor, viewport, asked }: AddSizeProps) {
  return (
    <Menu
      entries={[
        { title: texts.value.design.addSize },
        ...sizeEntries(
          (name, width, height) => add({ editor, viewport }, name, width, height),
          () => setSignal(asked, 'add'),
        ),
      ]}
    >
      {(attributes) => <IconButton {...attributes} icon={plus} label={texts.value.design.addSize} dense />}
    </Menu>
  );
}

export function add(context: ViewsBarProps, wanted: string, width: number, height: number): void {
  const { editor } = context;
  const made = addSize(editor.stored.peek(), wanted, width, height);
  editor.editStored(() => made.document);
  showView(context, { ...editor.view.peek(), size: made.name });
}

export function OwnMeasures({ onClose, ...context }: ViewsBarProps & { readonly onClose: () => void }) {
  const name = useSignal('');
  const width = useSignal('1080');
  const height = useSignal('1080');
  const nameError = useSignal<string | null>(null);
  const error = useSignal<string | null>(null);
  return (
    <Dialog
      title={texts.value.design.addSize}
      onClose={onClose}
      onSubmit={() => {
        const wanted = name.value.trim();
        const [w, h] = [Number(width.value), Number(height.value)];
        error.value = null;
        nameError.value = sizeNameProblem(context.editor.stored.peek(), '', wanted);
        if (nameError.value !== null) return;
        if (![w, h].every((side) => Number.isInteger(side) && side >= 1 && side <= 16_384) || w * h > 52_000_000) {
          error.value = texts.value.design.sizeBounds;
          return;
        }
        add(context, wanted, w, h);
        onClose();
      }}
      submit={{ children: texts.value.design.addTheSize }}
    >
      <TextField
        label={texts.value.common.name}
        value={name.value}
        onText={(text) => setSignal(name, text)}
        placeholder={texts.value.design.sizeExample}
        {...(nameError.value !== null && { error: nameError.value })}
      />
      <div class="form-row">
        <TextField
          label={texts.value.design.widthPx}
          inputMode="numeric"
          value={width.value}
          onText={(text) => setSignal(width, text)}
        />
        <TextField
          label={texts.value.design.heightPx}
          inputMode="numeric"
          value={height.value}
          onText={(text) => setSignal(height, text)}
        />
      </div>
      <Problem of={error.value} />
    </Dialog>
  );
}

interface RenameProps extends ViewsBarProps {
  readonly size: string;
  readonly onClose: () => void;
}

function Rename({ editor, viewport, size, onClose }: RenameProps) {
  const name = useSignal(size);
  const error = useSignal<string | null>(null);
  return (
    <Dialog
      title={texts.value.design.renameSize(size)}
      onClose={onClose}
      onSubmit={() => {
        const to = name.value.trim();
        error.value = sizeNameProblem(editor.stored.peek(), size, to);
        if (error.value !== null) return;
        editor.editStored(renameSize(size, to));
        showView({ editor, viewport }, { ...editor.view.peek(), size: to });
        onClose();
      }}
      submit={{ children: texts.value.commands.rename }}
    >
      <TextField
        label={texts.value.common.name}
        value={name.value}
        onText={(text) => setSignal(name, text)}
        hint={texts.value.design.sizeNameHint}
        {...(error.value !== null && { error: error.value })}
      />
    </Dialog>
  );
}
