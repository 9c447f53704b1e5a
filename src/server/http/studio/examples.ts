// Examples of the bodies of the studio's API, for the OpenAPI document.

const AT = '2026-11-22T10:00:00.000Z';
const LATER = '2026-12-22T10:00:00.000Z';
const ACCOUNT = 'acc_3Kd8mXr9tQe4wZp1sLc6vN';
const TEMPLATE = 'tpl_2Vb8nQe5rT1yUi6oPa9sDf';
const RENDER = 'rnd_4hXq0Zk2mB7tYw9sLc3vNf';
const IMAGE_ID = 'img_7Kd2mXr9tQe4wZp1sLc6vN';
const ADA = { id: 'per_5Tg8yHb3nJm6kLp0qWs2Ed', name: 'Ada' };
const PERSON = { ...ADA, email: 'ada@example.com' };
const TOKEN = 'pll_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const PASSWORD = 'correct horse battery staple';
const DOCUMENT = { name: 'Launch card', width: 1200, height: 630, layers: [] };
const VALUES = { title: 'Hello' };
const THUMBNAIL = `/v1/studio/accounts/${ACCOUNT}/templates/${TEMPLATE}/thumbnail?version=3`;

const REVIEW = { id: 'rvw_3Rf4tGy5hUj6Ik1Qa2wSe8', version: null, createdAt: AT, endsAt: LATER };
const REVIEW_TOKEN = TOKEN.replace('pll_', 'plr_');
const COMMENT = {
  ...{ id: 'cmt_6Ik1Qa2wSe3dRf4tGy5hUj', answers: null, by: 'Bob', isMember: false, text: 'Could the logo be larger?' },
  ...{ size: null, lang: null, point: { x: 900, y: 1_200 }, isEarlier: false, createdAt: AT, resolvedAt: null },
};

/** What an account stores. */
export const STORED = {
  ...{ bytes: 1_310_720, limit: null },
  images: { count: 2, bytes: 1_048_576 },
  fonts: { count: 1, bytes: 245_760 },
  templates: { count: 3, bytes: 14_336 },
  brands: { count: 1, bytes: 2_048 },
  renders: { count: 12, bytes: 4_194_304, limit: null },
} as const;
const ACCOUNT_SHOWN = {
  ...{ id: ACCOUNT, name: 'Demo', email: null, plan: 'pro', role: 'owner', createdAt: AT },
  suspendedBy: null,
};
const CARD = {
  ...{ id: TEMPLATE, name: 'Launch card', width: 1200, height: 630, engine: 'layers', version: 3 },
  ...{ folder: 'Spring', hasDraft: true },
  ...{ createdAt: AT, updatedAt: AT, updatedBy: ADA, thumbnail: THUMBNAIL },
  draftThumbnail: THUMBNAIL.replace('version=3', 'draft=7'),
};
const VERSION = {
  ...{ version: 3, id: `${TEMPLATE}@3`, createdAt: AT, author: ADA, note: 'New logo', thumbnail: THUMBNAIL },
};
const RENDERED = {
  ...{ id: RENDER, kind: 'render', status: 'done', output: 'png', size: 20_480, error: null },
  ...{ createdAt: AT, finishedAt: AT, url: `https://img.example.com/assets/${RENDER}.png` },
  ...{ template: { id: TEMPLATE, name: 'Launch card', version: 3 }, inline: null, page: null, metadata: null },
  ...{ warnings: [], values: 'title: Hello', batch: null },
};
const BATCH = {
  ...{ id: 'blk_1Qa2wSe3dRf4tGy5hUj6Ik', template: TEMPLATE, name: 'guests.csv', archive: 'zip', createdAt: AT },
};
const USE = { id: TEMPLATE, name: 'Launch card', inDraft: false };
const FONT = { id: 'fnt_5Tg8yHb3nJm6kLp0qWs2Ed', family: 'Acme Sans', weight: 700, style: 'normal', axes: {} };
const IMAGE = {
  ...{ id: IMAGE_ID, url: `https://img.example.com/images/${IMAGE_ID}.png`, name: 'logo.png', width: 512, height: 512 },
  ...{ folder: 'Logos', format: 'png', size: 20_480, focus: { x: 0.5, y: 0.3 }, createdAt: AT },
};
const KEY = {
  ...{ id: 'key_6Yh9uJn4bVc7xZs1aQw3Er', name: 'Website', kind: 'live', lastFour: 'x7Qa' },
  ...{
    createdAt: AT,
    createdBy: ADA,
    lastUsedAt: null,
    revokedAt: null,
    scope: { rights: ['render'], templates: null },
    expiresAt: null,
  },
};
const MEMBER = { ...PERSON, role: 'owner', isYou: true, since: AT, lastSeenAt: AT, suspendedAt: null };
const INVITATION = { id: 'lnk_8Ik0oLp5mNb2vCx4zAs6Df', email: 'bob@example.com', role: 'editor' };

