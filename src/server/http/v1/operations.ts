// The routes that take an API key or a signature, or nothing: their guards, and their part of the OpenAPI document.
//
// server.ts gives each its handler.

import { MAX_PAGES } from '#core/pages/paginate.ts';
import { CONTENT_TYPE, OUTPUTS, SIGNED_EXTENSIONS } from '#draw/output/formats.ts';
import { ACTIONS } from '#server/service/accounts/audit.ts';
import { SECRET_PURPOSES } from '#server/service/stored-names.ts';
import type { Parameter } from '../openapi/parameters.ts';
import type { ComponentName } from '../openapi/schemas.ts';
import { type Answer, type Operation, operations } from './operation.ts';
import { FileFields } from './renders.ts';

const rendering = operations('Rendering');
const templates = operations('Templates');
const uploads = operations('Uploads');
const account = operations('Account');
const files = operations('Files');
const service = operations('Service');

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
const BRAND_NAME: Parameter = { ...name, description: 'The name of a brand; to read a version, name@3.' };
const BRAND: Parameter = { ...name, description: 'The name of a brand.' };
const UPDATES =
  'Each template gets a new version that differs in this alone; its draft stays as it is. One that cannot be updated has ' +
  'its error in its place. "all" updates up to 100 in one request, and is sent again with `after` until `next` is null.';
const TEMPLATE_ID = id('A template’s id.');
const VERSION: Parameter = {
  name: 'version',
  in: 'query',
  schema: { type: 'integer', minimum: 1 },
  description: 'The version to read; defaults to the latest.',
};
const NOTHING: Answer = { description: 'Done.', content: null };
const ELSEWHERE: Answer = { description: 'Redirect to the file in object storage.', content: null };
const NOT_MODIFIED: Answer = { description: 'Not modified (If-None-Match).', content: null };

const json = (component: ComponentName, description: string): Answer => ({ description, content: { json: component } });
const bytes = (types: readonly string[], description: string): Answer => ({ description, content: { bytes: types } });

const filter = (name: string, words: readonly string[]): Parameter => ({
  name,
  in: 'query',
  schema: { type: 'string', enum: words },
});
const pageOf = (standard: number): readonly Parameter[] => [
  {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: standard },
    description: 'Items of a page.',
  },
  { name: 'after', in: 'query', schema: { type: 'string' }, description: 'Cursor: `next` of the previous page.' },
];

const RENDERED = Object.values(CONTENT_TYPE);
const orFile = (answer: Answer): Answer => ({ ...answer, orFile: RENDERED });
const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'];
const FONTS = ['font/ttf', 'font/otf', 'font/woff', 'font/woff2'];
const UPLOAD = ['application/octet-stream', 'multipart/form-data'];

