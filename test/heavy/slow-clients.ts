// Opens many connections and uses them slowly: `node slow-clients.ts PORT COUNT HOW [PATH]`.
//
// Prints a line when all are open, and after the last has closed a JSON array of how long each was open, ms.

import { connect } from 'node:net';

const [port = '', count = '', how = '', path = ''] = process.argv.slice(2);
/** The interval at which a slow client sends something, ms. */
const PAUSE = 1_000;

interface Client {
  readonly hello: string;
  /** Sent repeatedly; '' = nothing. */
  readonly more: string;
  readonly reads: boolean;
}

const CLIENTS: Readonly<Record<string, Client>> = {
  /** Never finishes the head of its request. */
  head: { hello: 'GET /healthz HTTP/1.1\r\nHost: a\r\n', more: 'x: y\r\n', reads: true },
  /** Never finishes the body of its request. */
  body: {
    hello:
      `POST /v1/renders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${process.env.KEY}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
    more: '{',
    reads: true,
  },
  silent: { hello: '', more: '', reads: true },
  /** Requests a file and reads nothing of it. */
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
    // A client that does not read learns only by writing that its connection was closed.
    if (more !== '' || !reads) socket.write(more || '\r\n');
  };
  // Each client sends at its own random moments, as real ones do.
  const timers = [setTimeout(() => timers.push(setInterval(send, PAUSE)), PAUSE * Math.random())];
  socket.on('close', () => timers.forEach(clearTimeout));
  return { opened, closed };
}

const clients = Array.from({ length: Number(count) }, open);
await Promise.all(clients.map(({ opened }) => opened));
process.stdout.write('open\n');
const lives = await Promise.all(clients.map(({ closed }) => closed));
process.stdout.write(`${JSON.stringify(lives.map(Math.round))}\n`);
