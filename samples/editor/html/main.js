// The folder `dist/editor` of the package is served at /platen, and fonts at /fonts.
import { createEditor } from '/platen/editor.js';
import { saveFile } from '../shared/save-file.js';

const pictures = { 'photo:leaf': '../shared/leaf.svg' };

const editor = await createEditor(document.querySelector('#editor'), {
  document: await (await fetch('../shared/card.json')).json(),
  fonts: [
    { family: 'Inter', weight: 400, url: '/fonts/Inter_400Regular.ttf' },
    { family: 'Inter', weight: 700, url: '/fonts/Inter_700Bold.ttf' },
  ],
  images: {
    list: async () => [{ src: 'photo:leaf', name: 'Leaf', preview: pictures['photo:leaf'] }],
    load: async (src) => (await fetch(pictures[src] ?? src)).blob(),
  },
  onChange: (changed) => localStorage.setItem('card', JSON.stringify(changed)),
});

for (const button of document.querySelectorAll('[data-output]')) {
  button.addEventListener('click', async () => {
    const { output } = button.dataset;
    saveFile(await editor.download({ output, scale: 2 }), `card.${output}`);
  });
}
