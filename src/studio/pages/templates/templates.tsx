// Templates.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Templates(_: PageProps) {
  return <PageHead title="Templates" />;
}
