// The dialog that downloads a template as a file, or its sizes, languages and pages as a ZIP file.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FileRequest } from '../shell/contract.ts';
import { saveDrawn } from '../shell/drawn-file.ts';
import type { TemplateView, TemplateViews } from '../shell/views.ts';
import { texts } from '../texts/shell.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { chosenFile, chosenViews, DownloadFields } from './download-fields.tsx';
import { download } from './icons.ts';
import { ErrorPanel } from './states.tsx';

interface DownloadDialogProps {
  /** The template's name, which becomes the file's. */
  readonly name: string;
  readonly views: TemplateViews;
  /** The size and the language that are shown. */
  readonly shown: TemplateView;
  /** What is in the file, if that is not obvious. */
  readonly children?: ComponentChildren;
  readonly draw: (request: FileRequest, signal: AbortSignal) => Promise<Blob>;
  readonly onClose: () => void;
}

export function DownloadDialog({ name, views, shown, children, draw, onClose }: DownloadDialogProps) {
  const { isBusy, error, run } = useAction();
  const [at, setAt] = useState(0);
  const closing = useRef(new AbortController());
  useEffect(() => () => closing.current.abort(), []);
  const wanted = chosenViews(views, shown);
  const save = async () => {
    const { output, scale } = chosenFile.peek();
    const drawn = (request: FileRequest) => draw(request, closing.current.signal);
    await saveDrawn({ name, output, scale, views, wanted, draw: drawn, onFile: setAt });
    onClose();
  };
  return (
    <Dialog
      title={texts.value.parts.downloadNamed(name)}
      onClose={onClose}
      onSubmit={() => void run(save)}
      submit={{ children: texts.value.parts.downloadFiles(wanted.length), icon: download, busy: isBusy }}
    >
      {children && <p class="muted">{children}</p>}
      <DownloadFields views={views} shown={shown} />
      {isBusy && wanted.length > 1 && <p role="status">{texts.value.parts.fileOf(at + 1, wanted.length)}</p>}
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}
