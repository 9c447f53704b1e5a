// Account.

import { PageHead } from '../../shell/frame.tsx';

export default function Account() {
  return <PageHead title="Account" />;
}
