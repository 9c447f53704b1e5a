// Schemas of the requests and answers of the studio's API, each with an example: components of the OpenAPI document.
//
// Requests are parsed with these same schemas, which refuse unknown fields.

import { z } from 'zod';
import { FamilyName } from '#core/template/text-layer.ts';
import { EDIT_RIGHTS } from '#design/edit-rights.ts';
import { LabelSheet } from '#design/label-sheet.ts';
import { OUTPUTS, SIGNED_EXTENSIONS } from '#draw/output/formats.ts';
import { ACTIONS, ACTOR_KINDS } from '#server/service/accounts/audit.ts';
import { MAX_ORIGINS, SAVES } from '#server/service/accounts/editor-tokens.ts';
import { MAX_TEMPLATES, RIGHTS } from '#server/service/accounts/key-scope.ts';
import { ARCHIVES, MAX_BATCH_ROWS } from '#server/service/jobs/batches.ts';
import { ROLES } from '#server/service/people/members.ts';
import { KEY_KINDS, SECRET_PURPOSES } from '#server/service/stored-names.ts';
import { MAX_COMMENT, REVIEW_DAYS, WHOLE_SIDE } from '#server/service/templates/reviews.ts';
import { ChoiceFields, SeveralFields } from '../v1/choices.ts';
import { AnyFileFields, MetadataField, NumberingField } from '../v1/renders.ts';

const Id = z.string();
const Moment = z.iso.datetime();
const RoleName = z.enum(ROLES);
const Document = z.record(z.string(), z.unknown()).meta({ description: 'A template as it is posted.' });
const Values = z.record(z.string(), z.unknown()).meta({ description: 'Layer name → value.' });
const By = z
  .strictObject({ id: Id, name: z.string() })
  .nullable()
  .meta({ description: 'Who did it; null = an API key, the command line, or somebody who is gone.' });
const Next = z
  .string()
  .nullable()
  .meta({ description: 'Send it as `after` to get the next page; null on the last one.' });
const Note = z.string().trim().max(500).nullable();
const list = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item), next: Next });

const StudioError = z
  .looseObject({ error: z.string(), code: z.string() })
  .meta({ description: 'A sentence that says what was wrong and how to correct it, and a code for programs.' });

const Changed = z
  .looseObject({ error: z.string(), code: z.string(), revision: z.int(), savedAt: Moment.nullable(), savedBy: By })
  .meta({ description: 'Somebody has saved since: who, and when.' });

const Person = z.strictObject({ id: Id, name: z.string(), email: z.string() });
const Me = Person.extend({
  emailVerified: z
    .boolean()
    .meta({ description: 'Whether an identity provider, or who runs the server, vouches for the address.' }),
  createdAt: Moment,
});
const Session = z.strictObject({
  person: Person.nullable().meta({ description: 'Null when nobody is signed in.' }),
  accounts: z.array(z.strictObject({ id: Id, name: z.string().nullable(), role: RoleName, plan: z.string() })),
  sudoUntil: Moment.nullable().meta({ description: 'Until when the password counts as typed.' }),
  claimed: z.boolean().meta({ description: 'Whether anybody can sign in at all.' }),
  insecure: z.string().nullable().meta({ description: 'What is wrong with the address that the studio is used at.' }),
  minPassword: z.int(),
  noPasskeys: z
    .string()
    .nullable()
    .meta({ description: 'Why passkeys cannot be used at this address; null = they can.' }),
  provider: z
    .strictObject({ name: z.string() })
    .nullable()
    .meta({ description: 'The identity provider that one may sign in by.' }),
  confirmBy: z
    .array(z.enum(['password', 'passkey', 'provider']))
    .meta({ description: 'How the person can show again that it is them.' }),
});
const Passkey = z.strictObject({
  id: Id,
  name: z.string(),
  host: z.string().meta({ description: 'Where it can be used.' }),
  createdAt: Moment,
  lastUsedAt: Moment.nullable(),
});
const Asked = z.strictObject({
  token: z.string().meta({ description: 'To be sent with the answer, once, within ten minutes.' }),
  options: z.record(z.string(), z.unknown()).meta({
    description: 'For PublicKeyCredential.parseCreationOptionsFromJSON, or parseRequestOptionsFromJSON.',
  }),
});
const ProviderStart = z.strictObject({ url: z.url().meta({ description: 'Where the browser is to go.' }) });
const Sudo = z.strictObject({ sudoUntil: Moment });
const SessionList = z.strictObject({
  items: z.array(
    z.strictObject({
      id: Id,
      isCurrent: z.boolean(),
      createdAt: Moment,
      lastUsedAt: Moment,
      expiresAt: Moment,
      address: z.string(),
      agent: z.string(),
    }),
  ),
});
const LinkView = z.strictObject({
  kind: z.enum(['setup', 'invitation', 'reset']),
  email: z.string().nullable(),
  account: z.strictObject({ id: Id, name: z.string().nullable() }).nullable(),
  role: RoleName.nullable(),
  isKnown: z.boolean().meta({ description: 'Whether that address has a password, which is then asked for.' }),
  expiresAt: Moment,
});

