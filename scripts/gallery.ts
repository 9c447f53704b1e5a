// Writes the README's pictures of the samples and the specimen sheet as Markdown; `npm run gallery` renders the files.

import { access, readdir, readFile } from 'node:fs/promises';

/** @throws if a sample has no picture yet */
export async function gallery(): Promise<string> {
  const files = (await readdir('samples')).filter((name) => name.endsWith('.json')).sort();
  const cells = await Promise.all(
    files.map(async (file) => {
      const { name } = JSON.parse(await readFile(`samples/${file}`, 'utf8')) as { readonly name: string };
      const picture = `samples/rendered/${file.replace('.json', '.webp')}`;
      await access(picture);
      return `[<img src="${picture}" alt="${name}" height="200">](samples/${file})`;
    }),
  );
  const specimen = 'samples/rendered/specimen.webp';
  await access(specimen);
  cells.push(`[<img src="${specimen}" alt="Specimen of fonts, scripts and features" height="200">](${specimen})`);
  return cells.join('\n');
}
