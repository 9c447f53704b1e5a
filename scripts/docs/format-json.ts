// Formats JSON to a width: a value is on one line if it fits, otherwise its members are on lines of their own.

/** Columns that a code block shows without scrolling. */
const COLUMNS = 84;

/** @param taken columns already used on its first line, besides the indent */
export function formatJson(value: unknown, indent = 0, taken = 0): string {
  const flat = oneLine(value);
  if (typeof value !== 'object' || value === null || flat.length + indent + taken < COLUMNS) return flat;
  const inner = ' '.repeat(indent + 2);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((item) => inner + formatJson(item, indent + 2))
    : packed(Object.entries(value), indent + 2).map((line) => inner + line);
  return `${open}\n${members.join(',\n')}\n${' '.repeat(indent)}${close}`;
}

/** Members of an object, with short ones sharing a line. */
function packed(members: readonly (readonly [string, unknown])[], indent: number): readonly string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const [key, value] of members) {
    const name = `${JSON.stringify(key)}: `;
    const flat = name + oneLine(value);
    const last = lines.at(-1);
    const fits = indent + flat.length < COLUMNS;
    if (isOpen && fits && last !== undefined && indent + last.length + 2 + flat.length < COLUMNS) {
      lines[lines.length - 1] = `${last}, ${flat}`;
    } else {
      lines.push(fits ? flat : name + formatJson(value, indent, name.length));
      isOpen = fits;
    }
  }
  return lines;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
