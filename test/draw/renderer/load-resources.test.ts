import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import type { ImageNeed } from '#core/resolve/scene.ts';
import { FontSet } from '#core/text/font-set.ts';
import type { FontLibrary } from '#draw/fonts/font-library.ts';
import { type ImageSources, loadResources, type Papers } from '#draw/renderer/load-resources.ts';
import { OutboundClient } from '#server/net/outbound-client.ts';
import { outsideImages } from '#server/service/files/image-sources.ts';
import { serve } from '../../listen.ts';
import { canary, guardFor } from '../../server/net/servers.ts';
import { noise, QUADRANTS_SVG, quadrants, svg } from '../images/pictures.ts';

const UNKNOWN = { code: 'unknown-family', layer: 'title', message: 'No such family.' } as const;
const fonts: Pick<FontLibrary, 'load'> = {
  load: async () => ({ fonts: new FontSet(new Map()), diagnostics: [UNKNOWN] }),
};
const PNG = await quadrants().png().toBuffer();

/** Image sources by name: a file, or the error that reading it throws. */
function sourcesOf(files: Readonly<Record<string, Uint8Array | Error>>): ImageSources & { reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    async read(source) {
      reads.push(source);
      const file = files[source] ?? new AppError('invalid_request', `The server answered 404.`);
      if (file instanceof Error) throw file;
      return file;
    },
  };
}

const need = (key: string, sources: string[], rest: Partial<ImageNeed> = {}): ImageNeed => ({
  key,
  sources,
  layer: 'photo',
  optional: false,
  focus: null,
  ...rest,
});
const load = (images: ImageNeed[], sources: ImageSources, signal = new AbortController().signal, papers?: Papers) =>
  loadResources({ fonts: [], images, hyphenation: [], codes: [] }, fonts, sources, signal, 'pixels', papers);

test('an image under its key, and the fonts', async () => {
  const { resources, diagnostics } = await load([need('a', ['one'])], sourcesOf({ one: PNG }));
  expect(resources.images.get('a')).toMatchObject({
    key: 'a',
    format: 'png',
    width: 60,
    height: 40,
    hasAlpha: false,
    focus: null,
  });
  expect(diagnostics).toEqual([UNKNOWN]);
});
test('a source is read once, however many layers show it', async () => {
  const sources = sourcesOf({ one: PNG });
  const { resources } = await load([need('a', ['one']), need('b', ['one'])], sources);
  expect([sources.reads, resources.images.size]).toEqual([['one'], 2]);
});
test('the same bytes from two places are one file in memory', async () => {
  const { resources } = await load([need('a', ['one']), need('b', ['two'])], sourcesOf({ one: PNG, two: PNG }));
  await load([need('a', ['three'])], sourcesOf({ three: Buffer.from(PNG) }));
  expect(resources.images.get('a')?.bytes).toBe(resources.images.get('b')?.bytes);
});
test('the fallback is taken where the source fails', async () => {
  const sources = sourcesOf({ broken: Buffer.from('x'), two: PNG });
  const { resources } = await load([need('a', ['broken', 'two'])], sources);
  expect(resources.images.get('a')?.format).toBe('png');
});
test('and is not read where it does not', async () => {
  const sources = sourcesOf({ one: PNG, two: PNG });
  await load([need('a', ['one', 'two'])], sources);
  expect(sources.reads).toEqual(['one']);
});
test('focus is found on the image', async () => {
  const wide = svg('width="40" height="20"', '<rect x="32" y="8" width="4" height="4" fill="#f60"/>');
  const wish = need('a', ['one'], { focus: { by: 'attention', aspect: 1 } });
  const { resources } = await load([wish], sourcesOf({ one: wide }));
  expect(resources.images.get('a')?.focus?.x).toBeGreaterThan(0.8);
});

async function refused(images: ImageNeed[], sources: ImageSources, code: string, message: string): Promise<void> {
  await expect(load(images, sources)).rejects.toMatchObject({ code, message });
}
test('the layer of an image that is missing is named', () =>
  refused(
    [need('a', ['gone'])],
    sourcesOf({}),
    'invalid_request',
    'Image of layer "photo" could not be loaded: the server answered 404.',
  ));
test('and of one that cannot be decoded', () =>
  refused(
    [need('a', ['one'])],
    sourcesOf({ one: PNG.subarray(0, 90) }),
    'invalid_request',
    'Image of layer "photo" could not be loaded: the PNG file is damaged.',
  ));
test('of two failures the source speaks', () =>
  refused(
    [need('a', ['html', 'gone'])],
    sourcesOf({ html: Buffer.from('<html>') }),
    'invalid_request',
    'Image of layer "photo" could not be loaded: the file is not a PNG, JPEG, WebP, GIF, AVIF or SVG image.',
  ));
