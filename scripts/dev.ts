// Runs the server and the studio for development, both reloading on changes: `npm run dev`.
//
// Vite answers at its own port and forwards everything but the studio's files to the server, so cookies and the check
// of origins work as they do behind one address. Vite's watcher also restarts the server: with `node --watch`, threads
// and processes send what they import over the channel of their answers.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createServer } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'src');
/** Reloaded by Vite. */
const STUDIO = join(SOURCES, 'studio/');
/** ms: changes within it are one, as when a branch is checked out. */
const TOGETHER = 100;
const port = process.env.PORT ?? '3000';
const studioPort = Number(process.env.STUDIO_PORT ?? '5173');
const address = `http://localhost:${studioPort}`;

const studio = await createServer({
  configFile: join(ROOT, 'vite.studio.config.ts'),
  server: {
    port: studioPort,
    strictPort: true,
    proxy: { '^/(?!studio/|@)': { target: `http://127.0.0.1:${port}`, changeOrigin: false } },
  },
});
// Before the server starts, which would outlive a failure: the port may be taken.
await studio.listen();
console.log(`The studio, reloading as its files change: ${address}/studio/`);

let server = start();
let timer: NodeJS.Timeout | undefined;
studio.watcher.add(SOURCES).on('all', (_event, file) => {
  if (!file.startsWith(SOURCES) || file.startsWith(STUDIO)) return;
  clearTimeout(timer);
  timer = setTimeout(restart, TOGETHER);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    await Promise.all([end(server, signal), studio.close()]);
    process.exit(0);
  });
}

function start(): ChildProcess {
  const env = { PLATEN_PUBLIC_URL: address, PLATEN_DRAIN_DELAY: '0', ...process.env, PORT: port };
  return spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, stdio: 'inherit', env });
}

/** Also starts a server that has ended, because a file had a mistake. */
async function restart(): Promise<void> {
  const old = server;
  await end(old, 'SIGTERM');
  // Unless another change has started it already.
  if (server === old) server = start();
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}
