// Types of imports that the bundler resolves and that are not modules.

declare module '*.css';
declare module '@iconify-json/lucide/icons.json?icon=*' {
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

/** Vite's `import.meta.glob`: imports all modules whose path matches a pattern. */
interface ImportMeta {
  glob<T>(pattern: string, options: { import: 'default'; query?: string; eager: true }): Readonly<Record<string, T>>;
  glob<T>(pattern: readonly string[], options: { import: 'default' }): Readonly<Record<string, () => Promise<T>>>;
}
