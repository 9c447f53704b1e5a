// Tests that the tool `upload` decodes base64 of any length, and refuses what is none.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { mcpOverHttp } from '#server/mcp/tools.ts';

async function upload(data: string) {
  let sent: Uint8Array | null = null;
  const answer = mcpOverHttp(() => async (_method, _path, body) => {
    sent = body?.bytes ?? null;
    return { status: 201, headers: {}, bytes: Buffer.from('{"id":"img_a"}') };
  });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const message = { name: 'upload', arguments: { kind: 'image', data } };
  const response = await answer(new Request('http://localhost/mcp', { method: 'POST', headers }), {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: message,
  });
  const text = await response.text();
  return { sent: sent as Uint8Array | null, text };
}

test.each([1, 2, 3, 1_000, 3_000_001])('a file of %i bytes', async (length) => {
  const bytes = randomBytes(length);
  const { sent, text } = await upload(bytes.toString('base64'));
  expect(sent && Buffer.compare(sent, bytes)).toBe(0);
  expect(text).toContain('img_a');
});

test.each(['*', `${'A'.repeat(2_000_000)}*${'A'.repeat(99)}`, `AAAA=${'A'.repeat(7)}`])('no base64', async (data) => {
  const { sent, text } = await upload(data);
  expect(sent).toBeNull();
  expect(text).toContain('data is no base64');
});