const Account = z.strictObject({
  id: Id,
  name: z.string().nullable(),
  email: z.string().nullable(),
  plan: z.string(),
  role: RoleName,
  createdAt: Moment,
  suspendedBy: z
    .enum(['owner', 'operator'])
    .nullable()
    .meta({ description: 'What an owner suspends, an owner can resume; null = it is not suspended.' }),
});
const Plan = z.strictObject({ name: z.string(), quota: z.int(), blocks: z.boolean() });
const Embedding = z.strictObject({
  origins: z.array(z.string().max(300)).max(MAX_ORIGINS).meta({ description: 'Such as https://app.example.com.' }),
});
const Embedded = z.strictObject({
  accountId: Id,
  user: z.strictObject({ id: z.string(), name: z.string().nullable() }),
  origin: z.string(),
  expires: Moment,
  template: Id.nullable(),
  blank: z.strictObject({ width: z.int(), height: z.int(), name: z.string() }).nullable(),
  rights: z.enum(EDIT_RIGHTS),
  locked: z.array(z.string()),
  save: z.enum(SAVES),
  uploads: z.boolean(),
});
const Settings = z.strictObject({ account: Account, plan: Plan, address: z.string(), insecure: z.string().nullable() });
const Checks = z.strictObject({
  checks: z.array(
    z.strictObject({ name: z.string(), state: z.enum(['ok', 'limited', 'broken']), message: z.string() }),
  ),
});

