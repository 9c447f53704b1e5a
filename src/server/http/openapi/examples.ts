// Examples of the contract: one for each request, answer and error.

import { STORED, STUDIO_EXAMPLES } from '../studio/examples.ts';
import type { ComponentName } from './schemas.ts';

const RENDER = 'rnd_4hXq0Zk2mB7tYw9sLc3vNf';
const TEMPLATE = 'tpl_2Vb8nQe5rT1yUi6oPa9sDf';
const RESULT = { id: RENDER, url: `https://img.example.com/assets/${RENDER}.png`, output: 'png' };
const IMAGE = {
  id: 'img_7Kd2mXr9tQe4wZp1sLc6vN',
  url: 'https://img.example.com/images/img_7Kd2mXr9tQe4wZp1sLc6vN.png',
  width: 512,
  height: 512,
  format: 'png',
};
const FONT = { id: 'fnt_5Tg8yHb3nJm6kLp0qWs2Ed', family: 'Acme Sans', weight: 700, style: 'normal', axes: {} };
const DOCUMENT = {
  name: 'Launch card',
  width: 1200,
  height: 630,
  background: '#0b1020',
  layers: [
    { name: 'title', type: 'text', text: 'Hello', x: 64, y: 64, width: 1072, fontSize: 72, color: '#fff' },
    { name: 'photo', type: 'image', src: 'https://example.com/a.jpg', x: 64, y: 200, width: 1072, height: 366 },
  ],
};
const MODIFICATIONS = { title: 'Hello, 世界', photo: 'https://example.com/b.jpg' };

const BRAND = {
  colors: { primary: '#1d4ed8' },
  textStyles: { headline: { fontFamily: 'Inter', fontSize: 64, fontWeight: 800 } },
  fonts: { display: 'Bricolage Grotesque' },
  images: { logo: 'https://example.com/logo.png' },
  numbers: { radius: 12 },
};

/** By the schema of the body. */
export const BODY_EXAMPLES: Partial<Record<ComponentName, unknown>> = {
  RenderRequest: { template: TEMPLATE, modifications: MODIFICATIONS, output: 'png' },
  BatchRequest: { template: TEMPLATE, output: 'jpeg', items: [{ title: 'One' }, { title: 'Two' }] },
  MergedBatchRequest: {
    template: TEMPLATE,
    merge: 'pdf',
    nameFrom: 'title',
    items: [{ title: 'Ada' }, { title: 'Grace' }],
  },
  ScreenshotRequest: { url: 'https://example.com/', width: 1200, height: 630, fullPage: false },
  PreviewRequest: { modifications: MODIFICATIONS, output: 'webp' },
  LayoutRequest: { modifications: MODIFICATIONS },
  StoredBrand: { name: 'acme', version: 2, ...BRAND },
  BrandList: { brands: [{ name: 'acme', version: 2, updated_at: '2026-11-22T10:00:00.000Z' }] },
  BrandRequest: BRAND,
  OutdatedUses: {
    newest: 3,
    total: 1,
    templates: [{ id: TEMPLATE, name: 'Launch card', version: 4, used: 2 }],
    next: null,
  },
  UpdateUsesRequest: { templates: [`${TEMPLATE}@4`], version: 3 },
  UpdatedUses: { newest: 3, results: [{ id: TEMPLATE, version: 5 }], count: 1, ok: 1, next: null },
  Template: DOCUMENT,
  RenderResult: RESULT,
  RenderAnswer: RESULT,
  AcceptedAnswer: { id: RENDER, status: 'queued' },
  Accepted: { id: RENDER, status: 'queued' },
  Job: {
    id: RENDER,
    status: 'done',
    kind: 'render',
    result: RESULT,
    error: null,
    created_at: '2026-11-22T10:00:00.000Z',
  },
  BatchResult: {
    results: [RESULT, { error: 'modifications.title.fontSize: must be at least 1' }],
    count: 2,
    ok: 1,
  },
  Batch: {
    ...{ id: 'blk_8Hn2kQe5rT1yUi6oPa9sDf', template: TEMPLATE, name: null, merge: 'pdf' },
    ...{ count: 2, done: 2, warned: 0, failed: 0, errors: [] },
    file: 'https://img.example.com/v1/batches/blk_8Hn2kQe5rT1yUi6oPa9sDf/file',
    created_at: '2026-11-22T10:00:00.000Z',
  },
  RenderList: {
    renders: [
      {
        ...{ id: RENDER, status: 'done', kind: 'render', output: 'png', result: RESULT, error: null, size: 20_480 },
        template: { id: TEMPLATE, version: 3 },
        page: null,
        metadata: { order: 'A-1042' },
        warnings: ['The template has no layer "titel"; did you mean "title"?'],
        created_at: '2026-11-22T10:00:00.000Z',
        finished_at: '2026-11-22T10:00:00.040Z',
      },
    ],
    next: null,
  },
  CompletionEvent: { id: RENDER, status: 'done', result: RESULT, error: null },
  TemplateList: { templates: [{ id: TEMPLATE, name: 'Launch card', width: 1200, height: 630, engine: 'layers' }] },
  StoredTemplate: { id: TEMPLATE, version: 3, engine: 'layers', ...DOCUMENT },
  VersionList: { versions: [{ version: 1, created_at: '2026-11-22T10:00:00.000Z' }] },
  Layout: {
    width: 1200,
    height: 630,
    layers: [{ name: 'photo', frame: null, x: 64, y: 200, width: 1072, height: 366 }],
  },
  Image: IMAGE,
  ImageList: { images: [IMAGE] },
  Font: FONT,
  FontList: { fonts: [FONT] },
  Account: { plan: 'free', email: 'ada@example.com', display_name: 'Ada' },
  AuditList: {
    entries: [
      {
        ...{ id: '42', actor: { kind: 'person', id: 'per_8Hn2kQe5rT1yUi6oPa9sDf', name: 'Ada' }, action: 'key.revoke' },
        ...{ subject: { id: 'key_8Hn2kQe5rT1yUi6oPa9sDf', name: 'Deploy' }, detail: 'live', request_id: 'req_1' },
        created_at: '2026-11-22T10:00:00.000Z',
      },
    ],
    next: null,
  },
  SecretList: {
    secrets: [{ purpose: 'webhook', last_four: 'MjM=', created_at: '2026-11-22T10:00:00.000Z', previous: 0 }],
  },
  Secret: { secret: 'whsec_…' },
  RetiredSecrets: { retired: 1 },
  EditorTokenRevocation: { user: 'user-42' },
  RevokedEditorTokens: { before: '2026-11-22T10:00:00.000Z' },
  Usage: {
    plan: 'free',
    period: '2026-11',
    quota: 100,
    used: 12,
    overage: 0,
    stored: STORED,
  },
  Health: { status: 'ok' },
  ...STUDIO_EXAMPLES,
};