export const OPERATIONS = {
  createRender: rendering(
    'POST /v1/renders',
    'render',
    'Render a template',
    { 200: orFile(json('RenderAnswer', 'Rendered.')), 202: json('AcceptedAnswer', 'Accepted as a job.') },
    {
      description:
        'With async or a webhookUrl, the request is accepted as a job; otherwise the answer waits for the asset. With response: "bytes", ' +
        'or an Accept header that names a file type, the answer is the file itself. Several sizes, languages or brands ' +
        'of a design give a file for each combination, and the answer is a list as of a batch.',
      idempotent: true,
      completes: true,
      warns: true,
      body: { json: 'RenderRequest' },
      errors: [402, 404],
    },
  ),
  createBatch: rendering(
    'POST /v1/renders/batch',
    'render',
    'Render up to 50 items',
    { 200: json('BatchResult', 'Every item was tried.') },
    {
      description:
        'An item that fails is reported as an error in its place and costs nothing; the other items are not affected.',
      idempotent: true,
      warns: true,
      body: { json: 'BatchRequest' },
    },
  ),
  createMergedBatch: rendering(
    'POST /v1/batches',
    'render',
    'Render many items into one file',
    { 202: json('Batch', 'Accepted: each item is a job.') },
    {
      description:
        'Up to 10,000 items of one stored template, which end in one zip or one PDF. All are charged before the first job begins; ' +
        'an item that fails is left out of the file and costs nothing; its page numbers are then missing. As text/csv the body is the rows, below the names of layers, ' +
        'and the other fields are in the query.',
      query: [
        ...[
          'template',
          'merge',
          'name',
          'nameFrom',
          'numbering',
          'sheet',
          'webhookUrl',
          'metadata',
          'size',
          'lang',
          'brand',
        ],
        ...[...Object.keys(FileFields.shape), 'ignoreUnknown'],
      ],
      idempotent: true,
      completes: true,
      warns: true,
      body: { json: 'MergedBatchRequest', or: ['text/csv'] },
      errors: [402, 404],
    },
  ),
  readMergedBatch: rendering(
    'GET /v1/batches/{id}',
    ['read', 'render'],
    'Get the progress of a batch',
    { 200: json('Batch', 'The current state of the batch.') },
    { parameters: [id('The id of a batch of POST /v1/batches.')] },
  ),
  openMergedBatch: rendering(
    'GET /v1/batches/{id}/file',
    ['read', 'render'],
    'Download the file of a batch',
    { 200: bytes(['application/zip', 'application/pdf'], 'The file, streamed as it is made.') },
    { parameters: [id('The id of a batch of POST /v1/batches.')], errors: [409] },
  ),
  listRenders: rendering(
    'GET /v1/history',
    'read',
    'List renders',
    { 200: json('RenderList', 'One page.') },
    {
      description: 'Renders, screenshots and jobs, newest first, in pages.',
      parameters: [
        filter('status', ['queued', 'processing', 'done', 'error']),
        filter('kind', ['render', 'screenshot']),
        filter('output', OUTPUTS),
        { name: 'template', in: 'query', schema: { type: 'string' }, description: 'The id of a stored template.' },
        { ...filter('warnings', ['true']), description: 'Only renders that have warnings.' },
        ...pageOf(50),
      ],
    },
  ),
  deleteRender: rendering(
    'DELETE /v1/history/{id}',
    'manage-renders',
    'Delete a render',
    { 204: NOTHING },
    {
      description: 'Deletes its file and its request. Usage is not refunded. A job that is still running is refused.',
      parameters: [id('The id of a render or screenshot.')],
      errors: [409],
    },
  ),
  readRender: rendering(
    'GET /v1/renders/{id}',
    ['read', 'render', 'screenshot'],
    'Get a render or job',
    { 200: json('Job', 'The current state of the job.') },
    { parameters: [id('The id of a render or screenshot.')] },
  ),
  createScreenshot: rendering(
    'POST /v1/screenshots',
    'screenshot',
    'Capture a web page',
    { 200: orFile(json('RenderResult', 'Captured.')), 202: json('Accepted', 'Accepted as a job.') },
    {
      description: 'Public pages only: private and internal hosts are refused, also behind a redirect.',
      idempotent: true,
      completes: true,
      warns: true,
      body: { json: 'ScreenshotRequest' },
      errors: [402],
    },
  ),
  renderSigned: rendering(
    'GET /v1/templates/{id}/render.{ext}',
    'signature',
    'Render straight from a signed URL',
    { 200: bytes(RENDERED, 'The file.'), 304: NOT_MODIFIED },
    {
      description:
        'Needs no API key: sig is an HMAC-SHA256 of the template, the extension and the canonical parameters. Every ' +
        'other parameter is a layer, or layer.property; size, lang and brand select a variant of a design, and page a page of a document. The first picture of a variant costs one unit; repeats come from ' +
        'the cache and cost nothing.',
      warns: true,
      parameters: [
        id('A template’s id, or id@3 for a version.'),
        { name: 'ext', in: 'path', schema: { type: 'string', enum: SIGNED_EXTENSIONS }, required: true },
        {
          name: 'sig',
          in: 'query',
          schema: { type: 'string', pattern: '^(\\d{1,12}\\.)?[0-9a-f]{64}$' },
          required: true,
          description: 'Lower-case hex; <unix seconds>. comes first if the URL expires.',
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
        { name: 'size', in: 'query', schema: { type: 'string' }, description: 'A size of the template.' },
        { name: 'lang', in: 'query', schema: { type: 'string' }, description: 'A language of its texts, BCP 47.' },
        { name: 'brand', in: 'query', schema: { type: 'string' }, description: 'A brand in place of its own.' },
        {
          name: 'page',
          in: 'query',
          schema: { type: 'integer', minimum: 1, maximum: MAX_PAGES },
          description: 'Of a document: a picture has the first page, a PDF all of them.',
        },
      ],
      errors: [402, 403],
    },
  ),
  listTemplates: templates(
    'GET /v1/templates',
    'read',
    'List templates',
    { 200: json('TemplateList', 'The account’s templates.') },
    { description: 'Most recently saved first, in pages.', parameters: pageOf(200) },
  ),
  createTemplate: templates(
    'POST /v1/templates',
    'manage-templates',
    'Store a template',
    { 201: json('StoredTemplate', 'Stored, as version 1.') },
    { idempotent: true, warns: true, body: { json: 'Template' }, errors: [402] },
  ),
  readTemplate: templates(
    'GET /v1/templates/{id}',
    'read',
    'Get a template',
    { 200: json('StoredTemplate', 'The document.') },
    {
      parameters: [TEMPLATE_ID, VERSION],
    },
  ),
  replaceTemplate: templates(
    'PUT /v1/templates/{id}',
    'manage-templates',
    'Replace a template',
    { 200: json('StoredTemplate', 'Stored, as a new version.') },
    {
      description: 'Adds a version, which renders use from now on.',
      warns: true,
      parameters: [TEMPLATE_ID],
      body: { json: 'Template' },
      errors: [402],
    },
  ),
  deleteTemplate: templates(
    'DELETE /v1/templates/{id}',
    'manage-templates',
    'Delete a template',
    { 204: NOTHING },
    {
      description: 'Deletes all versions and the cached images of its signed URLs. Stored assets stay.',
      parameters: [TEMPLATE_ID],
    },
  ),
  listVersions: templates(
    'GET /v1/templates/{id}/versions',
    'read',
    'List versions',
    { 200: json('VersionList', 'The template’s versions.') },
    { description: 'Newest first, in pages.', parameters: [TEMPLATE_ID, ...pageOf(200)] },
  ),
  previewTemplate: templates(
    'POST /v1/templates/{id}/preview',
    'render',
    'Preview a template',
    { 200: bytes(RENDERED, 'The file.') },
    {
      description:
        'Returns the file. Previews are not metered, not stored, and limited in rate. Of a document of several pages, the header `platen-pages` says how many it has.',
      warns: true,
      parameters: [TEMPLATE_ID, VERSION],
      body: { json: 'PreviewRequest' },
    },
  ),
  measureTemplate: templates(
    'POST /v1/templates/{id}/layout',
    'render',
    'Measure a template',
    { 200: json('Layout', 'Every layer’s box.') },
    {
      description: 'Where a render would place every layer. Nothing is drawn or metered; limited in rate.',
      warns: true,
      parameters: [TEMPLATE_ID, VERSION],
      body: { json: 'LayoutRequest' },
    },
  ),
  listOutdatedTemplateUses: templates(
    'GET /v1/templates/{id}/outdated-uses',
    'read',
    'List templates that use an older version of a component',
    { 200: json('OutdatedUses', 'One page, by name.') },
    {
      description: 'Templates whose newest version has an older version of this one as a component, by name, in pages.',
      parameters: [TEMPLATE_ID, ...pageOf(50)],
    },
  ),
  updateTemplateUses: templates(
    'POST /v1/templates/{id}/update-uses',
    'manage-templates',
    'Update templates to a component’s newest version',
    { 200: json('UpdatedUses', 'One result per template.') },
    { description: UPDATES, parameters: [TEMPLATE_ID], body: 'UpdateUsesRequest', errors: [409] },
  ),
  listBrands: templates(
    'GET /v1/brands',
    'read',
    'List brands',
    { 200: json('BrandList', 'The account’s brands.') },
    { description: 'By name, in pages.', parameters: pageOf(200) },
  ),
  readBrand: templates(
    'GET /v1/brands/{name}',
    'read',
    'Get a brand',
    { 200: json('StoredBrand', 'The brand.') },
    { description: 'Its colours, text styles, fonts, pictures and numbers.', parameters: [BRAND_NAME] },
  ),
  saveBrand: templates(
    'PUT /v1/brands/{name}',
    'manage-templates',
    'Save a brand',
    { 200: json('StoredBrand', 'Saved, as a new version.') },
    {
      description:
        'Creates the brand, or a new version of it. A template uses the version that was the newest when it was saved.',
      parameters: [BRAND_NAME],
      body: { json: 'BrandRequest' },
      errors: [402],
    },
  ),
  deleteBrand: templates(
    'DELETE /v1/brands/{name}',
    'manage-templates',
    'Delete a brand',
    { 204: NOTHING },
    {
      description: 'No template can be saved with it any more; existing templates keep working.',
      parameters: [BRAND_NAME],
    },
  ),
  listOutdatedBrandUses: templates(
    'GET /v1/brands/{name}/outdated-uses',
    'read',
    'List templates that use an older version of a brand',
    { 200: json('OutdatedUses', 'One page, by name.') },
    {
      description: 'Templates whose newest version uses an older version of the brand, by name, in pages.',
      parameters: [BRAND, ...pageOf(50)],
    },
  ),
  updateBrandUses: templates(
    'POST /v1/brands/{name}/update-uses',
    'manage-templates',
    'Update templates to a brand’s newest version',
    { 200: json('UpdatedUses', 'One result per template.') },
    { description: UPDATES, parameters: [BRAND], body: 'UpdateUsesRequest', errors: [409] },
  ),
  uploadImage: uploads(
    'POST /v1/images',
    'manage-uploads',
    'Upload an image',
    { 201: json('Image', 'Stored.') },
    {
      description:
        'PNG, JPEG, WebP, GIF, AVIF or SVG, or a PDF, at most 15 MiB: as the body, or as the only file of a form.',
      idempotent: true,
      body: { bytes: [...IMAGES, 'image/svg+xml', 'application/pdf', ...UPLOAD] },
      errors: [402],
    },
  ),
  listImages: uploads(
    'GET /v1/images',
    'read',
    'List images',
    { 200: json('ImageList', 'Newest first, in pages.') },
    { parameters: pageOf(200) },
  ),
  readImage: uploads(
    'GET /v1/images/{id}',
    'read',
    'Get an image’s properties',
    { 200: json('Image', 'The image.') },
    { parameters: [id('An image’s id.')] },
  ),
  deleteImage: uploads(
    'DELETE /v1/images/{id}',
    'manage-uploads',
    'Delete an image',
    { 204: NOTHING },
    { parameters: [id('An image’s id.')] },
  ),
  uploadFont: uploads(
    'POST /v1/fonts',
    'manage-uploads',
    'Upload a font',
    { 201: json('Font', 'Stored.') },
    {
      description:
        'TTF, OTF, WOFF or WOFF2, at most 5 MiB. Its family is available to the account’s own templates. Files of one ' +
        'family, weight and style are joined: each gives the characters that it has, and the newest those that several have.',
      parameters: [
        {
          name: 'family',
          in: 'query',
          schema: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9 _-]+$' },
          description: 'The name that templates use for it. Default: the name in the file.',
        },
      ],
      idempotent: true,
      body: { bytes: [...FONTS, ...UPLOAD] },
      errors: [402, 409],
    },
  ),
  listFonts: uploads('GET /v1/fonts', 'read', 'List fonts', { 200: json('FontList', 'Newest first.') }),
  deleteFont: uploads(
    'DELETE /v1/fonts/{id}',
    'manage-uploads',
    'Delete a font',
    { 204: NOTHING },
    { parameters: [id('A font’s id.')] },
  ),
  readAccount: account(
    'GET /v1/account',
    'key',
    'Get the account',
    { 200: json('Account', 'The account that owns the key.') },
    { description: 'The simplest way to check a key.' },
  ),
  exportAccount: account(
    'GET /v1/account/export',
    'manage-account',
    'Export everything that is stored',
    { 200: bytes(['application/zip'], 'A zip, streamed as it is made.') },
    {
      description:
        'Templates with their versions, brands, images, fonts, renders with their files, people, usage and the audit log: JSON, and the ' +
        'files as they are. It holds no secrets, and names what is damaged or gone in its last file, export.json.',
      evenSuspended: true,
    },
  ),
  suspendAccount: account(
    'POST /v1/account/suspend',
    'manage-account',
    'Suspend the account',
    { 204: NOTHING },
    {
      description:
        'Keys, people, signed URLs, embedded editors and public files are answered 403 from the next request on. Jobs and webhooks wait, ' +
        'and nothing is deleted.',
      evenSuspended: true,
    },
  ),
  resumeAccount: account(
    'POST /v1/account/resume',
    'manage-account',
    'Resume the account',
    { 204: NOTHING },
    { description: 'Refused if the server’s administrator suspended it.', evenSuspended: true },
  ),
  deleteAccount: account(
    'POST /v1/account/delete',
    'manage-account',
    'Delete the account and everything it stores',
    { 204: NOTHING },
    {
      description: 'Everybody loses access at once. Rows and files are erased within minutes, which cannot be undone.',
      errors: [409],
      evenSuspended: true,
    },
  ),
  readUsage: account('GET /v1/usage', 'read', 'Get this month’s usage, and what is stored', {
    200: json('Usage', 'This month so far.'),
  }),
  listAudit: account(
    'GET /v1/audit',
    'read-audit',
    'List the audit log',
    { 200: json('AuditList', 'One page.') },
    {
      description: 'Newest first, in pages. The key’s scope must contain the right read-audit.',
      parameters: [
        { name: 'actor', in: 'query', schema: { type: 'string' }, description: 'The id of a person or an API key.' },
        filter('action', ACTIONS),
        ...pageOf(50),
      ],
    },
  ),
  listSecrets: account(
    'GET /v1/secrets',
    'manage-secrets',
    'List the signing secrets',
    { 200: json('SecretList', 'One of each purpose.') },
    {
      description:
        'The secrets that sign render URLs and webhooks, by their last characters. The key’s scope must contain the right manage-secrets.',
    },
  ),
  showSecret: account(
    'POST /v1/secrets/{purpose}/show',
    'manage-secrets',
    'Show a secret',
    { 200: json('Secret', 'The secret.') },
    { description: 'Shows the newest one, and records that in the audit log.', parameters: [PURPOSE] },
  ),
  rotateSecret: account(
    'POST /v1/secrets/{purpose}/rotate',
    'manage-secrets',
    'Create a new secret',
    { 200: json('Secret', 'The new secret.') },
    {
      description:
        'The new secret signs from now on. Signatures made with older secrets stay valid until those are retired.',
      parameters: [PURPOSE],
    },
  ),
  retireSecrets: account(
    'POST /v1/secrets/{purpose}/retire',
    'manage-secrets',
    'Retire all but the newest secret',
    { 200: json('RetiredSecrets', 'How many were retired.') },
    { parameters: [PURPOSE] },
  ),
  revokeEditorTokens: account(
    'POST /v1/editor-tokens/revoke',
    'manage-secrets',
    'Revoke tokens of embedded editors',
    { 200: json('RevokedEditorTokens', 'They are refused from now on.') },
    {
      description:
        'Revokes tokens of one user or of all, issued until now or before a given time; for example when somebody signs out.',
      body: { json: 'EditorTokenRevocation' },
    },
  ),
  openAsset: files(
    'GET /assets/{name}',
    'open',
    'Open a stored asset',
    {
      200: bytes(RENDERED, 'The file; it never changes.'),
      206: bytes(RENDERED, 'The requested range.'),
      302: ELSEWHERE,
      304: NOT_MODIFIED,
    },
    { parameters: [name], errors: [403, 416] },
  ),
  openImage: files(
    'GET /images/{name}',
    'open',
    'Open an uploaded image',
    {
      200: bytes(IMAGES, 'The file.'),
      206: bytes(IMAGES, 'The requested range.'),
      302: ELSEWHERE,
      304: NOT_MODIFIED,
    },
    { description: 'SVG images are drawn by templates, but never served.', parameters: [name], errors: [403, 416] },
  ),
  readContract: service('GET /v1/openapi.json', 'open', 'Get the OpenAPI document of the API for keys', {
    200: { description: 'OpenAPI 3.1.0.', content: { object: { openapi: '3.1.0' } } },
  }),
  readStudioContract: service('GET /v1/openapi-studio.json', 'open', 'Get the OpenAPI document of the studio’s API', {
    200: { description: 'OpenAPI 3.1.0.', content: { object: { openapi: '3.1.0' } } },
  }),
  readTemplateSchema: service('GET /v1/schema/template.json', 'open', 'Get the JSON Schema of templates', {
    200: {
      description: 'JSON Schema 2020-12.',
      content: { object: { $schema: 'https://json-schema.org/draft/2020-12/schema' } },
    },
  }),
  readHealth: service('GET /healthz', 'open', 'Check that the process runs', {
    200: json('Health', 'The process is running.'),
  }),
  readReadiness: service(
    'GET /readyz',
    'open',
    'Check that requests may be sent here',
    { 200: json('Health', 'Ready for traffic.') },
    {
      description:
        '503 once the server is stopping, while its database cannot be reached, and while it cannot draw or store anything.',
    },
  ),
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof OPERATIONS;