const Folder = z.string().nullable().meta({ description: 'The folder that it is kept in; null = in none.' });
const Folders = z.array(z.strictObject({ name: z.string(), count: z.int() }));
const Card = z.strictObject({
  id: Id,
  name: z.string(),
  width: z.int(),
  height: z.int(),
  engine: z.enum(['layers', 'html']),
  version: z.int(),
  folder: Folder,
  hasDraft: z.boolean(),
  createdAt: Moment,
  updatedAt: Moment,
  updatedBy: By,
  thumbnail: z.string().meta({ description: 'The path of its picture.' }),
  draftThumbnail: z.string().nullable().meta({ description: 'The path of the picture of its draft.' }),
});
const Imported = Card.extend({ warnings: z.array(z.string()) });
const TemplateList = z.strictObject({
  items: z.array(Card),
  next: Next,
  total: z.int().meta({ description: 'Templates of the account, whatever the filters.' }),
  sizes: z.array(z.strictObject({ width: z.int(), height: z.int(), count: z.int() })),
  folders: Folders,
});
const OpenedTemplate = Card.extend({
  document: Document,
  draft: z.strictObject({ revision: z.int(), baseVersion: z.int(), savedAt: Moment, savedBy: By }).nullable(),
  newer: z
    .array(
      z.strictObject({
        ...{ kind: z.enum(['brand', 'template']), name: z.string(), title: z.string() },
        ...{ used: z.int(), newest: z.int() },
      }),
    )
    .meta({ description: 'The brand and the components of which it uses an older version.' }),
  outdatedUses: z.int().meta({ description: 'Templates that have an older version of it as a component.' }),
});
const OutdatedUses = list(
  z.strictObject({
    ...{ id: Id, name: z.string(), version: z.int(), hasDraft: z.boolean() },
    used: z
      .int()
      .meta({ description: 'The version of the brand or the component that it uses; the oldest of several.' }),
    before: z.string().meta({ description: 'The path of its picture.' }),
    after: z.string().meta({ description: 'The path of its picture with the newest version.' }),
  }),
).extend({
  newest: z.int().meta({ description: 'The newest version of the brand or the component.' }),
  total: z.int().meta({ description: 'Of all pages.' }),
});
const Undo = z.strictObject({ undoUntil: Moment });
const Draft = z.strictObject({
  revision: z.int(),
  baseVersion: z.int(),
  savedAt: Moment.nullable().meta({ description: 'Null when there is none: the document is that of the version.' }),
  savedBy: By,
  document: Document,
  materials: z
    .strictObject({ brands: z.record(z.string(), Document), templates: z.record(z.string(), Document) })
    .optional()
    .meta({ description: 'For an embedded editor: the brands and components that the document shows, by reference.' }),
});
const SavedDraft = z.strictObject({ revision: z.int(), savedAt: Moment });
const Revision = z.strictObject({ revision: z.int() });
const Published = z.strictObject({ version: z.int(), revision: z.int(), createdAt: Moment });
const NewVersion = z.strictObject({ version: z.int(), createdAt: Moment });
const Version = z.strictObject({
  version: z.int(),
  id: z.string().meta({ description: 'Names this version wherever a template is named.' }),
  createdAt: Moment,
  author: By,
  note: z.string().nullable(),
  thumbnail: z.string(),
});
const OpenedVersion = Version.extend({ document: Document });

const SignedUrl = z.strictObject({ url: z.url(), expires: Moment.nullable() });
const AcceptedJob = z.strictObject({ id: Id });
const BatchHead = z.strictObject({
  id: Id,
  template: Id,
  name: z.string().nullable().meta({ description: 'What it was made from, such as the name of a file.' }),
  archive: z.enum(ARCHIVES),
  createdAt: Moment,
});
const Batch = BatchHead.extend({
  total: z.int(),
  done: z.int(),
  warned: z.int().meta({ description: 'Finished items that have warnings.' }),
  failed: z.int(),
  errors: z
    .array(z.strictObject({ row: z.int(), error: z.string() }))
    .meta({ description: 'The first 50, by their row from 0 up.' }),
  file: z.string().nullable().meta({ description: 'The path of the file, once all rows have finished.' }),
});

const BatchRow = z.strictObject({
  id: z.string().meta({ description: 'Of its render.' }),
  row: z.int().meta({ description: 'From 0 up.' }),
  name: z.string().meta({ description: 'Of its file, without extension.' }),
  status: z
    .enum(['queued', 'processing', 'done', 'error'])
    .nullable()
    .meta({ description: 'Null = its render is gone.' }),
  error: z.string().nullable(),
  warnings: z.array(z.string()),
  url: z.url().nullable().meta({ description: 'Of its file, while that is kept.' }),
});

const Render = z
  .strictObject({
    id: Id,
    kind: z.enum(['render', 'screenshot']),
    status: z.enum(['queued', 'processing', 'done', 'error']),
    output: z.enum(OUTPUTS),
    size: z.int().nullable(),
    error: z.string().nullable(),
    createdAt: Moment,
    finishedAt: Moment.nullable(),
    url: z.url().nullable(),
    template: z.strictObject({ id: Id, name: z.string().nullable(), version: z.int() }).nullable(),
    inline: z
      .strictObject({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'The template, where it came with the request; its id is a digest of its content.' }),
    page: z.string().nullable().meta({ description: 'Of a screenshot: the page, without its query.' }),
    values: z.string().nullable().meta({ description: 'Its values in short; null when there are none.' }),
    batch: z
      .strictObject({ id: Id, name: z.string().nullable(), row: z.int() })
      .nullable()
      .meta({ description: 'The batch that it belongs to, and its row from 0 up.' }),
    metadata: MetadataField.nullable(),
    warnings: z.array(z.string()).meta({ description: 'Warnings about the render: at most 20 sentences and 2 KiB.' }),
  })
  .meta({ id: 'StudioListedRender' });
