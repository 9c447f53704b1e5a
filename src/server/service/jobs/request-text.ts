// Writes the request of a job as JSON without holding the answering thread: a list of many thousand rows, which is text
// in a request (server/http/middleware/body.ts), is escaped piece by piece.

import { isLighter } from '../templates/json-weight.ts';

/** Requests above this weight, in characters, are written in pieces: of 3 MB, JSON takes 20 ms. */
const LIGHT = 500_000;
/** Characters that are escaped in one turn of the event loop. */
const PIECE = 2 ** 18;

/** The request as JSON; null for one that is light enough to be written at once. */
export async function requestText(request: unknown): Promise<string | null> {
  if (isLighter(request, LIGHT)) return null;
  const long: string[] = [];
  // What no request has, as it is new.
  const mark = crypto.randomUUID();
  const whole = JSON.stringify(request, (_, value: unknown) => {
    if (typeof value !== 'string' || value.length < PIECE) return value;
    long.push(value);
    return mark;
  });
  const parts = whole.split(`"${mark}"`);
  let text = parts[0] ?? '';
  for (const [index, value] of long.entries()) {
    text += '"';
    for (let at = 0; at < value.length; at += PIECE) {
      text += JSON.stringify(value.slice(at, at + PIECE)).slice(1, -1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    text += `"${parts[index + 1] ?? ''}`;
  }
  return text;
}
