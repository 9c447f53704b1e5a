// Wraps a component so that it is rendered again only if a property changes.

import { Component, type ComponentType, createElement, type FunctionComponent } from 'preact';

/** Functions among the properties must stay the same objects. */
export function memo<P extends object>(inner: FunctionComponent<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const keys = Object.keys(next) as (keyof P)[];
      return keys.length !== Object.keys(this.props).length || keys.some((key) => next[key] !== this.props[key]);
    }

    override render(props: P) {
      return createElement(inner, props);
    }
  };
}
