// Answers the jobs of edge.heavy.ts, with pictures in base64. Runs in every runtime.

import { render, renderToSvg } from 'platen/edge';

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

function base64Of(bytes) {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters);
}

/** Draws the jobs one after the other, in their order. */
export async function answer({ fonts, images, jobs }) {
  const files = fonts.map(({ data, ...font }) => ({ ...font, data: bytesOf(data) }));
  const pictures = Object.fromEntries(Object.entries(images).map(([source, data]) => [source, bytesOf(data)]));
  const answers = [];
  for (const { template, faces, ...options } of jobs) {
    const given = { ...options, fonts: faces.map((index) => files[index]), images: pictures };
    try {
      if (options.output === 'svg') answers.push(await renderToSvg(template, given));
      else {
        const { bytes, warnings } = await render(template, given);
        answers.push({ png: base64Of(bytes), warnings });
      }
    } catch (error) {
      answers.push({ error: error.message });
    }
  }
  return answers;
}
