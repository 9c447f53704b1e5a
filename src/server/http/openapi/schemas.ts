// Schemas of the API's requests and answers: the components of its OpenAPI document.
//
// Requests use the same schemas that parse them. Answers are strict: they have no fields beyond those listed here.

import { z } from 'zod';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { LayersTemplate } from '#core/template/template.ts';
import { Brand } from '#design/brand.ts';
import { OUTPUTS } from '#draw/output/formats.ts';
import { ARCHIVES, MAX_BATCH_ROWS } from '#server/service/jobs/batches.ts';
import { ScreenshotBody } from '#server/service/pages/screenshot-options.ts';
import { SECRET_PURPOSES } from '#server/service/stored-names.ts';
import { AUDIT_FIELDS, STUDIO_ANSWERS, STUDIO_REQUESTS, StorageUse } from '../studio/schemas.ts';
import { EditorTokenRevocation, RevokedEditorTokens } from '../v1/account.ts';
import { MergeFields } from '../v1/batches.ts';
import { ChoiceFields, SeveralFields } from '../v1/choices.ts';
import { OutdatedUses, UpdatedUses, UpdateUsesRequest } from '../v1/outdated-uses.ts';
import { Delivery, FileFields, MetadataField, OutputField } from '../v1/renders.ts';

const Output = z.enum(OUTPUTS);
const NAMES = { job: 'rnd_4hXq0Zk2mB7tYw9sLc3vNf', template: 'tpl_2Vb8nQe5rT1yUi6oPa9sDf' } as const;
const Pixels = z.int().min(1);

const ErrorBody = z
  .strictObject({ error: z.string().meta({ examples: ['templateId is required.'] }) })
  .meta({ description: 'One sentence that says what was wrong and how to correct it.' });

const Given = MetadataField.optional().meta({ description: 'As given with the request; absent otherwise.' });

const SomeWarnings = z
  .array(z.string())
  .optional()
  .meta({ description: 'Warnings about the render: at most 20 sentences and 2 KiB; omitted when there are none.' });

const RenderResult = z
  .strictObject({
    id: z.string().meta({ description: 'The render; also the asset’s name.', examples: [NAMES.job] }),
    url: z.url().meta({ description: 'The public address of the asset.' }),
    output: Output,
    ...ChoiceFields.shape,
    metadata: Given,
  })
  .meta({ description: 'A stored asset, with what the request chose of a design.' });

const Accepted = z
  .strictObject({
    id: z.string().meta({ description: 'Poll it at /v1/renders/{id}.', examples: [NAMES.job] }),
    status: z.literal('queued'),
    ...ChoiceFields.shape,
    metadata: Given,
  })
  .meta({ description: 'The job was accepted and is durable.' });

const Job = z
  .strictObject({
    id: z.string(),
    status: z.enum(['queued', 'processing', 'done', 'error']),
    kind: z.enum(['render', 'screenshot']),
    result: RenderResult.nullable().meta({ description: 'Present once status is done.' }),
    error: z.string().nullable().meta({ description: 'Present once status is error.' }),
    created_at: z.iso.datetime().nullable(),
    metadata: Given,
    warnings: SomeWarnings,
  })
  .meta({ description: 'A render or screenshot, finished or in progress.' });

const ListedRender = z.strictObject({
  id: z.string(),
  status: z.enum(['queued', 'processing', 'done', 'error']),
  kind: z.enum(['render', 'screenshot']),
  output: Output,
  result: RenderResult.nullable().meta({ description: 'The asset, until its file expires.' }),
  error: z.string().nullable(),
  size: z.int().nullable().meta({ description: 'Of the file, bytes.' }),
  template: z
    .strictObject({ id: z.string(), version: z.int().min(1).nullable() })
    .nullable()
    .meta({ description: 'Its id is inline@<digest>, without a version, where the template came with the request.' }),
  page: z.string().nullable().meta({ description: 'Of a screenshot: the page, without its query.' }),
  metadata: MetadataField.nullable(),
  warnings: z.array(z.string()).meta({ description: 'Its warnings: at most 20 sentences and 2 KiB.' }),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
});
const RenderList = z.strictObject({
  renders: z.array(ListedRender).max(200),
  next: z.string().nullable().meta({ description: 'Send it as `after` to get the next page; null on the last one.' }),
});

