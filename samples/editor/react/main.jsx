import regular from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf?url';
import bold from '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf?url';
import { StrictMode, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import card from '../shared/card.json';
import leaf from '../shared/leaf.svg?url';
import { saveFile } from '../shared/save-file.js';
import '../shared/page.css';
import { CardEditor } from './card-editor.jsx';

const fonts = [
  { family: 'Inter', weight: 400, url: regular },
  { family: 'Inter', weight: 700, url: bold },
];
const images = {
  list: async () => [{ src: 'photo:leaf', name: 'Leaf', preview: leaf }],
  load: async (src) => (await fetch(src === 'photo:leaf' ? leaf : src)).blob(),
};

function App() {
  const editor = useRef(null);
  const download = async (output) => saveFile(await editor.current.download({ output, scale: 2 }), `card.${output}`);
  return (
    <>
      <header>
        <h1>{card.name}</h1>
        {['png', 'svg', 'pdf'].map((output) => (
          <button key={output} type="button" data-output={output} onClick={() => download(output)}>
            {output.toUpperCase()}
          </button>
        ))}
      </header>
      <CardEditor
        ref={editor}
        document={card}
        fonts={fonts}
        images={images}
        onChange={(changed) => localStorage.setItem('card', JSON.stringify(changed))}
      />
    </>
  );
}

createRoot(document.body).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
