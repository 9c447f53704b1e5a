import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalQuery, parseSignedQuery, sign, signedQuery, verify } from '#server/service/rendering/signed-url.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const SECRET = 'sk_sign_test';

interface Corpus {
  readonly accept: readonly {
    name: string;
    template: string;
    ext: string;
    query: string;
    canon: string;
    sig: string;
  }[];
  readonly reject: readonly { name: string; query: string }[];
}
const corpus: Corpus = JSON.parse(readFileSync(join(import.meta.dirname, '../../../corpora/signed-url.json'), 'utf8'));

for (const { name, template, ext, query, canon, sig } of corpus.accept) {
  test(`accepts: ${name}`, () => {
    const { parameters } = parseSignedQuery(query);
    expect(canonicalQuery(parameters)).toBe(canon);
    const message = { template, extension: ext, parameters };
    const expires = sig.includes('.') ? Number(sig.split('.')[0]) : null;
    expect(sign(SECRET, message, expires)).toBe(sig);
    expect(() => verify([SECRET], message, sig, NOW)).not.toThrow();
  });
}

for (const { name, query } of corpus.reject) {
  test(`rejects: ${name}`, () => {
    // The corpus writes an ellipsis for a long value.
    const full = query.replace('…', 'a'.repeat(9_000));
    expect(() => parseSignedQuery(full)).toThrow(expect.objectContaining({ code: 'bad_signature' }));
  });
}

const message = { template: 'tpl_1', extension: 'png', parameters: [['title', 'Hello']] } as const;

function refused(secrets: readonly string[], signature: string, now = NOW): boolean {
  try {
    verify(secrets, message, signature, now);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'bad_signature' });
    return true;
  }
}

test('a previous secret is accepted beside the current one', () => {
  expect(refused(['new', 'old'], sign('old', message))).toBe(false);
  expect(refused(['new'], sign('old', message))).toBe(true);
  expect(refused([], sign('old', message))).toBe(true);
});

test('an expiry holds up to its second, and cannot be moved or cut off', () => {
  const end = NOW.getTime() / 1000;
  const signature = sign(SECRET, message, end);
  expect(refused([SECRET], signature)).toBe(false);
  expect(refused([SECRET], signature, new Date(NOW.getTime() + 1))).toBe(true);
  expect(refused([SECRET], signature.replace(String(end), String(end + 1)))).toBe(true);
  expect(refused([SECRET], signature.split('.')[1] ?? '')).toBe(true);
});

test('only lower-case hex of the right length is a signature', () => {
  const signature = sign(SECRET, message);
  for (const text of [signature.toUpperCase(), signature.slice(1), `${signature}0`, '', 'x', `-1.${signature}`]) {
    expect(refused([SECRET], text), text).toBe(true);
  }
});

test('the secret, prefix and all, is the HMAC key', () => {
  expect(sign('sgn_a', message)).not.toBe(sign('a', message));
});

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with control characters are refused
  return text !== 'sig' && !/[\u0000-\u001f\u007f]/.test(text) && text.isWellFormed();
});
const value = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed());
const parameters = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 8 });

test('what is signed is read back the same, in any order of parameters', () => {
  fc.assert(
    fc.property(parameters, fc.array(fc.nat()), (pairs, keys) => {
      const query = signedQuery(SECRET, { ...message, parameters: pairs });
      const shuffled = query
        .split('&')
        .map((piece, index) => [keys[index] ?? 0, piece] as const)
        .sort(([a], [b]) => a - b)
        .map(([, piece]) => piece)
        .join('&');
      const read = parseSignedQuery(shuffled);
      expect(read.parameters.toSorted()).toEqual(pairs.toSorted());
      verify([SECRET], { ...message, parameters: read.parameters }, read.signature ?? '', NOW);
    }),
  );
});

/** A random edit of a text: the operation, its position and a character code. */
const mutation = fc.tuple(
  fc.constantFrom('replace', 'insert', 'delete', 'repeat', 'swap'),
  fc.nat(200),
  fc.integer({ min: 0x20, max: 0x7e }),
);

function mutate(text: string, [kind, where, code]: readonly [string, number, number]): string {
  const at = where % text.length;
  const [before, char, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
  switch (kind) {
    case 'replace':
      return before + String.fromCharCode(code) + after;
    case 'insert':
      return before + String.fromCharCode(code) + char + after;
    case 'delete':
      return before + after;
    case 'repeat':
      return before + char + char + after;
    default:
      return before + after.charAt(0) + char + after.slice(1);
  }
}

test('of 100,000 mutations of a signed query none is accepted as another variant', () => {
  const original = signedQuery(
    SECRET,
    {
      ...message,
      parameters: [
        ['title', 'Hello world'],
        ['photo', 'a&b=c'],
        ['empty', ''],
      ],
    },
    NOW.getTime() / 1000 + 60,
  );
  const canon = canonicalQuery(parseSignedQuery(original).parameters);
  let refusals = 0;
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
      const mutated = mutations.reduce(mutate, original);
      try {
        const { parameters, signature } = parseSignedQuery(mutated);
        verify([SECRET], { ...message, parameters }, signature ?? '', NOW);
        // Other encodings of the same query are fine, such as `+` for `%20` or `%7e` for `~`.
        if (canonicalQuery(parameters) !== canon) throw new Error(`accepted: ${mutated}`);
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'bad_signature') throw error;
        refusals += 1;
      }
    }),
    { numRuns: 100_000 },
  );
  expect(refusals).toBeGreaterThan(90_000);
});
