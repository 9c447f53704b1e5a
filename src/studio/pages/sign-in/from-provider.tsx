// The page to which the identity provider sends the browser back: accepts its answer, or shows why it was refused.

import { useEffect, useState } from 'preact/hooks';
import { ButtonLink } from '../../parts/button.tsx';
import { ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { STUDIO } from '../../shell/base.ts';
import { comeBack } from '../../shell/provider.ts';
import { texts } from '../../texts/shell.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Removed from the address at once, because a reload would send it twice. */
const query = location.pathname === `${STUDIO}/oidc` ? location.search : '';
if (query !== '') history.replaceState(null, '', location.pathname);

export default function FromProvider() {
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    comeBack(query).then((next) => location.replace(next), setError);
  }, []);
  if (!error)
    return (
      <AuthLayout title={texts.value.signIn.signingYouIn}>
        <SkeletonRows rows={2} />
      </AuthLayout>
    );
  return (
    <AuthLayout title={texts.value.signIn.notSignedIn}>
      <ErrorPanel error={error} />
      <ButtonLink look="main" href={`${STUDIO}/sign-in`}>
        {texts.value.signIn.backToSignIn}
      </ButtonLink>
    </AuthLayout>
  );
}
