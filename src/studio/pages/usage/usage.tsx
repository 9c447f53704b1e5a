// Usage.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Usage(_: PageProps) {
  return <PageHead title="Usage" />;
}