const OpenedRender = Render.extend({
  modifications: Values.nullable().meta({ description: 'Null when they were too long to keep.' }),
  document: Document.nullable().meta({
    description: 'The template that came with the request; null otherwise, and when it was too long to keep.',
  }),
});

const Delivery = z.strictObject({
  id: Id,
  renderId: Id,
  url: z.string().meta({ description: 'Without its query, which may hold a secret.' }),
  status: z.enum(['pending', 'delivered', 'failed', 'refused']),
  attempts: z.int(),
  nextAttemptAt: Moment.nullable(),
  createdAt: Moment,
  log: z.array(
    z.strictObject({
      at: Moment,
      duration: z.int().meta({ description: 'ms' }),
      status: z.int().nullable(),
      error: z.string().nullable(),
    }),
  ),
});

const Focus = z.strictObject({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }).nullable();
const Image = z.strictObject({
  id: Id,
  url: z.url(),
  name: z.string().nullable(),
  folder: Folder,
  width: z.int().nullable(),
  height: z.int().nullable(),
  format: z.enum(['png', 'jpeg', 'webp', 'gif', 'avif', 'svg', 'pdf']),
  size: z.int(),
  focus: Focus,
  createdAt: Moment,
});
const UsedBy = z
  .array(z.strictObject({ id: Id, name: z.string(), inDraft: z.boolean() }))
  .meta({ description: 'The templates that use it; inDraft: only their draft does.' });
const OpenedImage = Image.extend({ usedBy: UsedBy });

const Axis = z.strictObject({ min: z.number(), initial: z.number(), max: z.number() });
const FontFamilies = z.strictObject({
  families: z.array(
    z.strictObject({
      family: z.string(),
      own: z.boolean(),
      scripts: z.array(z.string()).meta({ description: 'ISO 15924.' }),
      faces: z.array(
        z.strictObject({
          id: z.string().meta({ description: 'For /fonts/faces/{id}.' }),
          fontId: Id.nullable().meta({ description: 'Of an upload.' }),
          weight: z.number(),
          width: z.number().meta({ description: 'OS/2 usWidthClass, 1 to 9.' }),
          style: z.enum(['normal', 'italic']),
          axes: z.record(z.string(), Axis),
          isEmoji: z.boolean(),
        }),
      ),
    }),
  ),
  generic: z.record(z.string(), z.string()).meta({ description: 'CSS’s generic names → families.' }),
  installable: z
    .array(z.strictObject({ family: z.string(), command: z.string() }))
    .meta({ description: 'Families that are not installed on this server, and what installs each.' }),
  canAdd: z.boolean().meta({ description: 'Whether they can be added here: PLATEN_FONT_REGISTRY is set.' }),
});
const FontCoverage = z.record(z.string(), z.string()).meta({ description: 'Face → the code points that it has.' });
const UploadedFont = z.strictObject({
  id: Id,
  family: z.string(),
  weight: z.number(),
  style: z.enum(['normal', 'italic']),
  axes: z.record(z.string(), z.strictObject({ min: z.number(), max: z.number() })),
});

const Scope = z
  .strictObject({ rights: z.array(z.enum(RIGHTS)), templates: z.array(Id).nullable() })
  .meta({ description: 'What a key may do; templates: the only ones that it may use, null = all.' });
