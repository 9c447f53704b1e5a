// The bar above the canvas: the template's name, the saved state, undo and redo, zoom, previews, and Publish.

import { setSignal } from '../../parts/action.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { chevronDown } from '../../parts/icons.ts';
import { Menu } from '../../parts/menu.tsx';
import { onDemand } from '../../parts/on-demand.tsx';
import { STUDIO } from '../../shell/base.ts';
import { ownView, type TemplateView, type TemplateViews, viewsOf } from '../../shell/views.ts';
import { keysShown } from '../browser.ts';
import { setDocument } from '../core/document/edits.ts';
import type { EditorParts } from '../core/open-editor.ts';
import type { Command } from '../core/state/commands.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { diff } from '../icons.ts';
import './panels.css';
import { texts } from '../../texts/editor.ts';
import { BarEnd, BarStart } from './bar-ends.tsx';
import { commandIcons } from './command-icons.ts';
import { commandEntries } from './layer-menu.ts';

const DownloadDialog = onDemand(async () => (await import('../../parts/download-dialog.tsx')).DownloadDialog);
const PublishDialog = onDemand(async () => (await import('../../parts/publish-dialog.tsx')).PublishDialog);

export interface TopBarProps extends EditorParts {
  readonly accountId: string;
  readonly templateId: string;
  readonly mayEdit: boolean;
  readonly publishing: { value: boolean };
  readonly downloading: { value: boolean };
}

export function TopBar(props: TopBarProps) {
  const { accountId, templateId, editor, viewport, autosave, commands, mayEdit, exact, isPreviewing } = props;
  const { publishing, downloading } = props;
  const run = (id: string) => commands.find((command) => command.id === id)?.run();
  const base = `${STUDIO}/a/${accountId}/templates`;
  const zoom = Math.round(viewport.zoom.value * 100);
  return (
    <header class="top-bar">
      <BarStart base={base} mayEdit={mayEdit} autosave={autosave}>
        <TitleField editor={editor} mayEdit={mayEdit} />
      </BarStart>
      <div class="top-middle">
        <CommandButton {...{ commands }} id="undo" />
        <CommandButton {...{ commands }} id="redo" />
        <Menu
          entries={[
            ...commandEntries(commands, ['zoom-in', 'zoom-out']),
            'line',
            ...commandEntries(commands, ['fit', 'fit-selection', 'actual']),
            { label: '50 %', onSelect: () => viewport.zoomTo(0.5) },
            { label: '200 %', onSelect: () => viewport.zoomTo(2) },
          ]}
        >
          {(attributes) => (
            <button {...attributes} type="button" class="zoom-button" aria-label={texts.value.panels.zoom(zoom)}>
              {zoom} %
              <Icon of={chevronDown} size={14} />
            </button>
          )}
        </Menu>
      </div>
      <BarEnd
        {...{ base, templateId, mayEdit }}
        onDownload={() => run('download')}
        onPublish={() => setSignal(publishing, true)}
      >
        <CommandButton {...{ commands }} id="palette" />
        <CommandButton {...{ commands }} id="sheet" />
        <Menu
          align="end"
          entries={[
            { title: texts.value.panels.serverPicture },
            { label: texts.value.panels.off, checked: exact.value === 'off', onSelect: () => setSignal(exact, 'off') },
            {
              label: texts.value.commands.exact,
              aside: keysShown('Shift+E'),
              checked: exact.value === 'exact',
              onSelect: () => setSignal(exact, 'exact'),
            },
            {
              label: texts.value.panels.difference,
              checked: exact.value === 'difference',
              onSelect: () => setSignal(exact, 'difference'),
            },
            'line',
            ...commandEntries(commands, ['pdf']),
          ]}
        >
          {(attributes) => (
            <Button
              {...attributes}
              dense
              icon={diff}
              busy={isPreviewing.value}
              class={exact.value === 'off' ? undefined : 'is-on'}
            >
              {exact.value === 'off'
                ? texts.value.panels.preview
                : exact.value === 'exact'
                  ? texts.value.commands.exact
                  : texts.value.panels.difference}
            </Button>
          )}
        </Menu>
      </BarEnd>
      {publishing.value && (
        <PublishDialog
          accountId={accountId}
          templateId={templateId}
          baseVersion={autosave.version.peek()}
          publish={(note, over) => autosave.publish(note, over)}
          problem={editor.problem.value?.message ?? null}
          onClose={() => setSignal(publishing, false)}
        />
      )}
      {downloading.value && (
        <DownloadDialog
          name={editor.name.peek()}
          {...drawnViews(editor)}
          // As it is stored: the server makes the size and the language of it, as it does for everybody.
          draw={(request, stop) =>
            editor.host.draw(editor.stored.peek(), { ...request, modifications: editor.values.peek() }, stop)
          }
          onClose={() => setSignal(downloading, false)}
        >
          {editor.valuesName.value !== null || Object.keys(editor.values.value).length > 0
            ? texts.value.panels.asShown
            : null}
        </DownloadDialog>
      )}
    </header>
  );
}

/** What can be downloaded, and which of it the canvas shows. */
function drawnViews(editor: EditorState): { views: TemplateViews; shown: TemplateView } {
  // What flows has the pages that the canvas shows.
  const pages = Math.max(1, editor.picture.value?.pages.length ?? 1);
  const views = { ...viewsOf(editor.stored.value), pages };
  const own = ownView(views);
  const { size, lang } = editor.view.value;
  const page = pages > 1 && { page: editor.pageInSight.value + 1 };
  return { views, shown: { size: size ?? own.size, lang: lang ?? own.lang, ...page } };
}

/** A button for a command, as its table has it. */
function CommandButton({ commands, id }: { commands: readonly Command[]; id: Command['id'] }) {
  const command = commands.find((one) => one.id === id);
  if (!command?.icon) return null;
  const { icon, keys, isOn, run } = command;
  const label = `${texts.value.commands[id]} (${keysShown(keys[0] ?? '')})`;
  return <IconButton icon={commandIcons[icon]} label={label} dense disabled={!isOn()} onClick={run} />;
}

function TitleField({ editor, mayEdit }: { editor: EditorState; mayEdit: boolean }) {
  const name = editor.name.value;
  return (
    <input
      key={name}
      class="title-field"
      aria-label={texts.value.panels.templateName}
      defaultValue={name}
      disabled={!mayEdit}
      maxLength={200}
      spellcheck={false}
      // As wide as its text.
      size={Math.min(40, Math.max(8, name.length))}
      onChange={(event) => {
        const next = event.currentTarget.value.trim();
        if (next === '') event.currentTarget.value = name;
        else editor.edit(setDocument({ name: next }));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