const BatchResult = z
  .strictObject({
    results: z
      .array(
        z.union([
          RenderResult.extend({ warnings: SomeWarnings }),
          ErrorBody.extend({ ...ChoiceFields.shape, metadata: Given }),
        ]),
      )
      .meta({ description: 'In the order of the items.' }),
    count: z.int().meta({ description: 'Number of items.' }),
    ok: z.int().meta({ description: 'Items that succeeded.' }),
  })
  .meta({ description: 'One entry per item: its asset, or its error.' });

const Batch = z
  .strictObject({
    id: z.string().meta({ description: 'Poll it at /v1/batches/{id}.' }),
    template: z.string(),
    name: z.string().nullable(),
    merge: z.enum(ARCHIVES),
    count: z.int().meta({ description: 'Number of files; an item with several sizes has several.' }),
    done: z.int(),
    warned: z.int().meta({ description: 'Finished items that have warnings.' }),
    failed: z.int(),
    errors: z
      .array(z.strictObject({ item: z.int(), error: z.string() }))
      .meta({ description: 'The first 50, by their place from 0 up.' }),
    file: z.url().nullable().meta({ description: 'Needs the key; null until every item has finished.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ description: 'A batch that ends in one file.' });

const RenderAnswer = z
  .union([RenderResult, BatchResult])
  .meta({ description: 'One asset; or an entry for each, where several sizes, languages or brands were asked for.' });

const AcceptedSet = z.strictObject({ results: z.array(Accepted), count: z.int(), ok: z.int() });
const AcceptedAnswer = z
  .union([Accepted, AcceptedSet])
  .meta({ description: 'One job; or one for each of several sizes, languages or brands.' });

const Account = z.strictObject({
  plan: z.string(),
  email: z.email().nullable(),
  display_name: z.string().nullable(),
});

const AuditEntry = z.strictObject({
  ...AUDIT_FIELDS,
  request_id: z.string().nullable().meta({ description: 'The X-Request-ID of the request that did it.' }),
  created_at: z.iso.datetime(),
});
const AuditList = z.strictObject({
  entries: z.array(AuditEntry).max(200),
  next: z.string().nullable().meta({ description: 'Send it as `after` to get the next page; null on the last one.' }),
});

const SecretList = z.strictObject({
  secrets: z.array(
    z.strictObject({
      purpose: z.enum(SECRET_PURPOSES).meta({ description: 'What it signs: render URLs, or webhooks.' }),
      last_four: z.string(),
      created_at: z.iso.datetime(),
      previous: z.int().meta({ description: 'Older secrets that are still accepted.' }),
    }),
  ),
});
const Secret = z.strictObject({ secret: z.string() });
const RetiredSecrets = z.strictObject({ retired: z.int() });

const Usage = z.strictObject({
  plan: z.string(),
  period: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .meta({ description: 'A calendar month in UTC.', examples: ['2026-11'] }),
  quota: z.int(),
  used: z.int(),
  overage: z.int().meta({ description: 'Units beyond the quota.' }),
  stored: StorageUse,
});

const TemplateSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  width: Pixels,
  height: Pixels,
  engine: z.enum(['layers', 'html']),
});
/** The cursor of lists that came without one at first: absent at the end. */
const Next = z
  .string()
  .optional()
  .meta({ description: 'Send it as `after` to get the next page; absent on the last one.' });
const TemplateList = z.strictObject({ templates: z.array(TemplateSummary).max(200), next: Next });

const StoredTemplate = z
  .looseObject({ id: z.string().meta({ examples: [NAMES.template] }), version: z.int().min(1), name: z.string() })
  .meta({ description: 'The document as it was posted, with its id and version.' });

const StoredBrand = z
  .strictObject({ name: z.string().meta({ examples: ['acme'] }), version: z.int().min(1), ...Brand.shape })
  .meta({ description: 'A brand: what `$name` in the values of templates stands for.' });
const BrandList = z.strictObject({
  brands: z.array(z.strictObject({ name: z.string(), version: z.int().min(1), updated_at: z.iso.datetime() })).max(200),
  next: Next,
});
const BrandRequest = Brand.partial().loose().meta({ description: 'All of it; what is left out is empty.' });

const VersionList = z.strictObject({
  versions: z.array(z.strictObject({ version: z.int().min(1), created_at: z.iso.datetime() })).max(200),
  next: Next,
});

const Place = { x: z.number(), y: z.number(), width: z.number(), height: z.number() };

const Layout = z
  .strictObject({
    width: z.number(),
    height: z.number(),
    layers: z
      .array(
        z.strictObject({
          name: z.string(),
          frame: z.string().nullable().meta({ description: 'The frame that it is in; null on the canvas.' }),
          ...Place,
          text: z
            .strictObject({
              fontSize: z.number().meta({ description: 'px, after autoFit.' }),
              lines: z.array(z.strictObject({ text: z.string(), ...Place, baseline: z.number() })),
              overflows: z.boolean(),
            })
            .optional(),
        }),
      )
      .meta({ description: 'In painting order, frames before what is in them.' }),
  })
  .meta({ description: 'Where every layer ends up, in canvas px.' });

const Image = z.strictObject({
  id: z.string().meta({ description: 'Use it, or the url, as the src of an image layer.' }),
  url: z.url(),
  width: Pixels.nullable(),
  height: Pixels.nullable(),
  format: z.enum(['png', 'jpeg', 'webp', 'gif', 'avif', 'svg', 'pdf']),
});
const ImageList = z.strictObject({ images: z.array(Image).max(200), next: Next });

const Font = z.strictObject({
  id: z.string(),
  family: z.string().meta({ description: 'Use it as fontFamily in the account’s templates.' }),
  weight: z.number(),
  style: z.enum(['normal', 'italic']),
  axes: z
    .record(z.string(), z.strictObject({ min: z.number(), max: z.number() }))
    .meta({ description: 'By tag; empty for a static font.' }),
});
const FontList = z.strictObject({ fonts: z.array(Font) });

const Health = z.strictObject({ status: z.enum(['ok', 'ready']) });

const Modifications = z.record(z.string(), z.unknown()).meta({
  description:
    'Layer name → value. A string sets the layer’s text, image source, value or fill; an object is merged into it; a list of such objects repeats a frame’s children.',
  examples: [{ title: 'Hello', photo: 'https://example.com/a.jpg' }],
});
const TemplateReference = z
  .string()
  .min(1)
  .meta({ description: 'A template’s id, or id@3 for a version.', examples: [NAMES.template] });
const TemplateSource = z.union([TemplateReference, z.record(z.string(), z.unknown())]).meta({
  description:
    'A template’s id, or id@3 for a version; or a template itself (see the schema Template), which is then not stored. Required, here or as templateId.',
});
const TemplateAlias = TemplateReference.optional().meta({ description: 'Another name for template.' });

/** JSON Schema: the template's id is given under either name. */
const WITH_TEMPLATE = { anyOf: [{ required: ['template'] }, { required: ['templateId'] }] };
const RenderFields = z.looseObject({
  template: TemplateSource.optional(),
  templateId: TemplateAlias,
  modifications: Modifications.optional(),
  metadata: MetadataField.nullable().optional(),
  ...SeveralFields.shape,
  ...FileFields.shape,
});

/** The request of one item of a batch. */
const RenderItem = RenderFields.meta(WITH_TEMPLATE);

const RenderRequest = RenderFields.extend(Delivery.shape).meta(WITH_TEMPLATE);

const BatchRequest = z
  .union([
    z.looseObject({ renders: z.array(RenderItem).min(1).max(50) }),
    z
      .looseObject({
        template: RenderFields.shape.template,
        templateId: TemplateAlias,
        metadata: MetadataField.nullable().optional().meta({ description: 'Of every item that has none of its own.' }),
        ...SeveralFields.shape,
        ...FileFields.shape,
        items: z
          .array(
            z.union([
              z.strictObject({
                modifications: Modifications.optional(),
                output: OutputField,
                ...SeveralFields.shape,
                metadata: MetadataField.nullable().optional(),
              }),
              Modifications,
            ]),
          )
          .min(1)
          .max(50),
      })
      .meta(WITH_TEMPLATE),
  ])
  .meta({ description: 'Renders of any templates, or items of one template; at most 50.' });

const MergedBatchRequest = z
  .looseObject({
    template: z.string().optional(),
    templateId: TemplateAlias,
    ...MergeFields.shape,
    metadata: MetadataField.nullable().optional().meta({ description: 'Of every item that has none of its own.' }),
    ...SeveralFields.shape,
    ...FileFields.shape,
    items: z
      .array(
        z.union([
          z.strictObject({
            modifications: Modifications,
            ...SeveralFields.shape,
            metadata: MetadataField.nullable().optional(),
          }),
          Modifications,
        ]),
      )
      .min(1)
      .max(MAX_BATCH_ROWS),
  })
  .meta({ ...WITH_TEMPLATE, description: 'Items of one stored template, which end in one file.' });

const LayoutRequest = z.looseObject({ modifications: Modifications.optional(), ...ChoiceFields.shape });

const PreviewRequest = z.looseObject({
  modifications: Modifications.optional(),
  ...ChoiceFields.shape,
  ...FileFields.shape,
});

const ScreenshotRequest = z.looseObject({
  ...ScreenshotBody.shape,
  metadata: MetadataField.nullable().optional(),
  ...Delivery.shape,
});

const CompletionEvent = z
  .strictObject({
    id: z.string(),
    status: z.enum(['done', 'error']),
    result: RenderResult.nullable(),
    error: z.string().nullable(),
    metadata: Given,
    warnings: SomeWarnings,
    batch: Batch.optional().meta({ description: 'Of a batch that is over: what GET /v1/batches/{id} shows.' }),
  })
  .meta({ description: 'The body that is posted to a webhookUrl when its job or batch has finished.' });

/**
 * A template may be sent back exactly as it was read. Its id and version are ignored: the path and the save determine
 * them.
 */
const AS_READ = {
  id: z.string().optional().meta({ description: 'As it was read; ignored.' }),
  version: z.int().optional().meta({ description: 'As it was read; ignored.' }),
};
const SentLayers = LayersTemplate.safeExtend(AS_READ).meta({ id: 'LayersTemplate' });
const SentHtml = HtmlTemplate.safeExtend(AS_READ).meta({ id: 'HtmlTemplate' });

/** The forms in which a template may be sent. */
export const SentTemplate = z.union([SentLayers, SentHtml]).meta({ description: 'Told apart by `engine`.' });

/** By their name in the document. */
export const ANSWERS = {
  Error: ErrorBody,
  RenderResult,
  RenderAnswer,
  Accepted,
  AcceptedAnswer,
  Job,
  RenderList,
  BatchResult,
  Batch,
  Account,
  Usage,
  AuditList,
  SecretList,
  Secret,
  RetiredSecrets,
  EditorTokenRevocation,
  RevokedEditorTokens,
  TemplateSummary,
  TemplateList,
  StoredTemplate,
  StoredBrand,
  BrandList,
  OutdatedUses,
  UpdatedUses,
  VersionList,
  Layout,
  Image,
  ImageList,
  Font,
  FontList,
  Health,
  CompletionEvent,
  ...STUDIO_ANSWERS,
} as const;

export const REQUESTS = {
  BrandRequest,
  UpdateUsesRequest,
  RenderItem,
  RenderRequest,
  BatchRequest,
  MergedBatchRequest,
  ScreenshotRequest,
  PreviewRequest,
  LayoutRequest,
  ...STUDIO_REQUESTS,
} as const;

/** `Template` is the published schema of templates. */
export type ComponentName = keyof typeof ANSWERS | keyof typeof REQUESTS | 'Template';