test('a denial names the layer, and says no more than it was told', () =>
  refused(
    [need('a', ['one'])],
    sourcesOf({ one: new AppError('url_not_allowed', 'URL not allowed.') }),
    'url_not_allowed',
    'Image of layer "photo" could not be loaded: URL not allowed.',
  ));
test('no source at all', () =>
  refused(
    [need('a', [])],
    sourcesOf({}),
    'invalid_request',
    'Image of layer "photo" could not be loaded: there is no source.',
  ));
test('a bug stays a bug', () =>
  expect(load([need('a', ['one'])], sourcesOf({ one: new TypeError('oops') }))).rejects.toThrow(TypeError));

async function leftOut(source: Uint8Array | Error, message: string): Promise<void> {
  const { resources, diagnostics } = await load([need('a', ['one'], { optional: true })], sourcesOf({ one: source }));
  expect(resources.images.size).toBe(0);
  expect(diagnostics.at(-1)).toEqual({ code: 'image-left-out', layer: 'photo', message });
}
test('an optional image is left out', () =>
  leftOut(
    Buffer.from('x'),
    'Image of layer "photo" could not be loaded: the file is not a PNG, JPEG, WebP, GIF, AVIF or SVG image. It was left out.',
  ));
test('also where it was denied', () =>
  leftOut(
    new AppError('url_not_allowed', 'URL not allowed.'),
    'Image of layer "photo" could not be loaded: URL not allowed. It was left out.',
  ));

test('at most eight are read at the same time', async () => {
  let running = 0;
  let most = 0;
  const slow: ImageSources = {
    async read() {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return PNG;
    },
  };
  await load(
    Array.from({ length: 40 }, (_, index) => need(`${index}`, [`${index}`])),
    slow,
  );
  expect(most).toBe(8);
});
test('all images together are bounded', async () => {
  const large = Buffer.concat([await noise(2000, 2000).png().toBuffer(), Buffer.alloc(2 ** 21)]);
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}`, large]));
  await refused(
    Object.keys(files).map((key) => need(key, [key])),
    sourcesOf(files),
    'invalid_request',
    'Image of layer "photo" could not be loaded: all images together are larger than 128 MiB.',
  );
});
test('one failure stops the others', async () => {
  const aborted = Promise.withResolvers<void>();
  const sources: ImageSources = {
    read: (source, signal) =>
      source === 'bad'
        ? Promise.reject(new AppError('invalid_request', 'No.'))
        : new Promise((_, reject) =>
            signal.addEventListener('abort', () => {
              aborted.resolve();
              reject(signal.reason);
            }),
          ),
  };
  await expect(load([need('a', ['slow']), need('b', ['bad'])], sources)).rejects.toThrow('no.');
  await aborted.promise;
});
test('a deadline ends it', () =>
  expect(load([need('a', ['one'])], sourcesOf({ one: PNG }), AbortSignal.abort(new Error('late')))).rejects.toThrow(
    'late',
  ));

/** Loads a source from the network; `PORT` in it becomes that of a local server that answers every path with a PNG. */
async function outside(source: string, allow = ['127.0.0.1/32']): Promise<string> {
  await using server = await serve((request, answer) => {
    if (request.url === '/html') answer.writeHead(200, { 'content-type': 'image/png' }).end('<html></html>');
    else if (request.url?.startsWith('/secret')) answer.writeHead(403).end();
    else answer.writeHead(200, { 'content-type': 'text/plain' }).end(PNG);
  });
  const client = new OutboundClient(guardFor(allow), { userAgent: 'Platen' });
  try {
    const { resources } = await load([need('a', [source.replace('PORT', `${server.port}`)])], outsideImages(client));
    return resources.images.get('a')?.format ?? 'none';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.close();
  }
}
const check = async (source: string, expected: string) => expect(await outside(source)).toBe(expected);

test('http', () => check('http://127.0.0.1:PORT/a.png', 'png'));
test('a page that calls itself a picture', () =>
  check(
    'http://127.0.0.1:PORT/html',
    'Image of layer "photo" could not be loaded: the file is not a PNG, JPEG, WebP, GIF, AVIF or SVG image.',
  ));
test('no secret of the URL comes back', () =>
  check(
    'http://127.0.0.1:PORT/secret?token=abc',
    'Image of layer "photo" could not be loaded: the server answered 403.',
  ));
test('data: in base64', () => check(`data:image/png;base64,${PNG.toString('base64')}`, 'png'));
test('data: under another name', () => check(`data:image/gif;base64,${PNG.toString('base64')}`, 'png'));
test('data: as text', () => check(`data:image/svg+xml,${encodeURIComponent(QUADRANTS_SVG.toString())}`, 'svg'));
test('data: broken', () =>
  check(
    'data:image/svg+xml;base64,!!!',
    'Image of layer "photo" could not be loaded: the data: URI is not valid base64.',
  ));
const FAILED = 'Image of layer "photo" could not be loaded: ';
test('data: of a page', () =>
  check('data:text/html,<script>', `${FAILED}it is a data: URI of "text/html", which is not an image.`));
test('an empty source', () => check('', 'Image of layer "photo" could not be loaded: there is no source.'));
const GIVE = 'give an https:// URL, a data: URI or the id of an uploaded image';
const isPath = (source: string) =>
  `${FAILED}"${source}" is a path, not a URL; ${GIVE}. A file beside the template is uploaded by "platen template push", or by POST /v1/images.`;
/** The same message for all that only the network could tell: a denied name, and one that does not exist. */
const HOST = `${FAILED}its host cannot be found on the public internet; check the spelling. Hosts of a private network are reached only if the operator lists them in PLATEN_ALLOW_PRIVATE_NETWORKS.`;
for (const [source, message] of [
  ['file:///etc/passwd', `${FAILED}"file:" is not a scheme of an image source; ${GIVE}.`],
  ['htps://example.com/a.png', `${FAILED}"htps:" is not a scheme of an image source; did you mean "https:"?`],
  ['https:/example.com/a.png', `${FAILED}https: is followed by two slashes and a host: https://example.com/a.`],
  ['/etc/passwd', isPath('/etc/passwd')],
  ['../secret.png', isPath('../secret.png')],
  ['logo.png', isPath('logo.png')],
  ['localhost:3000/a.png', isPath('localhost:3000/a.png')],
  ['//evil/x.png', isPath('//evil/x.png')],
  [
    'img_typo',
    `${FAILED}"img_typo" is not the id of an uploaded image: upload it under Images, or with POST /v1/images.`,
  ],
  ['http://user:p@example.com/x.png', `${FAILED}it holds a user name or a password before an @, which is not sent.`],
  [
    'http://example.com/a b.png',
    `${FAILED}it holds a space, a control character or a backslash; write a space as %20.`,
  ],
  ['http://169.254.169.254/', HOST],
  [
    'http://10.0.0.1/a.png',
    `${FAILED}its host is an address of a private network. Whoever runs the server can allow it, for development for example, by listing its network in PLATEN_ALLOW_PRIVATE_NETWORKS.`,
  ],
  ['http://db.internal/a.png', HOST],
  ['http://missing.example.com/', HOST],
] as const) {
  test(`denied: ${source}`, () => check(source, message));
}
test('a picture inside an SVG is never fetched', async () => {
  await using trap = await canary();
  const href = `http://127.0.0.1:${trap.port}/x.png`;
  const file = svg(
    'width="9" height="9"',
    `<style>@import "${href}";</style><image href="${href}" width="9" height="9"/><rect fill="url(${href}#a)"/>`,
  );
  await load([need('a', ['one'])], sourcesOf({ one: file }));
  expect(trap.hits()).toBe(0);
});

