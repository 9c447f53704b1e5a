// A section of a panel: a title, and the fields below it.

import type { ComponentChildren } from 'preact';

interface PanelSectionProps {
  readonly title: string;
  /** Whether it is open at first; absent: it cannot be closed. */
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

export function PanelSection({ title, isOpen, children }: PanelSectionProps) {
  const body = <div class="panel-section-body">{children}</div>;
  return isOpen === undefined ? (
    <section class="panel-section">
      <h3 class="panel-section-title">{title}</h3>
      {body}
    </section>
  ) : (
    <details class="panel-section" open={isOpen}>
      <summary class="panel-section-title">{title}</summary>
      {body}
    </details>
  );
}
