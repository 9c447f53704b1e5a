// Settings.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Settings(_: PageProps) {
  return <PageHead title="Settings" />;
}
