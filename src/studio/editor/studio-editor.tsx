// The editor of layers in the studio: the server as its host, and the studio's bar and dialogs around it.

import { signal, useComputed, useSignalEffect } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { onDemand } from '../parts/on-demand.tsx';
import { mayDo } from '../shell/session.ts';
import type { Opened } from './core/host.ts';
import type { EditorParts } from './core/open-editor.ts';
import { LayersEditor } from './layers-editor.tsx';
import { ChangedElsewhere } from './panels/changed-elsewhere.tsx';
import { TopBar } from './panels/top-bar.tsx';
import { serverHost } from './server-host.ts';
import type { Surroundings } from './surroundings.ts';

const PictureDialog = onDemand(async () => (await import('../parts/picture-dialog.tsx')).PictureDialog);

interface StudioEditorProps {
  readonly accountId: string;
  readonly templateId: string;
  readonly opened: Opened;
}

export function StudioEditor({ accountId, templateId, opened }: StudioEditorProps) {
  const mayEdit = mayDo(accountId, 'editor');
  const host = useMemo(
    () =>
      serverHost({
        accountId,
        templateId,
        isSaved: mayEdit,
        mayUpload: mayEdit,
        showsAccount: true,
        kept: localStorage,
      }),
    [accountId, templateId, mayEdit],
  );
  const surroundings = useMemo((): Surroundings => {
    const publishing = signal(false);
    const downloading = signal(false);
    const open = (dialog: typeof publishing) => () => {
      dialog.value = true;
    };
    const own = { accountId, templateId, mayEdit, publishing, downloading };
    return {
      limits: null,
      Bar: (parts) => <StudioBar {...parts} {...own} />,
      landmark: 'main',
      ContentPanel: null,
      publish: mayEdit ? open(publishing) : null,
      download: open(downloading),
      opened: () => () => {},
    };
  }, [accountId, templateId, mayEdit]);
  return <LayersEditor host={host} opened={opened} surroundings={surroundings} />;
}

interface StudioBarProps extends EditorParts {
  readonly accountId: string;
  readonly templateId: string;
  readonly mayEdit: boolean;
  readonly publishing: { value: boolean };
  readonly downloading: { value: boolean };
}

function StudioBar(props: StudioBarProps) {
  const { accountId, editor, autosave, mayEdit } = props;
  useSignalEffect(() => {
    document.title = `${editor.name.value} · Platen Studio`;
  });
  const layer = useComputed(() => (editor.task.value.kind === 'picture' ? editor.task.value.layer : null)).value;
  return (
    <>
      <TopBar {...props} />
      <ChangedElsewhere autosave={autosave} accountId={accountId} />
      {layer !== null && (
        <PictureDialog
          accountId={accountId}
          label={`“${layer}”`}
          mayUpload={mayEdit}
          onChoose={(src) => {
            editor.showPicture(layer, src);
            editor.leave();
          }}
          onClose={() => editor.leave()}
        />
      )}
    </>
  );
}