/** A message for each status, for operations without their own. */
export const ERROR_EXAMPLES: Readonly<Record<number, string>> = {
  400: 'modifications.title.fontSize: must be at least 1',
  401: 'invalid or revoked API key',
  402: 'The 100 renders a month of the plan "free" are used up; upgrade to continue.',
  403: 'This URL has no valid signature.',
  404: `Template "${TEMPLATE}" not found.`,
  409: 'A font of this family, weight and style is there already.',
  413: 'The body is too large; at most 4 MiB are taken.',
  416: 'The file has 4096 bytes; ask for a range within them.',
  422: 'This Idempotency-Key was used for another request; take a new one.',
  429: 'Too many requests; try again in 3 s.',
  500: 'Something went wrong on our side.',
  503: 'The server is overloaded; try again in 5 s.',
};

/** The 403 of a key that is limited to certain rights. */
export const BEYOND_SCOPE = 'This needs a key with the right "render"; the rights of this key: read.';

const SUSPENDED = { 403: 'This account is suspended: an owner can resume it, under Settings in the studio.' };

/** Messages of an operation's own errors, by operation id. */
export const OPERATION_ERRORS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  readAccount: SUSPENDED,
  openAsset: SUSPENDED,
  openImage: SUSPENDED,
  deleteAccount: { 409: 'This is the oldest account, and the owners of the oldest are the operators of this server.' },
  createRender: { 400: 'templateId is required.' },
  createBatch: { 400: 'Batch too large (51); max 50.' },
  createMergedBatch: { 400: 'items[3].title.fontSize: must be at least 1' },
  readMergedBatch: { 404: 'batch not found' },
  openMergedBatch: { 404: 'batch not found', 409: 'There is no file yet: 12 of 40 rows are over.' },
  readRender: { 404: 'job not found' },
  listRenders: { 400: 'status: must be one of "queued", "processing", "done", "error"' },
  deleteRender: { 404: 'render not found', 409: 'This job is not over yet; wait for its end, then delete it.' },
  createScreenshot: { 400: 'URL not allowed.' },
  createTemplate: { 400: 'layers[0].fontSize: must be at least 1' },
  replaceTemplate: { 400: 'layers[0].fontSize: must be at least 1' },
  uploadImage: { 400: 'The PNG file is damaged.' },
  uploadFont: { 400: 'This is not a font file.' },
};
