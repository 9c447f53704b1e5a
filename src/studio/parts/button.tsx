// Buttons, and links that look like them.

import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useRef } from 'preact/hooks';
import './button.css';
import { Icon, type IconShapes } from './icon.tsx';

interface Look {
  /** `main`: the primary action, at most one per page. Default: `plain`. */
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconShapes;
  /** 28 px high, as in the editor; otherwise 36. */
  readonly dense?: boolean;
}

export interface ButtonProps extends Look, Omit<HTMLAttributes<HTMLButtonElement>, 'icon' | 'ref'> {
  readonly children?: ComponentChildren;
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  /** In progress: shows a spinner and ignores clicks. */
  readonly busy?: boolean;
  readonly form?: string;
}

const classes = ({ look = 'plain', dense }: Look, isIcon: boolean, more?: unknown) =>
  ['button', `button-${look}`, dense && 'is-dense', isIcon && 'is-icon', more].filter(Boolean).join(' ');

export function Button(props: ButtonProps) {
  const { look, icon, dense, busy, children, class: more, type = 'button', disabled, ...rest } = props;
  return (
    <button
      {...(rest as object)}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      class={classes({ look: look ?? 'plain', dense: dense ?? false }, false, more)}
    >
      {busy ? <span class="spinner" /> : icon && <Icon of={icon} size={dense ? 14 : 16} />}
      {children}
    </button>
  );
}

interface FileButtonProps extends ButtonProps {
  /** As in `<input type="file">`. */
  readonly accept?: string;
  readonly onFile: (file: File) => void;
}

/** A button that asks for a file. */
export function FileButton({ accept, onFile, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        {...(accept && { accept })}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}

/** A button that shows only an icon; `label` is its accessible name and its tooltip. */
export function IconButton(props: ButtonProps & { readonly icon: IconShapes; readonly label: string }) {
  const { look = 'quiet', icon, dense, label, busy, class: more, type = 'button', disabled, ...rest } = props;
  return (
    <button
      {...(rest as object)}
      type={type}
      disabled={disabled || busy}
      aria-label={label}
      title={rest.title ?? label}
      class={classes({ look, dense: dense ?? false }, true, more)}
    >
      {busy ? <span class="spinner" /> : <Icon of={icon} size={16} />}
    </button>
  );
}

export interface ButtonLinkProps extends Look, Omit<HTMLAttributes<HTMLAnchorElement>, 'icon'> {
  readonly href: string;
  readonly children?: ComponentChildren;
  readonly target?: string;
  readonly rel?: string;
  readonly download?: string | boolean;
}

export function ButtonLink(props: ButtonLinkProps) {
  const { look, icon, dense, children, class: more, ...rest } = props;
  return (
    <a {...(rest as object)} class={classes({ look: look ?? 'plain', dense: dense ?? false }, false, more)}>
      {icon && <Icon of={icon} size={dense ? 14 : 16} />}
      {children}
    </a>
  );
}
