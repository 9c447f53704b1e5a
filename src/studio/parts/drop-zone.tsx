// An area in which files are dropped or chosen by a button.

import { useRef, useState } from 'preact/hooks';
import { texts } from '../texts/shell.ts';
import './drop-zone.css';
import { Icon, type IconShapes } from './icon.tsx';
import { upload } from './icons.ts';

interface DropZoneProps {
  /** Text after "or drop", such as `PNG, JPEG or SVG here`. */
  readonly hint: string;
  readonly choose: string;
  readonly onFiles: (files: readonly File[]) => void;
  /** As in `<input type="file">`. */
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly icon?: IconShapes;
}

export function DropZone({ hint, choose, onFiles, accept, multiple, icon = upload }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const list = [...(files ?? [])];
    if (list.length > 0) onFiles(multiple ? list : list.slice(0, 1));
  };
  return (
    <section
      class={isOver ? 'drop is-over' : 'drop'}
      aria-label={choose}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <Icon of={icon} />
      <span>
        <button type="button" class="drop-button" onClick={() => input.current?.click()}>
          {choose}
        </button>{' '}
        {texts.value.parts.orDrop(hint)}
      </span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={choose}
        accept={accept}
        multiple={multiple ?? false}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </section>
  );
}
