import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // Development servers would move the module away from its files.
  optimizeDeps: { exclude: ['platen'] },
});
