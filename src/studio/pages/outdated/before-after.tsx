// A template beside itself with a newer version of its brand or of a component.

import { useState } from 'preact/hooks';
import { call } from '../../shell/api.ts';
import { texts } from '../../texts/pages.ts';
import './outdated.css';

interface BeforeAfterProps {
  /** Paths of pictures. */
  readonly before: string;
  readonly after: string;
  /** The versions that they show. */
  readonly used: number;
  readonly newest: number;
}

export function BeforeAfter({ before, after, used, newest }: BeforeAfterProps) {
  return (
    <div class="before-after">
      <Shown source={before} title={texts.value.outdated.versionNow(used)} />
      <Shown source={after} title={texts.value.common.versionNumbered(newest)} />
    </div>
  );
}

/** Drawn when it scrolls into view. One that cannot be drawn says why. */
function Shown({ source, title }: { readonly source: string; readonly title: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const explain = () => {
    call('GET', source).then(
      () => setProblem(texts.value.outdated.pictureFailed),
      (err: unknown) => setProblem(err instanceof Error ? err.message : String(err)),
    );
  };
  return (
    <figure>
      <div class="before-after-picture">
        {problem === null ? (
          <img src={source} alt={title} loading="lazy" decoding="async" onError={explain} />
        ) : (
          <p class="field-error">{problem}</p>
        )}
      </div>
      <figcaption>{title}</figcaption>
    </figure>
  );
}
