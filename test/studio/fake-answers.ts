// The answers of the fake server: an account that has been used for a while.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalog } from '../../src/draw/fonts/catalog.ts';
import type { Session } from '../../src/studio/shell/contract.ts';

const ROOT = join(import.meta.dirname, '../..');
const NOW = Date.parse('2026-11-22T14:00:00Z');
const back = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

const MARA = { id: 'usr_1', name: 'Mara Lindqvist' };
const SAMPLES = [
  ['social-card', 12],
  ['event-ticket', 95],
  ['invoice', 60 * 26],
  ['product-ad', 60 * 50],
  ['quote-card', 60 * 90],
  ['certificate', 60 * 24 * 9],
  ['welcome-poster', 60 * 24 * 30],
] as const;
const cards = SAMPLES.map(([sample, minutes], at) => {
  const { name, width, height } = read(`samples/${sample}.json`);
  return {
    id: `tpl_${sample}`,
    name,
    width,
    height,
    engine: 'layers',
    version: 7 - at,
    hasDraft: at === 1,
    folder: at === 3 ? 'Autumn' : null,
    createdAt: back(60 * 24 * 40),
    updatedAt: back(minutes),
    updatedBy: at === 2 ? null : MARA,
    thumbnail: `/v1/studio/accounts/acc_1/templates/tpl_${sample}/thumbnail?version=1`,
    draftThumbnail: at === 1 ? `/v1/studio/accounts/acc_1/templates/tpl_${sample}/thumbnail?draft=4` : null,
  };
});
const document = read('samples/social-card.json');
const version = (n: number, note: string | null, minutes: number) => ({
  version: n,
  id: `tpl_social-card@${n}`,
  createdAt: back(minutes),
  author: MARA,
  note,
  thumbnail: '/v1/studio/accounts/acc_1/templates/tpl_social-card/thumbnail?version=1',
});
const renders = Array.from({ length: 24 }, (_, at) => ({
  id: `rnd_${at}`,
  kind: at % 7 === 3 ? 'screenshot' : 'render',
  status: at === 0 ? 'processing' : at % 9 === 4 ? 'error' : 'done',
  output: ['png', 'pdf', 'webp'][at % 3],
  size: at % 9 === 4 || at === 0 ? null : 24_000 + at * 31_007,
  error: at % 9 === 4 ? 'photo.src: the image at example.com could not be fetched (404).' : null,
  createdAt: back(at * 37),
  finishedAt: at === 0 ? null : back(at * 37 - 0.01),
  url: at === 0 ? null : '/v1/studio/accounts/acc_1/templates/tpl_social-card/thumbnail',
  template: at % 7 === 3 ? null : { id: 'tpl_social-card', name: cards[at % 5]?.name, version: 3 },
  inline: null,
  values: at % 7 === 3 ? null : 'title: How moss remembers rain, author: J. Doe',
  batch: at % 4 === 2 ? { id: 'blk_1', name: 'autumn.csv', row: at } : null,
  metadata: at % 5 === 1 ? { order: `A-${1040 + at}` } : null,
  warnings: at % 9 === 2 ? ['The text of layer "title" does not fit: it is cut at its last line.', '+3 more'] : [],
  page: at % 7 === 3 ? 'https://example.com/pricing' : null,
}));

const BRAND = {
  name: 'harbour-coffee',
  version: 4,
  colors: {
    primary: '#0f3d3e',
    accent: '#e8793a',
    paper: '#f6f1e7',
    ink: '#1b1b1b',
    dusk: { type: 'linear', angle: 160, stops: [{ color: '#0f3d3e' }, { color: '#e8793a' }] },
  },
  textStyles: {
    headline: { fontFamily: 'Inter', fontSize: 64, fontWeight: 700, color: '#0f3d3e', letterSpacing: -1 },
    note: { fontFamily: 'Inter', fontSize: 22, lineHeight: 1.4, color: '#1b1b1b' },
  },
  fonts: { display: 'Inter' },
  images: { logo: 'img_espresso' },
  numbers: { radius: 12, gap: 24 },
};

