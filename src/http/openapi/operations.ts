// Table of all endpoints: their requests, answers and statuses. The OpenAPI document is built from it.

import { CONTENT_TYPE, EXTENSIONS, OUTPUTS } from '#output/formats.ts';
import { ACTIONS } from '#service/audit.ts';
import { SECRET_PURPOSES } from '#service/studio-names.ts';
import type { ComponentName } from './schemas.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: JsonSchema;
  readonly required?: boolean;
  readonly description?: string;
}

/** A body: a component as JSON, bytes of these media types, or a JSON object with this example. */
export type Content =
  | { readonly json: ComponentName }
  | { readonly bytes: readonly string[] }
  | { readonly object: JsonSchema };

export interface Answer {
  readonly description: string;
  /** Null without a body. */
  readonly content: Content | null;
  /** Media types of the file that may be the answer instead of JSON. */
  readonly orFile?: readonly string[];
}

export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Whether it needs no API key. */
  readonly open?: boolean;
  /** Whether its errors are plain text instead of JSON. */
  readonly textErrors?: boolean;
  /** Whether it may carry an Idempotency-Key. */
  readonly idempotent?: boolean;
  /** Whether a job that it begins ends in a webhook. */
  readonly completes?: boolean;
  /** Whether the answer may have a header `platen-warnings`. */
  readonly warns?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly body?: Content;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Statuses of the operation's own errors; 401, 422, 429, 500 and 503 are added where they can occur. */
  readonly errors: readonly (400 | 401 | 402 | 403 | 404 | 409 | 412 | 413 | 416 | 428)[];
  /** For operations of the studio: whether a session is needed. Absent for operations of /v1. */
  readonly session?: 'needed' | 'none';
  /** Whether it changes the revision given by `If-Match`. */
  readonly ifMatch?: boolean;
}

export const TAGS = {
  Rendering: 'Templates and web pages to pictures and documents.',
  Templates: 'The documents that are rendered. Each save makes a version that never changes.',
  Uploads: 'Images and fonts of the account’s own.',
  Account: 'Whose key it is, and what was used.',
  Files: 'What was rendered or uploaded, at its public address.',
  Service: 'About the service itself.',
  Studio: 'What the studio does for people who are signed in: with a session, never with an API key.',
} as const;
export type Tag = keyof typeof TAGS;

const id = (what: string): Parameter => ({
  name: 'id',
  in: 'path',
  schema: { type: 'string' },
  required: true,
  description: what,
});
const PURPOSE: Parameter = {
  name: 'purpose',
  in: 'path',
  schema: { type: 'string', enum: SECRET_PURPOSES },
  required: true,
  description: 'What it signs: render URLs, or webhooks.',
};
const name: Parameter = { name: 'name', in: 'path', schema: { type: 'string' }, required: true };
const TEMPLATE_ID = id('A template’s id.');
const NOTHING: Answer = { description: 'Done.', content: null };
const ELSEWHERE: Answer = { description: 'The client is to fetch it from the bucket.', content: null };
const NOT_MODIFIED: Answer = { description: 'The client holds it already (If-None-Match).', content: null };

const json = (component: ComponentName, description: string): Answer => ({ description, content: { json: component } });
const bytes = (types: readonly string[], description: string): Answer => ({ description, content: { bytes: types } });

const filter = (name: string, words: readonly string[]): Parameter => ({
  name,
  in: 'query',
  schema: { type: 'string', enum: words },
});
const PAGE: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    description: 'Items of a page.',
  },
  { name: 'after', in: 'query', schema: { type: 'string' }, description: 'What the page before said as next.' },
];

const RENDERED = Object.values(CONTENT_TYPE);
const orFile = (answer: Answer): Answer => ({ ...answer, orFile: RENDERED });
const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'];
const FONTS = ['font/ttf', 'font/otf', 'font/woff', 'font/woff2'];
const UPLOAD = ['application/octet-stream', 'multipart/form-data'];

