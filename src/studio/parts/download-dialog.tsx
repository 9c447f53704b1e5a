// The dialog that downloads a template as a file.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FileRequest } from '../shell/contract.ts';
import { saveDrawn } from '../shell/drawn-file.ts';
import { texts } from '../texts/shell.ts';
import { useAction } from './action.ts';
import { Dialog } from './dialog.tsx';
import { chosenFile, DownloadFields } from './download-fields.tsx';
import { download } from './icons.ts';
import { ErrorPanel } from './states.tsx';

interface DownloadDialogProps {
  /** The template's name, which becomes the file's. */
  readonly name: string;
  /** Size of the canvas, px. */
  readonly width: number;
  readonly height: number;
  /** What is in the file, if that is not obvious. */
  readonly children?: ComponentChildren;
  readonly draw: (request: FileRequest, signal: AbortSignal) => Promise<Blob>;
  readonly onClose: () => void;
}

export function DownloadDialog({ name, width, height, children, draw, onClose }: DownloadDialogProps) {
  const { isBusy, error, run } = useAction();
  const closing = useRef(new AbortController());
  useEffect(() => () => closing.current.abort(), []);
  const save = async () => {
    await saveDrawn(name, chosenFile.peek(), (request) => draw(request, closing.current.signal));
    onClose();
  };
  return (
    <Dialog
      title={texts.value.parts.downloadNamed(name)}
      onClose={onClose}
      onSubmit={() => void run(save)}
      submit={{ children: texts.value.common.download, icon: download, busy: isBusy }}
    >
      {children && <p class="muted">{children}</p>}
      <DownloadFields width={width} height={height} />
      {error && <ErrorPanel error={error} />}
    </Dialog>
  );
}
