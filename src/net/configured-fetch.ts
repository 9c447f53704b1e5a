// Fetches from hosts that whoever runs the server has configured, such as an identity provider, which may well be in a
// private network. No address rule then; the answer is bounded, and a redirect is not followed.

/** ms for a whole answer. */
const TIMEOUT = 10_000;
/** Bytes of an answer. */
const MAX_BYTES = 1024 * 1024;

/** As `fetch`, with the body read already. @throws Error when it takes too long or is too large */
export async function configuredFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`${new URL(url).host} answered more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  const isEmpty = status === 204 || status === 304;
  const copy = new Response(isEmpty ? null : Buffer.concat(chunks), { status, statusText, headers });
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}
