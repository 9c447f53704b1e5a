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

/** Of Vite: modules by the pattern of their paths. */
interface ImportMeta {
  glob<T>(pattern: string, options: { import: 'default'; query?: string; eager: true }): Readonly<Record<string, T>>;
  glob<T>(pattern: readonly string[], options: { import: 'default' }): Readonly<Record<string, () => Promise<T>>>;
}
