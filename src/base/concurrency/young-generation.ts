// How much memory the threads of a server have for new objects, which V8 calls the young generation.

/**
 * `maxYoungGenerationSizeMb` of a thread's limits, MB, of which V8 makes three semispaces; without it, one has 16 MB.
 * A flag of V8 overrules it (`boundHeaps` in config.ts).
 */
export const YOUNG = {
  /** With semispaces of 4 instead of 8 MB, long texts took up to a tenth more processor time. */
  drawing: 24,
  /** For threads that check, encode or read. */
  helping: 6,
} as const;