export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/renders',
    id: 'createRender',
    tag: 'Rendering',
    summary: 'Render a template',
    description:
      'With async or a webhookUrl it is accepted as a job; else the answer waits for the asset. With response: "bytes", ' +
      'or a header Accept that names a file type, the answer is the file.',
    idempotent: true,
    completes: true,
    warns: true,
    body: { json: 'RenderRequest' },
    answers: { 200: orFile(json('RenderResult', 'Rendered.')), 202: json('Accepted', 'Accepted as a job.') },
    errors: [400, 402, 404, 413],
  },
  {
    method: 'post',
    path: '/v1/renders/batch',
    id: 'createBatch',
    tag: 'Rendering',
    summary: 'Render up to 50 items',
    description: 'An item that fails is an error in its place, and costs nothing; the others are not touched by it.',
    idempotent: true,
    warns: true,
    body: { json: 'BatchRequest' },
    answers: { 200: json('BatchResult', 'Every item was tried.') },
    errors: [400, 413],
  },
  {
    method: 'get',
    path: '/v1/history',
    id: 'listRenders',
    tag: 'Rendering',
    summary: 'List renders',
    description: 'Renders, screenshots and jobs, newest first, in pages.',
    parameters: [
      filter('status', ['queued', 'processing', 'done', 'error']),
      filter('kind', ['render', 'screenshot']),
      filter('output', OUTPUTS),
      { name: 'template', in: 'query', schema: { type: 'string' }, description: 'The id of a stored template.' },
      { ...filter('warnings', ['true']), description: 'Only renders that have warnings.' },
      ...PAGE,
    ],
    answers: { 200: json('RenderList', 'One page.') },
    errors: [400],
  },
  {
    method: 'delete',
    path: '/v1/history/{id}',
    id: 'deleteRender',
    tag: 'Rendering',
    summary: 'Delete a render',
    description: 'With its file and what was asked for. It stays counted. A job that is not over yet is refused.',
    parameters: [id('The id of a render or screenshot.')],
    answers: { 204: NOTHING },
    errors: [404, 409],
  },
  {
    method: 'get',
    path: '/v1/renders/{id}',
    id: 'readRender',
    tag: 'Rendering',
    summary: 'Poll a job',
    parameters: [id('The id of a render or screenshot.')],
    answers: { 200: json('Job', 'The job as it stands.') },
    errors: [404],
  },
  {
    method: 'post',
    path: '/v1/screenshots',
    id: 'createScreenshot',
    tag: 'Rendering',
    summary: 'Capture a web page',
    description: 'Of the public web alone: a private or internal host is refused, also behind a redirect.',
    idempotent: true,
    completes: true,
    warns: true,
    body: { json: 'ScreenshotRequest' },
    answers: { 200: orFile(json('RenderResult', 'Captured.')), 202: json('Accepted', 'Accepted as a job.') },
    errors: [400, 402, 413],
  },
  {
    method: 'get',
    path: '/v1/templates/{id}/render.{ext}',
    id: 'renderSigned',
    tag: 'Rendering',
    summary: 'Render straight from a signed URL',
    description:
      'Needs no API key: sig is an HMAC-SHA256 of the template, the extension and the canonical parameters. ' +
      'Every other parameter is a layer, or layer.property. The first picture of a variant costs one unit; repeats ' +
      'come from the cache and cost nothing.',
    open: true,
    textErrors: true,
    warns: true,
    parameters: [
      id('A template’s id, or id@3 for a version.'),
      { name: 'ext', in: 'path', schema: { type: 'string', enum: Object.keys(EXTENSIONS) }, required: true },
      {
        name: 'sig',
        in: 'query',
        schema: { type: 'string', pattern: '^(\\d{1,12}\\.)?[0-9a-f]{64}$' },
        required: true,
        description: 'Lower-case hex, after <unix seconds>. where the URL ends.',
      },
      {
        name: 'scale',
        in: 'query',
        schema: { type: 'number', minimum: 0.1, maximum: 3, default: 1 },
        description: 'Device px per canvas px.',
      },
      {
        name: 'q',
        in: 'query',
        schema: { type: 'integer', minimum: 0, maximum: 100, default: 80 },
        description: 'JPEG and WebP quality.',
      },
    ],
    answers: { 200: bytes(RENDERED, 'The file.'), 304: NOT_MODIFIED },
    errors: [400, 402, 403, 404],
  },
  {
    method: 'get',
    path: '/v1/templates',
    id: 'listTemplates',
    tag: 'Templates',
    summary: 'List templates',
    description: 'Most recently saved first, at most 200.',
    answers: { 200: json('TemplateList', 'The account’s templates.') },
    errors: [],
  },
  {
    method: 'post',
    path: '/v1/templates',
    id: 'createTemplate',
    tag: 'Templates',
    summary: 'Store a template',
    idempotent: true,
    warns: true,
    body: { json: 'Template' },
    answers: { 201: json('StoredTemplate', 'Stored, as version 1.') },
    errors: [400, 402, 413],
  },
  {
    method: 'get',
    path: '/v1/templates/{id}',
    id: 'readTemplate',
    tag: 'Templates',
    summary: 'Read a template',
    parameters: [
      TEMPLATE_ID,
      { name: 'version', in: 'query', schema: { type: 'integer', minimum: 1 }, description: 'Else the newest.' },
    ],
    answers: { 200: json('StoredTemplate', 'The document.') },
    errors: [400, 404],
  },
  {
    method: 'put',
    path: '/v1/templates/{id}',
    id: 'replaceTemplate',
    tag: 'Templates',
    summary: 'Replace a template',
    description: 'Adds a version, which renders use from now on.',
    warns: true,
    parameters: [TEMPLATE_ID],
    body: { json: 'Template' },
    answers: { 200: json('StoredTemplate', 'Stored, as a new version.') },
    errors: [400, 402, 404, 413],
  },
  {
    method: 'delete',
    path: '/v1/templates/{id}',
    id: 'deleteTemplate',
    tag: 'Templates',
    summary: 'Delete a template',
    description: 'With all its versions, and what its signed URLs had shown. Stored assets stay.',
    parameters: [TEMPLATE_ID],
    answers: { 204: NOTHING },
    errors: [404],
  },
  {
    method: 'get',
    path: '/v1/templates/{id}/versions',
    id: 'listVersions',
    tag: 'Templates',
    summary: 'List versions',
    parameters: [TEMPLATE_ID],
    answers: { 200: json('VersionList', 'Newest first.') },
    errors: [404],
  },
  {
    method: 'post',
    path: '/v1/templates/{id}/preview',
    id: 'previewTemplate',
    tag: 'Templates',
    summary: 'Preview a template',
    description: 'The bytes themselves: unmetered, kept nowhere, limited in rate.',
    warns: true,
    parameters: [
      TEMPLATE_ID,
      { name: 'version', in: 'query', schema: { type: 'integer', minimum: 1 }, description: 'Else the newest.' },
    ],
    body: { json: 'PreviewRequest' },
    answers: { 200: bytes(RENDERED, 'The file.') },
    errors: [400, 404, 413],
  },
  {
    method: 'post',
    path: '/v1/templates/{id}/layout',
    id: 'measureTemplate',
    tag: 'Templates',
    summary: 'Measure a template',
    description: 'Where a render would put every layer: unmetered, nothing drawn, limited in rate.',
    warns: true,
    parameters: [
      TEMPLATE_ID,
      { name: 'version', in: 'query', schema: { type: 'integer', minimum: 1 }, description: 'Else the newest.' },
    ],
    body: { json: 'LayoutRequest' },
    answers: { 200: json('Layout', 'Every layer’s box.') },
    errors: [400, 404, 413],
  },
  {
    method: 'post',
    path: '/v1/images',
    id: 'uploadImage',
    tag: 'Uploads',
    summary: 'Upload an image',
    description: 'PNG, JPEG, WebP, GIF, AVIF or SVG, at most 15 MiB: as the body, or as the one file of a form.',
    idempotent: true,
    body: { bytes: [...IMAGES, 'image/svg+xml', ...UPLOAD] },
    answers: { 201: json('Image', 'Kept.') },
    errors: [400, 402, 413],
  },
  {
    method: 'get',
    path: '/v1/images',
    id: 'listImages',
    tag: 'Uploads',
    summary: 'List images',
    answers: { 200: json('ImageList', 'Newest first, at most 200.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/v1/images/{id}',
    id: 'readImage',
    tag: 'Uploads',
    summary: 'Read what is known of an image',
    parameters: [id('An image’s id.')],
    answers: { 200: json('Image', 'The image.') },
    errors: [404],
  },
  {
    method: 'delete',
    path: '/v1/images/{id}',
    id: 'deleteImage',
    tag: 'Uploads',
    summary: 'Delete an image',
    parameters: [id('An image’s id.')],
    answers: { 204: NOTHING },
    errors: [404],
  },
  {
    method: 'post',
    path: '/v1/fonts',
    id: 'uploadFont',
    tag: 'Uploads',
    summary: 'Upload a font',
    description: 'TTF, OTF, WOFF or WOFF2, at most 5 MiB. Its family is for the account’s own templates.',
    idempotent: true,
    body: { bytes: [...FONTS, ...UPLOAD] },
    answers: { 201: json('Font', 'Kept.') },
    errors: [400, 402, 409, 413],
  },
  {
    method: 'get',
    path: '/v1/fonts',
    id: 'listFonts',
    tag: 'Uploads',
    summary: 'List fonts',
    answers: { 200: json('FontList', 'Newest first.') },
    errors: [],
  },
  {
    method: 'delete',
    path: '/v1/fonts/{id}',
    id: 'deleteFont',
    tag: 'Uploads',
    summary: 'Delete a font',
    parameters: [id('A font’s id.')],
    answers: { 204: NOTHING },
    errors: [404],
  },
  {
    method: 'get',
    path: '/v1/account',
    id: 'readAccount',
    tag: 'Account',
    summary: 'Read the account',
    description: 'The simplest way to check a key.',
    answers: { 200: json('Account', 'Whose key it is.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/v1/usage',
    id: 'readUsage',
    tag: 'Account',
    summary: 'Read what was used this month',
    answers: { 200: json('Usage', 'This month so far.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/v1/audit',
    id: 'listAudit',
    tag: 'Account',
    summary: 'List who did what',
    description: 'The audit log, newest first, in pages. It takes a key that names the right read-audit in its scope.',
    parameters: [
      { name: 'actor', in: 'query', schema: { type: 'string' }, description: 'The id of a person or an API key.' },
      filter('action', ACTIONS),
      ...PAGE,
    ],
    answers: { 200: json('AuditList', 'One page.') },
    errors: [400],
  },
  {
    method: 'get',
    path: '/v1/secrets',
    id: 'listSecrets',
    tag: 'Account',
    summary: 'List the secrets that sign',
    description:
      'What signs render URLs and webhooks, by its last characters. Requests about secrets take a key that names the right manage-secrets in its scope.',
    answers: { 200: json('SecretList', 'One of each purpose.') },
    errors: [],
  },
  {
    method: 'post',
    path: '/v1/secrets/{purpose}/show',
    id: 'showSecret',
    tag: 'Account',
    summary: 'Show a secret',
    description: 'The newest one. The audit log records that it was shown.',
    parameters: [PURPOSE],
    answers: { 200: json('Secret', 'The secret.') },
    errors: [404],
  },
  {
    method: 'post',
    path: '/v1/secrets/{purpose}/rotate',
    id: 'rotateSecret',
    tag: 'Account',
    summary: 'Make a new secret',
    description: 'It signs from now on. Signatures of older ones are accepted until these are retired.',
    parameters: [PURPOSE],
    answers: { 200: json('Secret', 'The new secret.') },
    errors: [404],
  },
  {
    method: 'post',
    path: '/v1/secrets/{purpose}/retire',
    id: 'retireSecrets',
    tag: 'Account',
    summary: 'Accept the newest secret alone',
    parameters: [PURPOSE],
    answers: { 200: json('RetiredSecrets', 'How many were retired.') },
    errors: [404],
  },
  {
    method: 'get',
    path: '/assets/{name}',
    id: 'openAsset',
    tag: 'Files',
    summary: 'Open a stored asset',
    open: true,
    parameters: [name],
    answers: {
      200: bytes(RENDERED, 'The file; it never changes.'),
      206: bytes(RENDERED, 'The range of it that was asked for.'),
      302: ELSEWHERE,
      304: NOT_MODIFIED,
    },
    errors: [404, 416],
  },
  {
    method: 'get',
    path: '/images/{name}',
    id: 'openImage',
    tag: 'Files',
    summary: 'Open an uploaded image',
    description: 'An SVG is drawn by templates, but never handed out.',
    open: true,
    parameters: [name],
    answers: {
      200: bytes(IMAGES, 'The file.'),
      206: bytes(IMAGES, 'The range of it that was asked for.'),
      302: ELSEWHERE,
      304: NOT_MODIFIED,
    },
    errors: [404, 416],
  },
  {
    method: 'get',
    path: '/v1/openapi.json',
    id: 'readContract',
    tag: 'Service',
    summary: 'This document',
    open: true,
    answers: { 200: { description: 'OpenAPI 3.1.0.', content: { object: { openapi: '3.1.0' } } } },
    errors: [],
  },
  {
    method: 'get',
    path: '/v1/schema/template.json',
    id: 'readTemplateSchema',
    tag: 'Service',
    summary: 'The JSON Schema of templates',
    open: true,
    answers: {
      200: {
        description: 'JSON Schema 2020-12.',
        content: { object: { $schema: 'https://json-schema.org/draft/2020-12/schema' } },
      },
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'readHealth',
    tag: 'Service',
    summary: 'Whether the process runs',
    open: true,
    answers: { 200: json('Health', 'It does.') },
    errors: [],
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'readReadiness',
    tag: 'Service',
    summary: 'Whether requests should be sent here',
    description: '503 once the server is told to stop, or while its database cannot be reached.',
    open: true,
    answers: { 200: json('Health', 'They should.') },
    errors: [],
  },
];
