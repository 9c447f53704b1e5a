// The head of a template's pages, with the navigation between them.

import type { ComponentChildren } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { arrowLeft } from '../parts/icons.ts';
import { PageHead } from '../shell/frame.tsx';
import { mayDo } from '../shell/session.ts';
import '../parts/tabs.css';
import './template-head.css';

interface TemplateHeadProps {
  readonly accountId: string;
  readonly templateId: string;
  /** null while it loads. */
  readonly name: string | null;
  readonly page: 'use' | 'versions';
  readonly actions?: ComponentChildren;
}

export function TemplateHead({ accountId, templateId, name, page, actions }: TemplateHeadProps) {
  const here = `/studio/a/${accountId}/templates`;
  const tabs = [
    ...(mayDo(accountId, 'editor') ? [['edit', 'Design']] : []),
    ['use', 'Use'],
    ['versions', 'Versions'],
  ] as const;
  return (
    <>
      <a class="back" href={here}>
        <Icon of={arrowLeft} size={14} />
        Templates
      </a>
      <PageHead title={name ?? ' '} name={name ?? 'Template'} actions={actions} />
      <nav class="tabs template-tabs" aria-label="Template">
        {tabs.map(([tab, label]) => (
          <a
            key={tab}
            class="tab"
            href={`${here}/${templateId}/${tab}`}
            aria-current={tab === page ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
    </>
  );
}