const Key = z.strictObject({
  id: Id,
  name: z.string().nullable(),
  kind: z.enum(KEY_KINDS),
  lastFour: z.string(),
  createdAt: Moment,
  createdBy: By,
  lastUsedAt: Moment.nullable(),
  revokedAt: Moment.nullable(),
  scope: Scope.nullable().meta({ description: 'Null = everything.' }),
  expiresAt: Moment.nullable().meta({ description: 'Null = never.' }),
});
const NewKey = Key.extend({ key: z.string().meta({ description: 'Shown only once.' }) });
const SecretList = z.strictObject({
  items: z.array(
    z.strictObject({
      purpose: z.enum(SECRET_PURPOSES),
      lastFour: z.string(),
      createdAt: Moment,
      previous: z.int().meta({ description: 'Older secrets that are still accepted.' }),
    }),
  ),
});
const Secret = z.strictObject({ secret: z.string() });
const Retired = z.strictObject({ retired: z.int() });

/** Of an entry of the audit log, here and in /v1. */
export const AUDIT_FIELDS = {
  id: Id.meta({ description: 'A number in digits, which rises from entry to entry.' }),
  actor: z
    .strictObject({
      kind: z.enum(ACTOR_KINDS),
      id: Id.nullable().meta({ description: 'Of a person or an API key.' }),
      name: z
        .string()
        .nullable()
        .meta({ description: 'The name at that time; of a key without a name, its last characters.' }),
    })
    .meta({ id: 'AuditActor', description: 'Who did it.' }),
  action: z.enum(ACTIONS).meta({ id: 'AuditAction' }),
  subject: z
    .strictObject({ id: Id.nullable(), name: z.string().nullable() })
    .meta({ description: 'What was changed, with its name at that time.' }),
  detail: z.string().nullable().meta({ description: 'The role, the plan, the kind of the key, or the version.' }),
};
const AuditEntry = z.strictObject({ ...AUDIT_FIELDS, requestId: z.string().nullable(), createdAt: Moment });

const Bytes = z.int().min(0);
const Limit = z.int().nullable().meta({ description: 'Bytes that the plan allows; null = any number.' });
const Stored = z.strictObject({ count: z.int().min(0), bytes: Bytes });
/** Also a part of the answer for keys. */
export const StorageUse = z
  .strictObject({
    bytes: Bytes.meta({ description: 'All but renders.' }),
    limit: Limit,
    images: Stored,
    fonts: Stored,
    templates: Stored.meta({ description: 'With their versions and drafts.' }),
    brands: Stored.meta({ description: 'With their versions, also of deleted brands.' }),
    renders: Stored.extend({ limit: Limit }).meta({ description: 'Those whose files are kept.' }),
  })
  .meta({
    description: 'What is stored now, in bytes, including what was deleted in the last day and can be restored.',
  });

const Usage = z.strictObject({
  plan: z.string(),
  period: z.string(),
  quota: z.int(),
  blocks: z.boolean(),
  used: z.int(),
  reserved: z.int(),
  overage: z.int(),
  days: z.array(z.strictObject({ day: z.iso.date(), count: z.int() })),
  templates: z.array(z.strictObject({ id: Id, name: z.string().nullable(), count: z.int() })),
  other: z.int().meta({ description: 'Screenshots, and renders that are gone.' }),
  storedBytes: z.int().meta({ description: 'Of images, fonts, versions of templates and drafts, now.' }),
  storageLimit: z.int().nullable().meta({ description: 'Bytes of them that the plan allows; null = any number.' }),
  stored: StorageUse,
});

const Member = Person.extend({
  role: RoleName,
  isYou: z.boolean(),
  since: Moment,
  lastSeenAt: Moment.nullable(),
  suspendedAt: Moment.nullable().meta({ description: 'Null = may sign in.' }),
});
const People = z.strictObject({
  people: z.array(Member),
  invitations: z.array(
    z.strictObject({
      id: Id,
      email: z.string().nullable(),
      role: RoleName,
      createdAt: Moment,
      expiresAt: Moment,
      createdBy: By,
    }),
  ),
});
const Invitation = z.strictObject({
  id: Id,
  url: z.url().meta({ description: 'The link, shown only once.' }),
  email: z.string().nullable(),
  role: RoleName,
  expiresAt: Moment,
});

