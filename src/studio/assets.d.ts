// What the bundler makes of imports that are no modules.

declare module '*.css';
declare module '*?icon' {
  const shapes: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
  export default shapes;
}
declare module '*?url' {
  const url: string;
  export default url;
}
declare module '*?worker&url' {
  const url: string;
  export default url;
}
