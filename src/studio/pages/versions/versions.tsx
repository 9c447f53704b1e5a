// Versions.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Versions(_: PageProps) {
  return <PageHead title="Versions" />;
}
