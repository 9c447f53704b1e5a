// Renders.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Renders(_: PageProps) {
  return <PageHead title="Renders" />;
}
