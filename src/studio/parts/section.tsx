// A section of a page with its heading, and a term with its description (`dl`).

import type { ComponentChildren } from 'preact';

interface PageSectionProps {
  /** Of its heading. */
  readonly id: string;
  readonly title: string;
  readonly intro?: ComponentChildren;
  /** At the end of its head. */
  readonly actions?: ComponentChildren;
  readonly look?: string;
  readonly children: ComponentChildren;
}

export function PageSection({ id, title, intro, actions, look = 'section', children }: PageSectionProps) {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section class={look} aria-labelledby={id}>
      {intro || actions ? (
        <header>
          <div>
            {heading}
            {intro && <p>{intro}</p>}
          </div>
          {actions}
        </header>
      ) : (
        heading
      )}
      {children}
    </section>
  );
}

/** A term, and what is said of it, in a list of the class `facts`. */
export function Fact({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  );
}
