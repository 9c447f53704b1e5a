// Images.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Images(_: PageProps) {
  return <PageHead title="Images" />;
}
