import { createEditor } from 'platen/editor';
import { useEffect, useImperativeHandle, useRef } from 'react';

/** The editor as a component. `ref` has its methods; the first `document`, `fonts` and `images` are used. */
export function CardEditor({ ref, onChange, ...options }) {
  const place = useRef(null);
  const editor = useRef(null);
  const first = useRef(options);
  const latest = useRef(onChange);
  latest.current = onChange;
  useImperativeHandle(ref, () => ({ download: (wanted) => editor.current.download(wanted) }), []);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    createEditor(place.current, { ...first.current, signal, onChange: (changed) => latest.current?.(changed) }).then(
      (opened) => {
        editor.current = opened;
      },
      // Strict mode mounts a component twice, so the first editor is aborted while it is being opened.
      (error) => signal.aborted || reportError(error),
    );
    return () => leaving.abort();
  }, []);
  return <main id="editor" ref={place} />;
}
