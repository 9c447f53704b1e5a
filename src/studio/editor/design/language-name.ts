// Names of languages in English.

const names = new Intl.DisplayNames('en', { type: 'language' });

/** `German` for `de`; a tag without a name is itself. */
export function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
