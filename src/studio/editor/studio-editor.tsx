// The editor of layers in the studio: the server as its host, and the studio's bar and dialogs around it.

import { signal, useSignalEffect } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { deferred } from '../parts/deferred.tsx';
import { mayDo } from '../shell/session.ts';
import * as edits from './document/edits.ts';
import { LayersEditor } from './layers-editor.tsx';
import type { Opened } from './opened.ts';
import { TopBar } from './panels/top-bar.tsx';
import { serverHost } from './server-host.ts';
import type { EditorState } from './state/editor-state.ts';
import type { EditorParts, Surroundings } from './surroundings.ts';

const ChangedElsewhere = deferred(async () => (await import('./panels/changed-elsewhere.tsx')).ChangedElsewhere);
const PictureDialog = deferred(async () => (await import('../parts/picture-dialog.tsx')).PictureDialog);

interface StudioEditorProps {
  readonly accountId: string;
  readonly templateId: string;
  readonly opened: Opened;
}

export function StudioEditor({ accountId, templateId, opened }: StudioEditorProps) {
  const mayEdit = mayDo(accountId, 'editor');
  const host = useMemo(
    () => serverHost({ accountId, templateId, isSaved: mayEdit, mayUpload: mayEdit, showsAccount: true }),
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
  return (
    <>
      <TopBar {...props} />
      <ChangedElsewhere autosave={autosave} accountId={accountId} />
      {editor.choosingPicture.value !== null && (
        <PictureDialog
          accountId={accountId}
          label={`“${editor.choosingPicture.value}”`}
          mayUpload={mayEdit}
          onChoose={(source) => choosePicture(editor, source)}
          onClose={() => {
            editor.choosingPicture.value = null;
          }}
        />
      )}
    </>
  );
}

/** Gives the picture to the layer for which it was chosen. */
function choosePicture(editor: EditorState, src: string): void {
  const name = editor.choosingPicture.peek();
  if (name !== null) editor.edit(edits.setLayer(name, { src }));
  editor.retryPictures([src]);
  editor.choosingPicture.value = null;
}
