// Prints a command's result: text for people, or with `--json` exactly one JSON value and nothing else.

/** Prints the value as JSON, or the text for it. */
export function print(json: boolean | undefined, value: unknown, words: string): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${words}\n`);
}

/** The account may be omitted when there is only one. */
export const accountOption = (what: string) => ['--account <id>', `${what}; the only account when absent`] as const;

export const JSON_OPTION = ['--json', 'print one JSON value'] as const;
