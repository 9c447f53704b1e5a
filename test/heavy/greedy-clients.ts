// Sends many requests at once that take up servers' memory: `node greedy-clients.ts PORT,PORT`, with a JSON `Greed` on
// standard input; the clients are divided between the ports. Prints the statuses that were answered as a line of JSON when all connections are closed.
//
// A process of its own, so that its memory is not the server's.

import { connect } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Greed {
  /** Connections at once. */
  readonly count: number;
  /** Method and path: `GET /assets/…`. */
  readonly request: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body is `begin`, then filler up to `size` bytes, then `end`. */
  readonly body?: { readonly begin: string; readonly end: string; readonly size: number };
  /** Whether the last byte of the body is not sent. */
  readonly withheld?: boolean;
  /** Whether answers are left unread. */
  readonly unread?: boolean;
  /** Whether each client sends its request again, over a new connection, as soon as it is answered. */
  readonly again?: boolean;
  /** When all connections are closed, ms. */
  readonly lasts: number;
}

const FILLER = Buffer.alloc(2 ** 18, 'A');

function run(port: number, { request, headers, body, withheld = false, unread = false, lasts }: Greed) {
  const { promise, resolve } = Promise.withResolvers<number>();
  const socket = connect(port, '127.0.0.1');
  let status = 0;
  const end = () => {
    socket.destroy();
    resolve(status);
  };
  const timer = setTimeout(end, lasts);
  socket.on('error', () => {});
  socket.on('close', () => {
    clearTimeout(timer);
    resolve(status);
  });
  if (unread) socket.pause();
  else
    socket.on('data', (chunk) => {
      status ||= Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1', 0, 16))?.[1] ?? 0);
    });
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers });
  if (body) lines.push(['content-length', String(body.size)]);
  socket.write(`${request} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  if (!body) return promise;
  socket.write(body.begin);
  let left = body.size - Buffer.byteLength(body.begin) - body.end.length;
  const send = () => {
    while (left > 0) {
      const piece = FILLER.subarray(0, Math.min(left, FILLER.length));
      left -= piece.length;
      if (!socket.write(piece)) {
        socket.once('drain', send);
        return;
      }
    }
    socket.write(withheld ? body.end.slice(0, -1) : body.end);
  };
  send();
  return promise;
}

const greed = (await json(process.stdin)) as Greed;
const counts: Record<string, number> = {};
const ends = performance.now() + greed.lasts;
const ports = String(process.argv[2]).split(',').map(Number);
async function client(index: number): Promise<void> {
  do {
    const lasts = Math.max(1, ends - performance.now());
    const status = await run(ports[index % ports.length] ?? 0, { ...greed, lasts });
    counts[status] = (counts[status] ?? 0) + 1;
  } while (greed.again && performance.now() < ends);
}
await Promise.all(Array.from({ length: greed.count }, (_, index) => client(index)));
process.stdout.write(`${JSON.stringify(counts)}\n`);
