// Fetches from hosts that the operator has configured, such as an identity provider, which may be in a private network.
// So no address rule applies, but the answer's size and time are limited, and redirects are not followed.
//
// undici's `fetch`, loaded with the first request: the command line has no global `fetch` (src/cli/main.ts).

/** Total timeout, ms. */
const TIMEOUT = 10_000;
/** Maximum size of an answer, bytes. */
const MAX_BYTES = 1024 * 1024;

/** Like `fetch`, with the body already read. @throws Error when it takes too long or is too large */
export async function configuredFetch(url: string, options: object): Promise<Response> {
  const { fetch } = await import('undici');
  const response = await fetch(url, { ...options, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`${new URL(url).host} answered more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const { status, statusText } = response;
  const isEmpty = status === 204 || status === 304;
  const headers = [...response.headers];
  const copy = new Response(isEmpty ? null : Buffer.concat(chunks), { status, statusText, headers });
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}
