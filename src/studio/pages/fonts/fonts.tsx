// Fonts.

import type { PageProps } from '../../shell/app.tsx';
import { PageHead } from '../../shell/frame.tsx';

export default function Fonts(_: PageProps) {
  return <PageHead title="Fonts" />;
}
