// Use.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Use(_: PageProps) {
  return <PageHead title="Use" />;
}