const PictureFields = {
  size: z.string().max(100).nullable().meta({ description: 'Null = the template’s own.' }),
  lang: z.string().max(100).nullable().meta({ description: 'Null = the template’s own.' }),
};
const Place = z.int().min(0).max(WHOLE_SIDE);
const PointField = z
  .strictObject({ x: Place, y: Place })
  .nullable()
  .meta({ description: 'In ten thousandths of the picture’s sides; null = the whole picture.' });
const ReviewFields = {
  id: Id,
  version: z.int().nullable().meta({ description: 'Null = the draft, as it is when somebody looks.' }),
  createdAt: Moment,
  endsAt: Moment,
};
const ReviewComment = z.strictObject({
  ...{
    id: Id,
    answers: Id.nullable().meta({ description: 'The comment that it answers; null = it begins a thread.' }),
  },
  by: z.string().nullable().meta({ description: 'Null = somebody who is gone.' }),
  isMember: z.boolean().meta({ description: 'Whether it is by a person of the account, not by a visitor.' }),
  ...{ text: z.string(), ...PictureFields, point: PointField },
  isEarlier: z.boolean().meta({ description: 'Whether something else was shown when it was written.' }),
  ...{ createdAt: Moment, resolvedAt: Moment.nullable() },
});
const OpenedReview = z.strictObject({
  ...{ ...ReviewFields, name: z.string().meta({ description: 'Of the template.' }) },
  revision: z.int().meta({ description: 'The version, or the revision of the draft, that is shown.' }),
  pictures: z.array(z.strictObject(PictureFields)),
  more: z.int().meta({ description: 'Pictures beyond those.' }),
  ownLang: z.string().nullable().meta({ description: 'The template’s own language, if it names one.' }),
  hasPages: z.boolean().meta({ description: 'Whether it is a document with pages, of which the first is shown.' }),
  problem: z.string().nullable().meta({ description: 'Why a draft cannot be drawn; null = it can.' }),
  comments: z.array(ReviewComment).meta({ description: 'Oldest first.' }),
});

/** By their name in the document. */
export const STUDIO_ANSWERS = {
  StudioError,
  StudioChanged: Changed,
  StudioSession: Session,
  StudioSudo: Sudo,
  StudioAskedPasskey: Asked,
  StudioPasskey: Passkey,
  StudioPasskeyList: z.strictObject({ items: z.array(Passkey) }),
  StudioProviderStart: ProviderStart,
  StudioMe: Me,
  StudioSessionList: SessionList,
  StudioLink: LinkView,
  StudioAccount: Account,
  StudioSettings: Settings,
  StudioEmbedded: Embedded,
  StudioChecks: Checks,
  StudioTemplate: Card,
  StudioImported: Imported,
  StudioTemplateList: TemplateList,
  StudioOpenedTemplate: OpenedTemplate,
  StudioUndo: Undo,
  StudioDraft: Draft,
  StudioSavedDraft: SavedDraft,
  StudioRevision: Revision,
  StudioPublished: Published,
  StudioNewVersion: NewVersion,
  StudioVersionList: list(Version),
  StudioVersion: OpenedVersion,
  StudioSignedUrl: SignedUrl,
  StudioAccepted: AcceptedJob,
  StudioBatch: Batch,
  StudioBatchList: list(BatchHead),
  StudioBatchRowList: list(BatchRow),
  StudioRenderList: list(Render),
  StudioRender: OpenedRender,
  StudioDeliveryList: list(Delivery),
  StudioImage: Image,
  StudioImageList: list(Image).extend({ folders: Folders }),
  StudioOpenedImage: OpenedImage,
  StudioFontFamilies: FontFamilies,
  StudioFontCoverage: FontCoverage,
  StudioFontsAdded: z.strictObject({ fonts: z.array(UploadedFont) }),
  StudioFont: UploadedFont,
  StudioOpenedFont: UploadedFont.extend({ usedBy: UsedBy }),
  StudioBrandList: list(
    z.strictObject({
      ...{ name: z.string(), version: z.int(), updatedAt: Moment },
      outdatedUses: z.int().meta({ description: 'Templates that use an older version.' }),
    }),
  ),
  StudioOutdatedUses: OutdatedUses,
  StudioBrandVersions: list(z.strictObject({ version: z.int(), createdAt: Moment })),
  StudioKeyList: list(Key),
  StudioNewKey: NewKey,
  StudioSecretList: SecretList,
  StudioSecret: Secret,
  StudioRetired: Retired,
  StudioUsage: Usage,
  StudioAudit: list(AuditEntry),
  StudioPeople: People,
  StudioMember: Member,
  StudioInvitation: Invitation,
  StudioReviewList: z.strictObject({
    items: z.array(
      z.strictObject({
        ...ReviewFields,
        createdBy: By,
        comments: z.int(),
        open: z.int().meta({ description: 'Threads that are not resolved.' }),
      }),
    ),
  }),
  StudioNewReview: z.strictObject({
    ...ReviewFields,
    url: z.url().meta({ description: 'The link, shown only once.' }),
  }),
  StudioOpenedReview: OpenedReview,
  StudioReviewComment: ReviewComment,
} as const;

