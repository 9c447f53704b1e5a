// Common mistakes in requests, and what the server answers: the table of docs/mistakes.md, which test/server/http/mistakes.test.ts
// checks against the real server.

export interface Mistake {
  readonly method: string;
  readonly path: string;
  /** JSON, or text that is sent unchanged. `$TEMPLATE` is the id of a template with a text layer `title`. */
  readonly body?: unknown;
  readonly status: number;
  /** The error, or for a success its first warning. */
  readonly says: string;
}

const post = (path: string, body: unknown, status: number, says: string): Mistake => ({
  method: 'POST',
  path,
  body,
  status,
  says,
});
const render = (more: object, status: number, says: string) =>
  post('/v1/renders', { template: '$TEMPLATE', ...more }, status, says);
const layer = (more: object, says: string) =>
  post('/v1/templates', { name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'text', ...more }] }, 400, says);
const satori = (html: string, says: string) =>
  post('/v1/templates', { name: 'T', width: 9, height: 9, engine: 'html', renderer: 'satori', html }, 400, says);

export const MISTAKES: readonly Mistake[] = [
  post('/v1/render', {}, 404, 'not found: there is no POST /v1/render; did you mean POST /v1/renders?'),
  post('/renders', {}, 404, 'not found: there is no POST /renders; did you mean POST /v1/renders?'),
  {
    method: 'GET',
    path: '/v1/jobs/rnd_1',
    status: 404,
    says: 'not found: there is no GET /v1/jobs/rnd_1; did you mean GET /v1/renders/rnd_1?',
  },
  {
    method: 'GET',
    path: '/v1/renders',
    status: 405,
    says: 'method not allowed: /v1/renders takes POST, not GET; did you mean GET /v1/history?',
  },
  {
    method: 'PATCH',
    path: '/v1/templates/tpl_1',
    status: 405,
    says: 'method not allowed: /v1/templates/tpl_1 takes GET, PUT or DELETE, not PATCH',
  },
  post(
    '/v1/renders',
    [{ template: 'tpl_1' }],
    400,
    'The body must be a JSON object, not a list. Several renders are one request: POST /v1/renders/batch with {"renders": […]}, or {"template": "tpl_…", "items": […]}.',
  ),
  post(
    '/v1/renders',
    '{"template": "tpl_1",}',
    400,
    'The body is not valid JSON: line 1, column 21: a comma may not stand before "}".',
  ),
  post(
    '/v1/renders',
    "{'template': 'tpl_1'}",
    400,
    'The body is not valid JSON: line 1, column 2: expected a name in double quotes, not "\'".',
  ),
  post(
    '/v1/renders',
    '{"template": "tpl_1"',
    400,
    'The body is not valid JSON: line 1, column 21: the text ends before the "}" of line 1, column 1.',
  ),
  post(
    '/v1/renders',
    '{"template": undefined}',
    400,
    'The body is not valid JSON: line 1, column 14: expected a value, not "undefined".',
  ),
  post(
    '/v1/renders',
    {},
    400,
    'templateId is required. Send the id of a template as "template": "tpl_…"; GET /v1/templates lists them.',
  ),
  post('/v1/renders', { template: 'Card' }, 404, 'Template "Card" not found.'),
  render({ output: 'jpg' }, 400, 'output: must be one of "png", "jpeg", "webp", "avif", "pdf"; did you mean "jpeg"?'),
  render({ async: 'true' }, 400, 'async: must be a boolean; write true without quotes'),
  render(
    { modifications: [{ title: 'Hi' }] },
    400,
    'modifications: must be an object, not a list: the names of layers with their values, such as {"title": "Hello"}',
  ),
  render(
    { modifications: '{"title": "Hi"}' },
    400,
    'modifications: must be an object, not a string: the names of layers with their values, such as {"title": "Hello"}',
  ),
  render(
    { modifications: { title: ['Hi'] } },
    400,
    'modifications.title: must be a string, a number, true, false or an object of properties',
  ),
  render(
    { modifications: { title: { fontSize: '50 px' } } },
    400,
    'modifications.title.fontSize: must be a number; write 50, a number of px, for "50 px"',
  ),
  render({ modifications: { titel: 'Hi' } }, 200, 'The template has no layer "titel"; did you mean "title"?'),
  render(
    { modifications: { title: { colour: 'red' } } },
    200,
    'Layer "title" (text) has no property "colour"; did you mean "color"?',
  ),
  render(
    { modifications: { title: { fontFamily: 'Intre' } } },
    200,
    'Font family "Intre" is not known; did you mean "Inter"? There are "Inter", "Source Serif 4", "Playfair Display", "Bricolage Grotesque", "JetBrains Mono", "Noto Sans Hebrew", "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Thai" and 11 more.',
  ),
  render({ format: 'png' }, 200, 'The request has no field "format", which was ignored; did you mean "output"?'),
  render(
    { webhookUrl: 'example.com/hook' },
    400,
    'webhookUrl: URL not allowed. It does not begin with https:// or http://; write the whole address, such as https://example.com/a.',
  ),
  post('/v1/renders/batch', {}, 400, 'The batch has no items; send renders, or template and items.'),
  post(
    '/v1/renders/batch',
    { renders: 'a' },
    400,
    'renders: must be a list of renders, such as [{"template": "tpl_…"}]',
  ),
  layer({ fontSize: '50' }, 'layers[0].fontSize: must be a number; write 50 without quotes'),
  layer(
    { fontSize: '1.2em' },
    'layers[0].fontSize: must be a number; lengths are numbers of px, or have a unit such as "mm", not "em"',
  ),
  layer({ fontsize: 50 }, 'layers[0]: unknown property "fontsize" in layer "a"; did you mean "fontSize"?'),
  layer(
    { align: 'centre' },
    'layers[0].align: must be one of "start", "end", "left", "right", "center", "justify"; did you mean "center"?',
  ),
  post(
    '/v1/templates',
    { name: 'T', width: 9, height: 9, engine: 'html', html: '<p>Hi</p><script>fill()</script>' },
    201,
    'html, line 1: <script> does not run; to run it, set "script": true.',
  ),
  satori(
    '<iframe></iframe>',
    'html, line 1: <iframe> cannot be drawn with renderer "satori"; change it, or use renderer "chromium".',
  ),
  satori(
    '<p style="columns: 2">Hi</p>',
    'html, line 1: the property columns cannot be drawn with renderer "satori"; change it, or use renderer "chromium".',
  ),
  post(
    '/v1/screenshots',
    { url: 'example.com' },
    400,
    'URL not allowed. It does not begin with https:// or http://; write the whole address, such as https://example.com/a.',
  ),
];

const code = (text: string) => `\`${text.replace(/\|/g, '\\|')}\``;

/** The table as Markdown. */
export function mistakesTable(): string {
  const rows = MISTAKES.map(({ method, path, body, status, says }) => {
    const sent = body === undefined ? '' : ` ${code(typeof body === 'string' ? body : JSON.stringify(body))}`;
    return `| ${code(`${method} ${path}`)}${sent.replace('$TEMPLATE', 'tpl_…')} | ${status} | ${code(says)} |`;
  });
  return ['| request | status | error or warning |', '|---|---|---|', ...rows].join('\n');
}
