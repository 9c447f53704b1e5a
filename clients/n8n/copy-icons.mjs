// Puts the icon beside the compiled node and credentials, where n8n looks for it.

import { copyFile } from 'node:fs/promises';

for (const folder of ['nodes/Platen', 'credentials']) {
  await copyFile('nodes/Platen/platen.svg', `dist/${folder}/platen.svg`);
}
