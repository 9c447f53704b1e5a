// A process of its own that opens many connections and uses them slowly: `node slow-clients.ts PORT COUNT HOW [PATH]`.
//
// It prints a line when all are open, and when the last was closed a line of JSON: how long each was open, ms.

import { connect } from 'node:net';

const [port = '', count = '', how = '', path = ''] = process.argv.slice(2);
/** How often a slow client sends something, ms. */
const PAUSE = 1_000;

interface Client {
  readonly hello: string;
  /** Sent again and again; '' = nothing. */
  readonly more: string;
  readonly reads: boolean;
}

const CLIENTS: Readonly<Record<string, Client>> = {
  /** Never the end of the head. */
  head: { hello: 'GET /healthz HTTP/1.1\r\nHost: a\r\n', more: 'x: y\r\n', reads: true },
  /** Never the end of the body. */
  body: {
    hello:
      `POST /v1/renders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${process.env.KEY}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
    more: '{',
    reads: true,
  },
  silent: { hello: '', more: '', reads: true },
  /** Asks for a file and takes nothing of it. */
  reader: { hello: `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`, more: '', reads: false },
};
const client = CLIENTS[how];
if (!client) throw new Error(`${how} is no kind of client`);
const { hello, more, reads } = client;

function open(): { readonly opened: Promise<void>; readonly closed: Promise<number> } {
  const start = performance.now();
  const socket = connect(Number(port), '127.0.0.1');
  const opened = new Promise<void>((resolve) => socket.on('connect', () => resolve()));
  const closed = new Promise<number>((resolve) => socket.on('close', () => resolve(performance.now() - start)));
  socket.on('error', () => {});
  if (reads) socket.resume();
  else socket.pause();
  socket.write(hello);
  const send = () => {
    // Who does not read only learns from a write that it was cut off.
    if (more !== '' || !reads) socket.write(more || '\r\n');
  };
  // Each at a moment of its own, as clients are.
  const timers = [setTimeout(() => timers.push(setInterval(send, PAUSE)), PAUSE * Math.random())];
  socket.on('close', () => timers.forEach(clearTimeout));
  return { opened, closed };
}

const clients = Array.from({ length: Number(count) }, open);
await Promise.all(clients.map(({ opened }) => opened));
process.stdout.write('open\n');
const lives = await Promise.all(clients.map(({ closed }) => closed));
process.stdout.write(`${JSON.stringify(lives.map(Math.round))}\n`);
