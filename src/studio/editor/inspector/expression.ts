// Evaluates expressions in number fields: `120/2+8`, `(3 + 4) * 2`; a leading `+`, `*` or `/` applies to the current
// value.

/** @returns null if the text is neither a number nor an expression */
export function evaluate(text: string, current = 0): number | null {
  const trimmed = text.trim().replaceAll(',', '.').replaceAll('×', '*').replaceAll('÷', '/').replaceAll('−', '-');
  if (trimmed === '') return null;
  // A leading minus is a negative number, as designers type it; `-=8` subtracts.
  const source = /^[+*/]/.test(trimmed)
    ? `${current}${trimmed}`
    : trimmed.startsWith('-=')
      ? `${current}-${trimmed.slice(2)}`
      : trimmed;
  const tokens = source.match(/\d+\.?\d*|\.\d+|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const take = (token: string) => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  const sum = (): number => {
    let value = product();
    for (;;) {
      if (take('+')) value += product();
      else if (take('-')) value -= product();
      else return value;
    }
  };
  const product = (): number => {
    let value = factor();
    for (;;) {
      if (take('*')) value *= factor();
      else if (take('/')) value /= factor();
      else return value;
    }
  };
  const factor = (): number => {
    const token = tokens[at++] ?? '';
    if (token === '-') return -factor();
    if (token === '+') return factor();
    if (token === '(') {
      const value = sum();
      return tokens[at++] === ')' ? value : Number.NaN;
    }
    return /^[\d.]/.test(token) ? Number(token) : Number.NaN;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}
