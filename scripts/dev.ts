// Runs the server and the studio for development, both reloading on changes: `npm run dev`.
//
// Vite answers at its own port and forwards everything but the studio's files to the server, so cookies and the check
// of origins work as they do behind one address.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const port = process.env.PORT ?? '3000';
const studioPort = Number(process.env.STUDIO_PORT ?? '5173');
const address = `http://localhost:${studioPort}`;

const server = spawn(process.execPath, ['--watch', 'src/main.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, PORT: port, PLATEN_PUBLIC_URL: process.env.PLATEN_PUBLIC_URL ?? address },
});

const studio = await createServer({
  configFile: join(ROOT, 'vite.studio.config.ts'),
  server: {
    port: studioPort,
    strictPort: true,
    proxy: { '^/(?!studio/|@)': { target: `http://127.0.0.1:${port}`, changeOrigin: false } },
  },
});
await studio.listen();
console.log(`The studio, reloading as its files change: ${address}/studio/`);

server.on('exit', (code) => {
  void studio.close().then(() => process.exit(code ?? 0));
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));
