// People.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function People(_: PageProps) {
  return <PageHead title="People" />;
}
