import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [vue()],
  // Development servers would move the module away from its files.
  optimizeDeps: { exclude: ['platen'] },
});
