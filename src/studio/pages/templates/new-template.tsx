// Creates a template: a copy of a starter, or a blank canvas in a common size.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import index from '../../../../starters/index.json';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SearchField, SelectField, TextField } from '../../parts/field.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { toastError } from '../../parts/toast.tsx';
import { ApiError, accountPath, call, post, put } from '../../shell/api.ts';
import { STUDIO } from '../../shell/base.ts';
import type { StoredImage, TemplateCard, TemplateDocument } from '../../shell/contract.ts';
import { count } from '../../shell/format.ts';
import { forget } from '../../shell/load.ts';
import type { PagesTexts } from '../../texts/en/pages.ts';
import { texts } from '../../texts/pages.ts';
import { texts as shell } from '../../texts/shell.ts';

interface Preset {
  readonly id: keyof PagesTexts['presets'];
  readonly width: number;
  readonly height: number;
  /** The sheets of a document of many pages. */
  readonly sheet?: 'A4' | 'A5' | 'Letter';
  /** How many pages made by hand it begins with. */
  readonly pages?: number;
}

/** A4, A5 and A6 at 96 px per inch, as in PDF. */
const PRESETS: readonly Preset[] = [
  { id: 'link', width: 1200, height: 630 },
  { id: 'square', width: 1080, height: 1080 },
  { id: 'portrait', width: 1080, height: 1350 },
  { id: 'carousel', width: 1080, height: 1350, pages: 3 },
  { id: 'story', width: 1080, height: 1920 },
  { id: 'video', width: 1280, height: 720 },
  { id: 'banner', width: 1500, height: 500 },
  { id: 'rectangle', width: 300, height: 250 },
  { id: 'leaderboard', width: 728, height: 90 },
  { id: 'a4Document', width: 794, height: 1123, sheet: 'A4' },
  { id: 'letterDocument', width: 816, height: 1056, sheet: 'Letter' },
  { id: 'brochure', width: 559, height: 794, sheet: 'A5', pages: 4 },
  { id: 'a4', width: 794, height: 1123 },
  { id: 'a4Landscape', width: 1123, height: 794 },
  { id: 'label', width: 384, height: 576 },
  { id: 'card', width: 325, height: 204 },
];

/** A blank canvas, or a document of such sheets. */
type Blank = Omit<Preset, 'id'> & { readonly name: string };

type Tab = 'starters' | 'blank';

export function NewTemplate({ accountId, onClose, tab: first }: { accountId: string; onClose: () => void; tab: Tab }) {
  const { route } = useLocation();
  const [tab, setTab] = useState<Tab>(first);
  const { isBusy, run } = useAction(toastError);
  const make = async (create: () => Promise<TemplateCard>) => {
    if (isBusy) return;
    await run(async () => {
      const { id } = await create();
      forget(accountPath(accountId, 'templates'));
      route(`${STUDIO}/a/${accountId}/templates/${id}/edit`);
    });
  };
  const blank = ({ name, width, height, sheet, pages }: Blank) =>
    make(() =>
      post<TemplateCard>(accountPath(accountId, 'templates'), {
        document: pages
          ? blankPages(name, sheet ?? [width, height], pages)
          : sheet
            ? blankDocument(name, sheet)
            : { name, width, height, background: '#ffffff', layers: [] },
      }),
    );
  return (
    <Dialog title={texts.value.templates.newTemplate} onClose={onClose} wide>
      <Tabs
        label={texts.value.templates.startFrom}
        tabs={[
          { name: 'starters', label: texts.value.templates.starters },
          { name: 'blank', label: texts.value.templates.blank },
        ]}
        current={tab}
        onChoose={setTab}
      >
        <div class="tab-space" aria-busy={isBusy}>
          {tab === 'starters' ? (
            <Starters onChoose={(starter) => void make(() => openStarter(accountId, starter))} />
          ) : (
            <BlankSizes onChoose={(size) => void blank(size)} />
          )}
        </div>
      </Tabs>
    </Dialog>
  );
}

