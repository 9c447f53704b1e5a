// The type of Vite's `import.meta.glob`: a loader function for each file.

interface ImportMeta {
  glob<T>(patterns: readonly string[]): Readonly<Record<string, () => Promise<T>>>;
}