/** By path below `/v1/studio/`; `A/` stands for `accounts/{id}/`. */
export const FAKE_ANSWERS: Readonly<Record<string, unknown>> = {
  session: {
    person: { ...MARA, email: 'mara@example.com' },
    accounts: [
      { id: 'acc_1', name: 'Understory', role: 'owner', plan: 'studio' },
      { id: 'acc_2', name: 'Client: Harbour Coffee', role: 'editor', plan: 'free' },
    ],
    sudoUntil: null,
    claimed: true,
    insecure: null,
    minPassword: 12,
    noPasskeys: null,
    provider: { name: 'Understory ID' },
    confirmBy: ['password', 'passkey', 'provider'],
  } satisfies Session,
  me: { ...MARA, email: 'mara@example.com', createdAt: back(60 * 24 * 90) },
  'me/passkeys': {
    items: [
      ...[
        {
          id: 'psk_1',
          name: 'MacBook',
          host: 'img.understory.example',
          createdAt: back(60 * 24 * 60),
          lastUsedAt: back(25),
        },
      ],
      ...[
        {
          id: 'psk_2',
          name: 'Key on the key ring',
          host: 'img.understory.example',
          createdAt: back(60 * 24 * 9),
          lastUsedAt: null,
        },
      ],
    ],
  },
  'me/sessions': {
    items: [
      {
        id: 'ses_1',
        isCurrent: true,
        createdAt: back(600),
        lastUsedAt: back(0),
        expiresAt: back(-40_000),
        address: '127.0.0.1',
        agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0 Safari/537.36',
      },
      {
        id: 'ses_2',
        isCurrent: false,
        createdAt: back(9_000),
        lastUsedAt: back(3_000),
        expiresAt: back(-30_000),
        address: '192.0.2.7',
        agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0',
      },
    ],
  },
  'A/templates': {
    items: cards,
    next: null,
    total: cards.length,
    folders: [{ name: 'Autumn', count: 2 }],
    sizes: [
      { width: 1200, height: 630, count: 3 },
      { width: 1080, height: 1080, count: 2 },
    ],
  },
  'A/templates/tpl_social-card': {
    ...cards[0],
    document,
    draft: { revision: 4, baseVersion: 3, savedAt: back(3), savedBy: MARA },
    newer: [{ kind: 'brand', name: 'harbour-coffee', title: 'harbour-coffee', used: 3, newest: 4 }],
    outdatedUses: 0,
  },
  'A/templates/tpl_social-card/draft': {
    ...{ revision: 4, baseVersion: 3, savedAt: back(3), savedBy: MARA },
    document: { ...document, background: '#20301c' },
  },
  'A/templates/tpl_social-card/versions': {
    items: [
      version(3, 'Warmer dusk, shorter standfirst', 12),
      version(2, null, 60 * 30),
      version(1, 'First issue', 60 * 24 * 8),
    ],
    next: null,
  },
  'A/templates/tpl_social-card/versions/3': { ...version(3, null, 12), document },
  'A/templates/tpl_social-card/versions/2': {
    ...version(2, null, 12),
    document: {
      ...document,
      background: '#000000',
      layers: document.layers.slice(0, 3).map((layer: object) => ({ ...layer, opacity: 0.9 })),
    },
  },
  'A/templates/tpl_social-card/versions/1': { ...version(1, null, 12), document },
  'A/templates/tpl_social-card/signed-url': {
    url: 'http://localhost:3000/v1/templates/tpl_social-card/render.png?title=Hello&sig=4f1d2c88a0',
    expires: null,
  },
  'A/renders': { items: renders, next: 'more' },
  'A/renders/rnd_1': {
    ...renders[1],
    output: 'png',
    modifications: { title: 'How moss remembers rain', author: 'J. Doe' },
    document: null,
  },
  'A/deliveries': {
    items: [
      {
        id: 'whk_1',
        renderId: 'rnd_0',
        url: 'https://hooks.example.com/platen',
        status: 'pending',
        attempts: 2,
        nextAttemptAt: back(-4),
        createdAt: back(9),
        log: [
          { at: back(9), duration: 10_000, status: null, error: 'No answer within 10 s.' },
          { at: back(4), duration: 312, status: 503, error: null },
        ],
      },
      ...['delivered', 'delivered', 'failed', 'delivered', 'refused'].map((status, at) => ({
        id: `whk_${at + 2}`,
        renderId: 'rnd_2',
        url: 'https://hooks.example.com/platen',
        status,
        attempts: status === 'failed' ? 8 : 1,
        nextAttemptAt: null,
        createdAt: back(80 * (at + 1)),
        log: [{ at: back(80), duration: 84, status: 200, error: null }],
      })),
    ],
    next: null,
  },
  'A/brands': {
    items: [
      { name: 'harbour-coffee', version: 4, updatedAt: back(42), outdatedUses: 5 },
      { name: 'understory', version: 1, updatedAt: back(60 * 40), outdatedUses: 0 },
    ],
  },
  'A/brands/harbour-coffee': BRAND,
  'A/brands/harbour-coffee@4': BRAND,
  'A/brands/harbour-coffee/outdated-uses': {
    items: cards.slice(0, 5).map(({ id, name, hasDraft, thumbnail }, at) => ({
      ...{ id, name, version: 1, used: at === 3 ? 2 : 3, hasDraft },
      before: thumbnail,
      after: `${thumbnail}&with=harbour-coffee@4`,
    })),
    ...{ next: null, newest: 4, total: 5 },
  },
  'A/brands/harbour-coffee/versions': {
    items: [4, 3, 2, 1].map((one) => ({ version: one, createdAt: back(42 + 900 * (4 - one)) })),
  },
  'A/brands/understory@1': { ...BRAND, name: 'understory', version: 1, colors: { moss: '#4f6b3a', bark: '#5b4636' } },
  'A/images': {
    items: ['dandelion', 'espresso', 'deep-field'].map((name, at) => ({
      id: `img_${name}`,
      url: `http://localhost:3000/images/${name}.jpg`,
      name: `${name}.jpg`,
      width: 1200,
      height: 800,
      format: 'jpeg',
      size: 120_000 + at * 9_000,
      focus: at === 0 ? { x: 0.3, y: 0.4 } : null,
      folder: at === 1 ? 'Coffee' : null,
      createdAt: back(at * 900),
    })),
    next: null,
    folders: [{ name: 'Coffee', count: 1 }],
  },
  'A/images/img_dandelion': {
    id: 'img_dandelion',
    url: 'http://localhost:3000/images/dandelion.jpg',
    name: 'dandelion.jpg',
    width: 1200,
    height: 800,
    format: 'jpeg',
    size: 120_000,
    focus: { x: 0.3, y: 0.4 },
    folder: null,
    createdAt: back(900),
    usedBy: [{ id: 'tpl_social-card', name: 'Social card: magazine story', inDraft: true }],
  },
  'A/fonts': {
    families: [
      ['Inter', ['Latn', 'Cyrl', 'Grek'], [400, 500, 600, 700]],
      ['Source Serif 4', ['Latn', 'Cyrl'], [400, 600]],
      ['Playfair Display', ['Latn'], [400, 700]],
      ['Noto Sans Arabic', ['Arab'], [400, 700]],
    ].map(([family, scripts, weights], at) => ({
      family,
      own: at === 2,
      scripts,
      faces: (weights as number[]).map((weight) => ({
        id: `${family}-${weight}`,
        fontId: at === 2 ? 'fnt_1' : null,
        weight,
        width: 100,
        style: 'normal',
        axes: {},
        isEmoji: false,
        size: 342_000,
      })),
    })),
    generic: { 'sans-serif': 'Inter' },
    installable: [{ family: 'Montserrat', command: 'platen fonts add "Montserrat"' }],
    canAdd: true,
  },
  'A/keys': {
    items: [
      ['Website', 'live', 'k2Qd', 4, null],
      ['Newsletter', 'live', '9fXa', 60 * 30, null],
      ['CI', 'test', 'Zz81', 60 * 24 * 4, null],
      ['Old shop', 'live', '0bbQ', null, back(900)],
    ].map(([name, kind, lastFour, used, revokedAt], at) => ({
      id: `key_${at}`,
      name,
      kind,
      lastFour,
      createdAt: back(60 * 24 * (at + 3)),
      createdBy: at === 2 ? null : MARA,
      lastUsedAt: used === null ? null : back(used as number),
      revokedAt,
      scope: at === 1 ? { rights: ['render', 'screenshot'], templates: null } : null,
    })),
    next: null,
  },
  'A/secrets': {
    items: [
      { purpose: 'signing', lastFour: 'e81c', createdAt: back(60 * 24 * 40), previous: 0 },
      { purpose: 'webhook', lastFour: '77ab', createdAt: back(60 * 24 * 2), previous: 1 },
    ],
  },
  'A/usage': {
    storedBytes: 48_300_000,
    storageLimit: 10_737_418_240,
    stored: {
      ...{ bytes: 48_300_000, limit: 10_737_418_240 },
      templates: { count: 37, bytes: 1_240_000 },
      images: { count: 112, bytes: 45_900_000 },
      fonts: { count: 4, bytes: 1_130_000 },
      brands: { count: 2, bytes: 30_000 },
      renders: { count: 18_204, bytes: 3_170_000_000, limit: 21_474_836_480 },
    },
    plan: 'studio',
    period: '2026-11',
    quota: 10_000,
    blocks: false,
    used: 6_214,
    reserved: 2,
    overage: 0,
    days: Array.from({ length: 22 }, (_, at) => ({
      day: `2026-11-${String(at + 1).padStart(2, '0')}`,
      count: at % 7 > 4 ? 40 + at : 220 + ((at * 97) % 160),
    })),
    templates: cards.slice(0, 5).map(({ id, name }, at) => ({ id, name, count: Math.round(3_100 / (at + 1)) })),
    other: 214,
  },
  'A/people': {
    people: [
      { ...MARA, email: 'mara@example.com', role: 'owner', isYou: true, since: back(90_000), lastSeenAt: back(0) },
      {
        id: 'usr_2',
        name: 'Jonas Weber',
        email: 'jonas@example.com',
        role: 'editor',
        isYou: false,
        since: back(50_000),
        lastSeenAt: back(140),
      },
      {
        id: 'usr_3',
        name: 'Aiko Tanaka',
        email: 'aiko@example.com',
        role: 'viewer',
        isYou: false,
        since: back(20_000),
        lastSeenAt: null,
      },
    ],
    invitations: [
      {
        id: 'inv_1',
        email: 'sam@example.com',
        role: 'editor',
        createdAt: back(300),
        expiresAt: back(-9_000),
        createdBy: MARA,
      },
    ],
  },
  'A/settings': {
    account: {
      id: 'acc_1',
      name: 'Understory',
      email: 'mara@example.com',
      plan: 'studio',
      role: 'owner',
      createdAt: back(90_000),
    },
    plan: { name: 'studio', quota: 10_000, blocks: false },
    address: 'http://localhost:3000',
    insecure: null,
  },
  'A/audit': {
    items: [
      {
        ...{ id: '3', actor: { kind: 'person', ...MARA }, action: 'template.publish', requestId: null },
        ...{ subject: { id: 'tpl_1', name: 'Launch card' }, detail: 'version 4', createdAt: back(12) },
      },
      {
        ...{ id: '2', actor: { kind: 'key', id: 'key_1', name: 'Deploy' }, action: 'template.create', requestId: null },
        ...{ subject: { id: 'tpl_1', name: 'Launch card' }, detail: null, createdAt: back(300) },
      },
      {
        ...{ id: '1', actor: { kind: 'person', ...MARA }, action: 'member.join', requestId: null },
        ...{ subject: { id: MARA.id, name: MARA.name }, detail: 'owner', createdAt: back(9_000) },
      },
    ],
    next: null,
  },
  'A/embedding': { origins: ['https://app.understory.example'] },
  'A/settings/checks': {
    checks: [
      { name: 'Node', state: 'ok', message: '24.21.0, with SQLite 3.50.' },
      { name: 'Data folder', state: 'ok', message: './data can be written to; 41 GB are free.' },
      { name: 'Chromium', state: 'ok', message: '/usr/bin/chromium, 156.0.' },
      {
        name: 'Address',
        state: 'limited',
        message: 'PLATEN_PUBLIC_URL is not set: links begin with http://localhost:3000.',
      },
    ],
  },
};

/** @param id family and weight, such as `Inter-400`. @returns the path of its file in the family's package */
function faceFile(id: string): string {
  const at = id.lastIndexOf('-');
  const family = readCatalog().families.find((one) => one.family === id.slice(0, at));
  const face = family?.faces.find(({ weight, style }) => weight === Number(id.slice(at + 1)) && style === 'normal');
  return `node_modules/${family?.package}/${face?.file}`;
}

/** Image files by path. */
export const PICTURES: readonly (readonly [RegExp, (path: string) => string])[] = [
  [/(thumbnail|preview)$/, (path) => `samples/rendered/${/tpl_([\w-]+)/.exec(path)?.[1] ?? 'social-card'}.webp`],
  [/^A\/images\/img_[\w-]+\/file$/, (path) => `samples/assets/${/img_([\w-]+)/.exec(path)?.[1]}.jpg`],
  [/^A\/fonts\/faces\//, (path) => faceFile(path.slice('A/fonts/faces/'.length))],
];