function Starters({ onChoose }: { onChoose: (starter: (typeof STARTERS)[number]) => void }) {
  const [kind, setKind] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const shown = STARTERS.filter((one) => (kind === null || one.kind === kind) && isFound(one, search));
  return (
    <div class="gallery">
      <div class="gallery-kinds" role="group" aria-label={texts.value.common.kind}>
        <SearchField
          label={texts.value.templates.searchStarters}
          placeholder={shell.value.frame.search}
          value={search}
          onText={(words) => {
            setSearch(words);
            setKind(null);
          }}
        />
        <button type="button" aria-pressed={kind === null} onClick={() => setKind(null)}>
          {texts.value.templates.all} <span>{STARTERS.length}</span>
        </button>
        {KINDS.map((one) => (
          <button key={one} type="button" aria-pressed={kind === one} onClick={() => setKind(one)}>
            {texts.value.starterKinds[one] ?? one}{' '}
            <span>{STARTERS.filter((starter) => starter.kind === one).length}</span>
          </button>
        ))}
      </div>
      <div class="gallery-list">
        {shown.length === 0 && <p role="status">{texts.value.templates.noStarterMatches}</p>}
        {shown.map((starter) => (
          <button key={starter.id} type="button" class="tile" onClick={() => onChoose(starter)}>
            <span class={starter.page ? 'tile-picture is-pages' : 'tile-picture'}>
              <img src={pictureOf(starter)} alt="" loading="lazy" />
            </span>
            <span>
              <span class="tile-name">{starter.name}</span>
              <span class="card-facts">
                <br />
                {factsOf(starter)}
              </span>
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}

/** px of CSS in each unit that a size may be typed in. */
const PX_IN = { px: 1, mm: 96 / 25.4 };

/** Longest side of a canvas, as in core. */
const MAX_SIDE = 16_384;

/** An empty document: a frame that goes on over its pages, and their number at the foot. */
function blankDocument(name: string, size: Preset['sheet']) {
  const number = {
    name: 'page number',
    type: 'text',
    right: 76,
    bottom: 34,
    fontSize: 11,
    color: '#6b6b6b',
    spans: [{ counter: 'page' }, { text: ' / ' }, { counter: 'pages' }],
  };
  const body = { name: 'body', type: 'frame', flow: true, layout: { gap: 24 }, children: [] };
  return { name, page: { size, margin: '20mm' }, background: '#ffffff', layers: [number, body] };
}

/** Empty pages to be filled by hand. */
function blankPages(name: string, size: string | readonly number[], count: number) {
  const page = (_: unknown, i: number) => ({
    ...{ name: `page-${i + 1}`, type: 'frame', width: '100%', height: '100%', breakBefore: 'page', children: [] },
  });
  const pages = { name: 'pages', type: 'frame', flow: true, children: Array.from({ length: count }, page) };
  return { name, page: { size }, background: '#ffffff', layers: [pages] };
}

function BlankSizes({ onChoose }: { onChoose: (size: Blank) => void }) {
  const [width, setWidth] = useState('1200');
  const [height, setHeight] = useState('630');
  const [unit, setUnit] = useState<keyof typeof PX_IN>('px');
  const sides = [width, height].map((side) =>
    (unit === 'px' ? /^\d+$/ : /^\d+([.,]\d+)?$/).test(side)
      ? Math.round(Number(side.replace(',', '.')) * PX_IN[unit])
      : 0,
  );
  const problems = sides.map((side) =>
    side >= 1 && side <= MAX_SIDE ? null : texts.value.templates.sideBounds(count(MAX_SIDE)),
  );
  return (
    <div class="gallery-list">
      <form
        class="own-size"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (problems.every((problem) => problem === null))
            onChoose({
              name: texts.value.templates.untitled(width, height),
              width: sides[0] ?? 0,
              height: sides[1] ?? 0,
            });
        }}
      >
        <TextField
          label={texts.value.templates.widthIn(unit)}
          inputMode="decimal"
          value={width}
          error={problems[0]}
          onText={setWidth}
        />
        <TextField
          label={texts.value.templates.heightIn(unit)}
          inputMode="decimal"
          value={height}
          error={problems[1]}
          onText={setHeight}
        />
        <SelectField
          label={texts.value.templates.unit}
          value={unit}
          onChoose={(next) => {
            const to = next as keyof typeof PX_IN;
            const inUnit = (side = 0) => String(Math.round((side / PX_IN[to]) * 10) / 10);
            setUnit(to);
            if (sides[0]) setWidth(inUnit(sides[0]));
            if (sides[1]) setHeight(inUnit(sides[1]));
          }}
          options={Object.keys(PX_IN).map((value) => ({ value, label: value }))}
        />
        <Button type="submit">{texts.value.templates.create}</Button>
      </form>
      {PRESETS.map((preset) => {
        const scale = Math.min(116 / preset.width, 96 / preset.height);
        return (
          <button
            key={preset.id}
            type="button"
            class="tile"
            onClick={() => onChoose({ name: texts.value.presets[preset.id], ...preset })}
          >
            <span class="tile-picture">
              <span
                class="tile-blank"
                style={{ width: `${preset.width * scale}px`, height: `${preset.height * scale}px` }}
              />
            </span>
            <span>
              <span class="tile-name">{texts.value.presets[preset.id]}</span>
              <span class="card-facts">
                <br />
                {preset.width} × {preset.height} · {texts.value.aboutPresets[preset.id]}
              </span>
            </span>
          </button>
        );
      })}
    </div>
  );
}

// The starters that come with the studio: finished templates to copy, of which some are samples. See starters/README.md.

interface Starter {
  /** The name of its file without the extension. */
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly width: number;
  readonly height: number;
  /** The size of its pages, such as `A4` or `1080 × 1350`, of a document. */
  readonly page?: string;
  /** How many sizes it comes in, and in which languages, if it is a family. */
  readonly sizes?: number;
  readonly languages?: readonly string[];
  /** Further words that it is looked for by, English and German. */
  readonly words: string;
}

const STARTERS: readonly Starter[] = index.starters;
const KINDS: readonly string[] = [...new Set(STARTERS.map(({ kind }) => kind))];

const documents = import.meta.glob<TemplateDocument | Family>(
  [
    '../../../../starters/*.json',
    '!../../../../starters/index.json',
    '!../../../../starters/kinds.json',
    '!../../../../starters/search.json',
    '../../../../samples/documents/*.json',
  ],
  { import: 'default' },
);
const pictures = import.meta.glob<string>('../../../../starters/rendered/*.webp', {
  import: 'default',
  query: '?url',
  eager: true,
});
const photos = import.meta.glob<string>('../../../../samples/assets/*.jpg', {
  import: 'default',
  query: '?url',
  eager: true,
});

function factsOf({ page, width, height, sizes, languages }: Starter): string {
  if (page) return texts.value.templates.pagesOf(page);
  if (!sizes || !languages) return `${width} × ${height}`;
  return texts.value.templates.sizesAndLanguages(sizes, languages.join(', ').toUpperCase());
}

/** Whether each word of a search begins a word of the starter. */
function isFound({ name, kind, words }: Starter, search: string): boolean {
  const all = ` ${name} ${kind} ${texts.value.starterKinds[kind] ?? ''} ${words}`.toLowerCase();
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return wanted.every((word) => all.includes(` ${word}`));
}

/** The URL of a starter's picture. */
const pictureOf = ({ id }: Starter): string => pictures[`../../../../starters/rendered/${id}.webp`] ?? '';

/** A starter of many sizes brings its brand along, by name. */
interface Family {
  readonly template: TemplateDocument;
  readonly brands: Readonly<Record<string, object>>;
}

const isFamily = (file: TemplateDocument | Family): file is Family => 'brands' in file;

/** Stores a copy of a starter in an account; its photos become images of the account, and its brand one of its brands. */
async function openStarter(accountId: string, { id }: Starter): Promise<TemplateCard> {
  const load = documents[`../../../../starters/${id}.json`] ?? documents[`../../../../samples/documents/${id}.json`];
  const file = await load?.();
  if (!file) throw new Error(texts.value.templates.noStarterCalled(id));
  const { template, brands } = isFamily(file) ? file : { template: file, brands: {} };
  const document = await withOwnPhotos(accountId, template);
  for (const [name, brand] of Object.entries(brands)) await addBrand(accountId, name, brand);
  return post<TemplateCard>(accountPath(accountId, 'templates'), { document });
}

/** Saves a brand, unless the account has one of this name: its owner may have changed the colours, which hold then. */
async function addBrand(accountId: string, name: string, brand: object): Promise<void> {
  try {
    await put(accountPath(accountId, 'brands', name), { baseVersion: 0, brand });
    forget(accountPath(accountId, 'brands'));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}

async function withOwnPhotos(accountId: string, document: TemplateDocument): Promise<TemplateDocument> {
  let text = JSON.stringify(document);
  for (const [source, file] of text.matchAll(/"\.\.\/(?:samples\/)?assets\/([\w-]+\.jpg)"/g)) {
    const address = photos[`../../../../samples/assets/${file}`];
    if (address === undefined || !text.includes(source)) continue;
    const body = await (await fetch(address)).blob();
    const image = await call<StoredImage>('POST', accountPath(accountId, 'images'), {
      body,
      query: { name: file },
      headers: { 'content-type': 'image/jpeg' },
    });
    text = text.replaceAll(source, JSON.stringify(image.url));
  }
  return JSON.parse(text) as TemplateDocument;
}