/** A PDF of one empty page, with the places of its objects. */
function paper(): Buffer {
  const objects = [
    '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
    '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
    '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 90 60] /Resources <<>>>> endobj',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object) => {
    const at = file.length;
    file += `${object}\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 4\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(`${file}${table}trailer <</Root 1 0 R /Size 4>>\nstartxref\n${file.length}\n%%EOF\n`);
}

test('letter paper in a picture is its fallback, or an error that names the layer and says what to give it', async () => {
  const sources = sourcesOf({ paper: paper(), picture: PNG });
  const { resources } = await load([need('a', ['paper', 'picture'])], sources);
  expect(resources.images.get('a')).toMatchObject({ format: 'png', width: 60 });
  const without = load([need('a', ['paper'])], sources);
  await expect(without).rejects.toThrow(
    /^Image of layer "photo".*a PDF is shown in PDFs alone; give the layer a `fallback` for other outputs\.$/,
  );
  const optional = await load([need('a', ['paper'], { optional: true })], sources);
  expect(optional.diagnostics).toContainEqual(
    expect.objectContaining({ layer: 'photo', message: expect.stringMatching(/PDFs alone/) }),
  );
  const preview = await load(
    [need('paper-only', ['paper']), need('shown', ['picture'])],
    sources,
    undefined,
    'left-out',
  );
  expect([...preview.resources.images.keys()]).toEqual(['shown']);
  expect(preview.diagnostics).toContainEqual({
    ...{ code: 'image-simplified', layer: 'photo' },
    message: expect.stringMatching(/^Image of layer "photo": letter paper is not in this preview; it is in the PDF\./),
  });
});
