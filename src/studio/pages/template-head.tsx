// The head of a template's pages, with the navigation between them.

import type { ComponentChildren } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { arrowLeft } from '../parts/icons.ts';
import { STUDIO } from '../shell/base.ts';
import { PageHead } from '../shell/frame.tsx';
import { mayDo } from '../shell/session.ts';
import '../parts/tabs.css';
import './template-head.css';
import { texts } from '../texts/pages.ts';

interface TemplateHeadProps {
  readonly accountId: string;
  readonly templateId: string;
  /** null while it loads. */
  readonly name: string | null;
  readonly page: 'use' | 'versions' | 'review';
  readonly actions?: ComponentChildren;
}

export function TemplateHead({ accountId, templateId, name, page, actions }: TemplateHeadProps) {
  const here = `${STUDIO}/a/${accountId}/templates`;
  const tabs = [
    ...(mayDo(accountId, 'editor') ? [['edit', texts.value.templates.design]] : []),
    ['use', texts.value.common.use],
    ['versions', texts.value.common.versions],
    ['review', texts.value.review.title],
  ] as const;
  return (
    <>
      <a class="back" href={here}>
        <Icon of={arrowLeft} size={14} />
        {texts.value.common.templates}
      </a>
      <PageHead title={name ?? ' '} name={name ?? texts.value.common.template} actions={actions} />
      <nav class="tabs template-tabs" aria-label={texts.value.common.template}>
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
