// Placeholders for content (empty, loading, failed), and badges for states.

import type { ComponentChildren } from 'preact';
import { withoutEnd } from '#core/without-end.ts';
import { ApiError } from '../shell/api.ts';
import { Button } from './button.tsx';
import { Icon, type IconShapes } from './icon.tsx';
import { circleAlert, info, triangleAlert } from './icons.ts';
import './states.css';
import { warningText } from '../texts/room.ts';
import { texts } from '../texts/shell.ts';

interface EmptyStateProps {
  readonly icon?: IconShapes;
  readonly title: string;
  readonly children?: ComponentChildren;
  /** The one suggested action. */
  readonly action?: ComponentChildren;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div class="empty">
      {icon && (
        <span class="empty-icon">
          <Icon of={icon} size={20} />
        </span>
      )}
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action && <div class="empty-action">{action}</div>}
    </div>
  );
}

/** Shows an error with the server's own message, and a button to try again. */
export function ErrorPanel({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const message =
    error instanceof ApiError ? error.message : texts.value.parts.pageFailed(withoutEnd(error.message, /[\s.]/));
  return (
    <div class="error-panel" role="alert">
      <Icon of={circleAlert} />
      <div>{message}</div>
      {onRetry && (
        <Button dense onClick={onRetry}>
          {texts.value.parts.tryAgain}
        </Button>
      )}
    </div>
  );
}

export function Note({ children, warn }: { children: ComponentChildren; warn?: boolean }) {
  return (
    <div class={warn ? 'note is-warn' : 'note'}>
      <Icon of={warn ? triangleAlert : info} />
      <div>{children}</div>
    </div>
  );
}

/** The warnings of a render; nothing where there are none. */
export function WarningNote({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Note warn>
      {warnings.map((warning) => (
        <p key={warning}>{warningText(warning)}</p>
      ))}
    </Note>
  );
}

const length = (value: number | string) => (typeof value === 'number' ? `${value}px` : value);

/** A grey placeholder for content that is loading. */
export function Skeleton({ width = '100%', height = 16 }: { width?: number | string; height?: number | string }) {
  return <span class="skeleton" style={{ width: length(width), height: length(height) }} />;
}

export function SkeletonRows({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  return (
    <div role="status" aria-label={texts.value.parts.loading} style={{ display: 'grid' }}>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} style={{ height: length(height), display: 'flex', alignItems: 'center' }}>
          <Skeleton width={`${92 - ((at * 17) % 40)}%`} height={12} />
        </div>
      ))}
    </div>
  );
}

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge is-${tone}`}>{children}</span>;
}
