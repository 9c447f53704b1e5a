// What a command prints: words for people, or with `--json` exactly one JSON value and nothing else.

/** Prints the value as JSON, or the words for it. */
export function print(json: boolean | undefined, value: unknown, words: string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${words}\n`);
}

export const JSON_OPTION = ['--json', 'print one JSON value'] as const;
