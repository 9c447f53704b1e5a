// What Vite makes of `import.meta.glob`: a function that loads it for each file.

interface ImportMeta {
  glob<T>(patterns: readonly string[]): Readonly<Record<string, () => Promise<T>>>;
}
