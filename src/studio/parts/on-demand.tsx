// A component whose code is loaded when it is first shown: what few need, and none at once.

import { type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useMessages } from './toast.tsx';

/** @param load imports the component; it is asked again if that failed */
export function onDemand<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let component: FunctionComponent<Props> | null = null;
  return (props) => {
    const { toastError } = useMessages();
    const [shown, show] = useState(() => component);
    useEffect(() => {
      if (shown) return;
      load().then((loaded) => {
        component = loaded;
        show(() => loaded);
      }, toastError);
    }, [shown, toastError]);
    return shown && h(shown, props);
  };
}
