// Deliveries.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Deliveries(_: PageProps) {
  return <PageHead title="Deliveries" />;
}
