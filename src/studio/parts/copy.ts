// Copies text, also if the page is not a secure context and has no clipboard API.

import { texts } from '../texts/shell.ts';
import { toast } from './toast.tsx';
import { focusedRoot } from './ui-root.ts';

export async function copyText(text: string, what = texts.value.parts.copied): Promise<void> {
  const isDone = await putOnClipboard(text);
  toast(isDone ? what : texts.value.parts.copyingBlocked);
}

/** @returns whether the browser took it */
export async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const root = focusedRoot();
    const focused = root.activeElement;
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    (root.querySelector('dialog[open]') ?? (root instanceof ShadowRoot ? root : document.body)).append(area);
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isDone;
  }
}