const Password = z.string().min(1).max(1_000);
const Name = z.string().trim().min(1).max(100);
const ToFolder = Name.nullable().meta({ description: 'Made by moving something to it; null = out of all folders.' });
const Email = z.string().trim().min(3).max(254);
const Token = z.string().max(100);
const Credential = z
  .record(z.string(), z.unknown())
  .meta({ description: 'As PublicKeyCredential.toJSON() writes it.' });
const ScaleField = z.number().min(0.1).max(3);
const VersionField = z.int().min(1).nullable().optional().meta({ description: 'Null = the newest, whenever.' });

const ChosenPicture = { size: PictureFields.size.default(null), lang: PictureFields.lang.default(null) };
const RemarkFields = {
  text: z.string().trim().min(1).max(MAX_COMMENT),
  answers: Id.max(100).nullable().default(null).meta({ description: 'The comment that it answers.' }),
  ...ChosenPicture,
  point: PointField.default(null),
};

export const STUDIO_REQUESTS = {
  StudioEmbedding: Embedding,
  StudioSignIn: z.strictObject({ email: Email, password: Password }),
  StudioPassword: z.strictObject({ password: Password }),
  StudioPasskeyAnswer: z.strictObject({ token: Token, credential: Credential }),
  StudioNewPasskey: z.strictObject({ token: Token, credential: Credential, name: Name }),
  StudioPasskeyName: z.strictObject({ name: Name }),
  StudioProviderAsk: z.strictObject({
    again: z.boolean().optional().meta({ description: 'Whether the provider must ask for the password anew.' }),
  }),
  StudioProviderAnswer: z.strictObject({
    query: z.string().max(8_000).meta({ description: 'With which the provider sent the browser to /studio/oidc.' }),
  }),
  StudioSetup: z.strictObject({ token: Token, email: Email, name: Name, password: Password }),
  StudioLinkToken: z.strictObject({ token: Token }),
  StudioLinkUse: z.strictObject({
    token: Token,
    password: Password,
    email: Email.optional(),
    name: Name.optional(),
  }),
  StudioMeChange: z.strictObject({ name: Name, email: Email }),
  StudioPasswordChange: z.strictObject({
    current: Password.optional().meta({ description: 'Left out by somebody who has no password yet.' }),
    password: Password,
  }),
  StudioAccountChange: z.strictObject({ name: Name, email: Email.nullable() }),
  StudioDeletion: z.strictObject({
    confirm: z.string().max(300).meta({ description: 'The account’s name, or the person’s address, as it is shown.' }),
  }),
  StudioNewTemplate: z.strictObject({ document: Document }),
  StudioMove: z.strictObject({ folder: ToFolder }),
  StudioRename: z.strictObject({ name: z.string().trim().min(1).max(200) }),
  StudioDuplicate: z.strictObject({ name: Name.optional() }),
  StudioDraftSave: z.strictObject({ document: Document, baseVersion: z.int().min(1).optional() }),
  StudioPublish: z.strictObject({
    note: Note.optional(),
    over: z.int().min(1).optional().meta({ description: 'A newer version than the draft’s, which was seen.' }),
  }),
  StudioRestore: z.strictObject({ note: Note.optional() }),
  StudioSign: z.strictObject({
    extension: z.enum(SIGNED_EXTENSIONS),
    version: VersionField,
    parameters: z.record(z.string(), z.string()).optional(),
    scale: ScaleField.optional(),
    quality: z.int().min(0).max(100).optional(),
    expires: Moment.nullable().optional(),
  }),
  StudioDocumentPreview: z.strictObject({
    document: Document,
    modifications: Values.optional(),
    ...ChoiceFields.shape,
    ...AnyFileFields.shape,
  }),
  StudioDocumentLayout: z.strictObject({
    document: Document,
    modifications: Values.optional(),
    ...ChoiceFields.shape,
  }),
  StudioRenderRequest: z.strictObject({
    version: VersionField,
    modifications: Values.optional(),
    ...ChoiceFields.shape,
    ...AnyFileFields.shape,
  }),
  StudioBatchRequest: z.strictObject({
    version: VersionField,
    name: z
      .string()
      .trim()
      .max(200)
      .nullable()
      .optional()
      .meta({ description: 'What it is made from, such as the name of a file: its download is called so.' }),
    rows: z
      .array(
        z.strictObject({
          name: z.string().max(300).nullable().optional().meta({ description: 'Of its file, without extension.' }),
          modifications: Values,
        }),
      )
      .min(1)
      .max(MAX_BATCH_ROWS),
    archive: z.enum(ARCHIVES),
    numbering: NumberingField,
    sheet: LabelSheet.optional(),
    ...SeveralFields.shape,
    ...AnyFileFields.shape,
  }),
  StudioBrandSave: z.strictObject({
    baseVersion: z.int().min(0).meta({ description: 'The version that was changed; 0 = this is a new brand.' }),
    brand: z.record(z.string(), z.unknown()).meta({ description: 'All of it; what is left out is empty.' }),
  }),
  StudioKeyRequest: z.strictObject({
    name: Name,
    kind: z.enum(KEY_KINDS),
    scope: z
      .strictObject({
        rights: z.array(z.enum(RIGHTS)).min(1).max(RIGHTS.length),
        templates: z.array(Id.max(100)).min(1).max(MAX_TEMPLATES).nullable(),
      })
      .nullable()
      .optional()
      .meta({ description: 'What the key may do; absent: everything.' }),
    expiresAt: z.iso.datetime().nullable().optional().meta({ description: 'Absent: never.' }),
  }),
  StudioFontAddition: z.strictObject({ family: FamilyName }),
  StudioImageChange: z.strictObject({
    ...{ name: Name.nullable().optional(), focus: Focus.optional(), folder: ToFolder.optional() },
  }),
  StudioInvite: z.strictObject({ email: Email.nullable().optional(), role: RoleName }),
  StudioRole: z.strictObject({ role: RoleName }),
  StudioReviewRequest: z.strictObject({
    version: z.int().min(1).nullable().optional().meta({ description: 'Null = the draft, as it is at the time.' }),
    days: z.int().min(1).max(REVIEW_DAYS.most).default(REVIEW_DAYS.default),
  }),
  StudioReviewRemark: z.strictObject(RemarkFields),
  StudioCommentState: z.strictObject({ isResolved: z.boolean() }),
  StudioReviewToken: z.strictObject({ token: Token }),
  StudioReviewPicture: z.strictObject({ token: Token, ...ChosenPicture }),
  StudioVisitorsComment: z.strictObject({ token: Token, name: Name.max(80), ...RemarkFields }),
} as const;
