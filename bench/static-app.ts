// A minimal Koa file server, the baseline for a signed URL that was drawn before.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { basename, join } from 'node:path';
import Koa from 'koa';

/** Serves `/name` from the file of that name, with an ETag of its size and modification time; not listening yet. */
export function staticApp(folder: string): Server {
  const app = new Koa();
  app.use(async (koa) => {
    const path = join(folder, basename(koa.path));
    const { size, mtimeMs } = await stat(path);
    koa.status = 200;
    koa.etag = `${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}`;
    koa.type = 'png';
    koa.length = size;
    if (koa.fresh) koa.status = 304;
    else koa.body = createReadStream(path);
  });
  return createServer(app.callback());
}
