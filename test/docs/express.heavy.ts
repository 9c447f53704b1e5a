// Runs the documentation's receiver of webhooks in Express, with a stand-in that has Express's own behaviour: `express.raw`
// reads the body into a Buffer, and a rejected handler is answered 500.

import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webhookHeaders } from '#server/service/jobs/webhooks.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { documents, fencesOf, ROOT } from './fences.ts';

const EXPRESS = `
import { createServer } from 'node:http';

export default function express() {
  const routes = new Map();
  const server = createServer(async (request, response) => {
    response.sendStatus = (status) => response.writeHead(status).end();
    const handlers = routes.get(request.method + request.url) ?? [];
    const run = async (at) => handlers[at]?.(request, response, () => run(at + 1));
    await run(0).catch(() => response.sendStatus(500));
  });
  return {
    post: (path, ...handlers) => routes.set('POST' + path, handlers),
    listen: (port, ready) => server.listen(port, '127.0.0.1', () => ready(server.address().port)),
  };
}

express.raw = ({ type }) => async (request, response, next) => {
  const body = [];
  for await (const chunk of request) body.push(chunk);
  if (request.headers['content-type'] === type) request.body = Buffer.concat(body);
  return next();
};
`;

test('the receiver in Express believes a delivery of ours, and nothing less', async () => {
  const page = (await documents()).get('docs/webhooks.md') ?? '';
  const [block] = fencesOf('docs/webhooks.md', page).filter(({ code }) => code.includes("from 'express'"));
  await using folder = await temporaryFolder();
  const modules = {
    express: EXPRESS,
    '@platen/client': `export * from ${JSON.stringify(join(ROOT, 'clients/js/index.ts'))};`,
  };
  for (const [name, code] of Object.entries(modules)) {
    const own = join(folder.path, 'node_modules', name);
    await mkdir(own, { recursive: true });
    await writeFile(join(own, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }));
    await writeFile(join(own, 'index.js'), code);
  }
  const file = join(folder.path, 'receiver.mjs');
  await writeFile(file, `${block?.code}\napp.listen(0, (port) => console.log(port));\n`);
  const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
  const env = { ...process.env, PLATEN_WEBHOOK_SECRET: secret };
  const receiver = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await new Promise((resolve) => receiver.stdout.once('data', (data) => resolve(Number(data))));
    const body = '{ "id": "rnd_1",  "status": "done", "result": null, "error": null }';
    const signed = webhookHeaders([secret], 'msg_1', Math.floor(Date.now() / 1000), body);
    const send = async (text: string) =>
      (
        await fetch(`http://127.0.0.1:${port}/platen`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...signed },
          body: text,
        })
      ).status;
    expect([await send(body), await send(body.replace('done', 'error'))]).toEqual([204, 500]);
    // What is left of it by a JSON parser is no longer what was signed.
    expect(await send(JSON.stringify(JSON.parse(body)))).toBe(500);
  } finally {
    receiver.kill();
  }
});
