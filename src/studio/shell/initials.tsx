// A person as their initials.

/** A person's first letters in a circle. */
export function Initials({ name }: { name: string }) {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('');
  return (
    <span class="initials" aria-hidden="true">
      {letters.toUpperCase() || '?'}
    </span>
  );
}
