// Replaces React for satori's tests: makes elements in the form of React's, which the recorder reads.

export const Fragment = Symbol.for('react.fragment');

export const jsx = (type: unknown, props: unknown, key?: unknown) => ({ type, key: key ?? null, props });
export const jsxs = jsx;
export const jsxDEV = jsx;

export const forwardRef = (render: unknown) => ({ render });