const CEREMONY = 'plc_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const PASSKEY = {
  ...{ id: 'psk_4Rf5tGy6hUj7iKo8lPz9Qa', name: 'Laptop', host: 'img.example.com', createdAt: AT, lastUsedAt: AT },
};
const CREDENTIAL = { id: 'AQIDBA', type: 'public-key', response: { clientDataJSON: 'e30' } };

export const STUDIO_EXAMPLES = {
  StudioError: { error: 'This takes the role editor; yours is viewer. Ask an owner.', code: 'forbidden' },
  StudioChanged: {
    error: `Ada saved this draft at ${AT}: load it before you go on.`,
    ...{ code: 'changed', revision: 8, savedAt: AT, savedBy: ADA },
  },
  StudioSession: {
    person: PERSON,
    accounts: [{ id: ACCOUNT, name: 'Demo', role: 'owner', plan: 'pro' }],
    ...{ sudoUntil: AT, claimed: true, insecure: null, minPassword: 12 },
    ...{ noPasskeys: null, provider: { name: 'Example ID' }, confirmBy: ['password', 'passkey'] },
  },
  StudioSudo: { sudoUntil: AT },
  StudioAskedPasskey: { token: CEREMONY, options: { challenge: 'q2bJ7TvVhYw1', rpId: 'img.example.com' } },
  StudioPasskey: PASSKEY,
  StudioPasskeyList: { items: [PASSKEY] },
  StudioProviderStart: { url: `https://id.example.com/authorize?client_id=platen&state=${CEREMONY}` },
  StudioMe: { ...PERSON, emailVerified: true, createdAt: AT },
  StudioSessionList: {
    items: [
      {
        ...{ id: 'ses_9Uj1iKo6lMn3bVc5xZa7Sd', isCurrent: true, createdAt: AT, lastUsedAt: AT, expiresAt: LATER },
        ...{ address: '203.0.113.7', agent: 'Mozilla/5.0' },
      },
    ],
  },
  StudioLink: {
    ...{ kind: 'invitation', email: 'bob@example.com', account: { id: ACCOUNT, name: 'Demo' }, role: 'editor' },
    ...{ isKnown: false, expiresAt: LATER },
  },
  StudioAccount: ACCOUNT_SHOWN,
  StudioSettings: {
    account: ACCOUNT_SHOWN,
    plan: { name: 'pro', quota: 5000, blocks: false },
    ...{ address: 'https://img.example.com', insecure: null },
  },
  StudioEmbedding: { origins: ['https://app.example.com'] },
  StudioEmbedded: {
    ...{ accountId: ACCOUNT, user: { id: 'user-42', name: 'Ada' }, origin: 'https://app.example.com', expires: LATER },
    ...{ template: 'tpl_2Vb8nQe5rT1yUi6oPa9sDf', blank: null, rights: 'texts-and-pictures', locked: ['logo'] },
    ...{ save: 'draft', uploads: true },
  },
  StudioChecks: { checks: [{ name: 'node', state: 'ok', message: 'Node 24.21.0.' }] },
  StudioTemplate: CARD,
  StudioImported: { ...CARD, warnings: [] },
  StudioTemplateList: {
    ...{ items: [CARD], next: null, total: 4, sizes: [{ width: 1200, height: 630, count: 4 }] },
    folders: [{ name: 'Spring', count: 2 }],
  },
  StudioOpenedTemplate: {
    ...CARD,
    document: DOCUMENT,
    draft: { revision: 7, baseVersion: 3, savedAt: AT, savedBy: ADA },
    newer: [{ kind: 'brand', name: 'acme', title: 'acme', used: 1, newest: 2 }],
    outdatedUses: 0,
  },
  StudioUndo: { undoUntil: LATER },
  StudioDraft: { revision: 7, baseVersion: 3, savedAt: AT, savedBy: ADA, document: DOCUMENT },
  StudioSavedDraft: { revision: 8, savedAt: AT },
  StudioRevision: { revision: 9 },
  StudioPublished: { version: 4, revision: 9, createdAt: AT },
  StudioNewVersion: { version: 5, createdAt: AT },
  StudioVersionList: { items: [VERSION], next: null },
  StudioVersion: { ...VERSION, document: DOCUMENT },
  StudioSignedUrl: {
    url: `https://img.example.com/v1/templates/${TEMPLATE}/render.png?title=Hello&sig=${'0'.repeat(64)}`,
    expires: null,
  },
  StudioAccepted: { id: RENDER },
  StudioBatch: {
    ...{ ...BATCH, total: 5, done: 4, warned: 1, failed: 1 },
    ...{ errors: [{ row: 2, error: 'The image could not be fetched.' }], file: null },
  },
  StudioBatchList: { items: [BATCH], next: null },
  StudioBatchRowList: {
    items: [
      {
        ...{ id: 'rnd_4hXq0Zk2mB7tYw9sLc3vNf', row: 2, name: 'hello', status: 'error', warnings: [], url: null },
        error: 'The image could not be fetched.',
      },
    ],
    next: null,
  },
  StudioRenderList: { items: [RENDERED], next: null },
  StudioRender: { ...RENDERED, modifications: VALUES, document: null },
  StudioDeliveryList: {
    items: [
      {
        ...{ id: 'msg_2Ws3eDr4fTg5yHu6jIk7Ol', renderId: RENDER, url: 'https://example.com/hook', status: 'pending' },
        ...{ attempts: 1, nextAttemptAt: AT, createdAt: AT },
        log: [{ at: AT, duration: 120, status: 503, error: null }],
      },
    ],
    next: null,
  },
  StudioImage: IMAGE,
  StudioImageList: { items: [IMAGE], next: null, folders: [{ name: 'Logos', count: 1 }] },
  StudioOpenedImage: { ...IMAGE, usedBy: [USE] },
  StudioFontFamilies: {
    families: [
      {
        ...{ family: 'Inter', own: false, scripts: ['Latn'] },
        faces: [
          {
            ...{ id: 'Inter 400', fontId: null, weight: 400, width: 5, style: 'normal', axes: {}, isEmoji: false },
          },
        ],
      },
    ],
    generic: { 'sans-serif': 'Inter' },
    installable: [{ family: 'Montserrat', command: 'platen fonts add "Montserrat"' }],
    canAdd: true,
  },
  StudioFontsAdded: { fonts: [FONT] },
  StudioFontCoverage: { 'Inter 400': '20-7e' },
  StudioFont: FONT,
  StudioBrandList: { items: [{ name: 'acme', version: 2, updatedAt: AT, outdatedUses: 1 }], next: null },
  StudioOutdatedUses: {
    items: [
      {
        ...{ id: TEMPLATE, name: 'Launch card', version: 3, hasDraft: false, used: 1 },
        before: `/v1/studio/accounts/acc_1/templates/${TEMPLATE}/thumbnail?version=3`,
        after: `/v1/studio/accounts/acc_1/templates/${TEMPLATE}/thumbnail?version=3&with=acme@2`,
      },
    ],
    ...{ next: null, newest: 2, total: 1 },
  },
  StudioBrandVersions: { items: [{ version: 2, createdAt: AT }], next: null },
  StudioBrandSave: { baseVersion: 1, brand: { colors: { primary: '#1d4ed8' } } },
  StudioOpenedFont: { ...FONT, usedBy: [USE] },
  StudioKeyList: { items: [KEY], next: null },
  StudioNewKey: { ...KEY, key: 'plt_live_…' },
  StudioSecretList: { items: [{ purpose: 'signing', lastFour: 'a1B2', createdAt: AT, previous: 0 }] },
  StudioSecret: { secret: 'sgn_…' },
  StudioRetired: { retired: 1 },
  StudioAudit: {
    items: [
      {
        ...{ id: '42', actor: { kind: 'person', id: 'per_8Hn2kQe5rT1yUi6oPa9sDf', name: 'Ada' }, action: 'key.revoke' },
        ...{ subject: { id: 'key_8Hn2kQe5rT1yUi6oPa9sDf', name: 'Deploy' }, detail: 'live', requestId: 'req_1' },
        createdAt: AT,
      },
    ],
    next: null,
  },
  StudioUsage: {
    ...{ plan: 'pro', period: '2026-11', quota: 5000, blocks: false, used: 12, reserved: 0, overage: 0 },
    days: [{ day: '2026-11-22', count: 12 }],
    templates: [{ id: TEMPLATE, name: 'Launch card', count: 10 }],
    other: 2,
    ...{ storedBytes: STORED.bytes, storageLimit: STORED.limit },
    stored: STORED,
  },
  StudioPeople: {
    people: [MEMBER],
    invitations: [{ ...INVITATION, createdAt: AT, expiresAt: LATER, createdBy: ADA }],
  },
  StudioMember: MEMBER,
  StudioInvitation: { ...INVITATION, url: `https://img.example.com/studio/join#${TOKEN}`, expiresAt: LATER },

  StudioReviewList: { items: [{ ...REVIEW, createdBy: ADA, comments: 3, open: 1 }] },
  StudioNewReview: { ...REVIEW, url: `https://img.example.com/studio/review#${REVIEW_TOKEN}` },
  StudioOpenedReview: {
    ...{ ...REVIEW, name: 'Launch card', revision: 7, more: 0, ownLang: 'en', hasPages: false, problem: null },
    ...{
      pictures: [
        { size: null, lang: null },
        { size: 'story', lang: 'de' },
      ],
      comments: [COMMENT],
    },
  },
  StudioReviewComment: COMMENT,
  StudioReviewRequest: { version: null, days: 14 },
  StudioReviewRemark: { text: 'Done.', answers: COMMENT.id },
  StudioCommentState: { isResolved: true },
  StudioReviewToken: { token: REVIEW_TOKEN },
  StudioReviewPicture: { token: REVIEW_TOKEN, size: 'story', lang: 'de' },
  StudioVisitorsComment: {
    token: REVIEW_TOKEN,
    name: 'Bob',
    text: 'Could the logo be larger?',
    point: { x: 900, y: 1_200 },
  },

  StudioSignIn: { email: 'ada@example.com', password: PASSWORD },
  StudioPassword: { password: PASSWORD },
  StudioPasskeyAnswer: { token: CEREMONY, credential: CREDENTIAL },
  StudioNewPasskey: { token: CEREMONY, credential: CREDENTIAL, name: 'Laptop' },
  StudioPasskeyName: { name: 'Laptop' },
  StudioProviderAsk: {},
  StudioProviderAnswer: { query: `?code=SplxlOBeZQQYbYS6WxSbIA&state=${CEREMONY}` },
  StudioSetup: { token: TOKEN, email: 'ada@example.com', name: 'Ada', password: PASSWORD },
  StudioLinkToken: { token: TOKEN },
  StudioLinkUse: { token: TOKEN, password: PASSWORD, name: 'Bob' },
  StudioMeChange: { name: 'Ada', email: 'ada@example.com' },
  StudioPasswordChange: { current: PASSWORD, password: 'another long password' },
  StudioAccountChange: { name: 'Demo', email: null },
  StudioDeletion: { confirm: 'Demo' },
  StudioNewTemplate: { document: DOCUMENT },
  StudioMove: { folder: 'Spring' },
  StudioRename: { name: 'Spring card' },
  StudioDuplicate: { name: 'Launch card copy' },
  StudioDraftSave: { document: DOCUMENT, baseVersion: 3 },
  StudioPublish: { note: 'New logo' },
  StudioRestore: { note: 'Back to the old logo' },
  StudioDocumentPreview: { document: DOCUMENT, modifications: VALUES, output: 'png' },
  StudioDocumentLayout: { document: DOCUMENT, modifications: VALUES },
  StudioSign: { extension: 'png', parameters: VALUES, expires: LATER },
  StudioRenderRequest: { modifications: VALUES, output: 'pdf' },
  StudioBatchRequest: { rows: [{ name: 'hello', modifications: VALUES }], archive: 'zip', output: 'png' },
  StudioKeyRequest: { name: 'Website', kind: 'live' },
  StudioFontAddition: { family: 'Montserrat' },
  StudioImageChange: { name: 'logo.png', focus: { x: 0.5, y: 0.3 }, folder: 'Logos' },
  StudioInvite: { email: 'bob@example.com', role: 'editor' },
  StudioRole: { role: 'viewer' },
} as const;
