// The editor of one template. A placeholder until it is there.

import type { TemplatePageProps } from '../shell/app.tsx';

export function Editor({ templateId }: TemplatePageProps) {
  return <main class="lone">{templateId}</main>;
}
