// A component whose code is fetched apart from its page's: when it is first shown, or before that while the browser is
// idle. So a page opens without what few need at once.

import { type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toastError } from './toast.tsx';

/** ms until the code is fetched although the browser is busy. */
const LONGEST = 500;

/** @param load imports the component; it is asked again if that failed */
export function deferred<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let component: FunctionComponent<Props> | null = null;
  const fetch = async () => {
    component ??= await load();
    return component;
  };
  // Not in Safari. A busy page is not idle for long, and what is typed at once needs its field.
  globalThis.requestIdleCallback?.(() => void fetch().catch(() => {}), { timeout: LONGEST });
  return (props) => {
    const [shown, show] = useState(() => component);
    useEffect(() => {
      if (!shown) fetch().then((fetched) => show(() => fetched), toastError);
    }, [shown]);
    return shown && h(shown, props);
  };
}
