// Answers the jobs of og.heavy.ts in whatever runtime this is.

// Both entries in one program, of which each brings files of its own.
import 'platen/edge';
import { ImageResponse, renderElement } from 'platen/og';
import { picturesWith } from './pictures.jsx';

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

function base64Of(bytes) {
  let letters = '';
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters);
}

/** A view at an offset; in Node a Buffer, such as `readFileSync` returns for small files. */
function viewOf(bytes) {
  const whole = new Uint8Array(bytes.length + 24);
  whole.set(bytes, 24);
  return globalThis.Buffer ? Buffer.from(whole.buffer, 24) : whole.subarray(24);
}

const ROCKET =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="17" fill="#dd2e44"/></svg>';

export async function answer({ fonts, files, jobs }) {
  const given = fonts.map(({ data, ...font }) => ({ ...font, data: bytesOf(data).buffer }));
  const views = fonts.map(({ data, ...font }) => ({ ...font, data: viewOf(bytesOf(data)) }));
  const elements = picturesWith(files);
  const asked = [];
  const fetched = globalThis.fetch;
  // The network of files of the emoji; nothing else is asked for.
  globalThis.fetch = async (address, options) => {
    if (!String(address).startsWith('https://')) return fetched(address, options);
    asked.push(String(address));
    return new Response(ROCKET);
  };
  const answers = [];
  try {
    for (const { name, element, asViews, ...options } of jobs) {
      const own = asViews ? views : given;
      const warnings = [];
      const onWarning = (warning) => warnings.push(warning);
      const wanted = { ...options, onWarning, ...(options.withFonts === false ? {} : { fonts: own }) };
      const drawn = name ? elements[name] : element;
      const response = new ImageResponse(drawn, wanted);
      const { status, statusText, headers } = response;
      try {
        const png = base64Of(new Uint8Array(await response.arrayBuffer()));
        answers.push({ status, statusText, headers: Object.fromEntries(headers), png, warnings });
      } catch {
        // Chromium keeps to itself why a stream ended.
        answers.push({ error: await renderElement(drawn, wanted).then(String, ({ message }) => message) });
      }
    }
  } finally {
    globalThis.fetch = fetched;
  }
  return { answers, asked };
}
