// A component whose code is fetched apart from its page's: when it is first shown, or before that while the browser is
// idle. So a page opens without what few need at once.

import { type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toastError } from './toast.tsx';

/** @param load imports the component; it is asked again if that failed */
export function deferred<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let component: FunctionComponent<Props> | null = null;
  const fetch = async () => {
    component ??= await load();
    return component;
  };
  // Not in Safari.
  globalThis.requestIdleCallback?.(() => void fetch().catch(() => {}));
  return (props) => {
    const [shown, show] = useState(() => component);
    useEffect(() => {
      if (!shown) fetch().then((fetched) => show(() => fetched), toastError);
    }, [shown]);
    return shown && h(shown, props);
  };
}
