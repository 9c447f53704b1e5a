// Keys.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Keys(_: PageProps) {
  return <PageHead title="Keys" />;
}
