// Creates a template: a copy of a starter, or a blank canvas in a common size.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { toastError } from '../../parts/toast.tsx';
import { accountPath, post } from '../../shell/api.ts';
import type { TemplateCard } from '../../shell/contract.ts';
import { count } from '../../shell/format.ts';
import { forget } from '../../shell/load.ts';
import { KINDS, openStarter, pictureOf, STARTERS } from './starters.ts';

interface Preset {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly about: string;
  /** The sheets of a document of many pages. */
  readonly sheet?: 'A4' | 'Letter';
}

/** A4 and A6 at 96 px per inch, as in PDF. */
const PRESETS: readonly Preset[] = [
  { name: 'Link preview', width: 1200, height: 630, about: 'Open Graph, X, LinkedIn' },
  { name: 'Square post', width: 1080, height: 1080, about: 'Instagram, Facebook' },
  { name: 'Portrait post', width: 1080, height: 1350, about: 'Instagram' },
  { name: 'Story', width: 1080, height: 1920, about: 'Stories, Reels, TikTok' },
  { name: 'Video cover', width: 1280, height: 720, about: 'YouTube' },
  { name: 'Banner', width: 1500, height: 500, about: 'Profile header' },
  { name: 'Medium rectangle', width: 300, height: 250, about: 'Display ad' },
  { name: 'Leaderboard', width: 728, height: 90, about: 'Display ad' },
  { name: 'A4 document', width: 794, height: 1123, about: 'Pages as needed, PDF', sheet: 'A4' },
  { name: 'Letter document', width: 816, height: 1056, about: 'Pages as needed, PDF', sheet: 'Letter' },
  { name: 'A4 page', width: 794, height: 1123, about: 'Document, PDF' },
  { name: 'A4 landscape', width: 1123, height: 794, about: 'Certificate, PDF' },
  { name: 'Shipping label', width: 384, height: 576, about: '4 × 6 in' },
  { name: 'Business card', width: 325, height: 204, about: '86 × 54 mm' },
];

type Tab = 'starters' | 'blank';

interface NewTemplateProps {
  readonly accountId: string;
  readonly onClose: () => void;
  readonly tab: Tab;
}

export function NewTemplate({ accountId, onClose, tab: first }: NewTemplateProps) {
  const { route } = useLocation();
  const [tab, setTab] = useState<Tab>(first);
  const [isBusy, setBusy] = useState(false);
  const make = async (create: () => Promise<TemplateCard>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { id } = await create();
      forget(accountPath(accountId, 'templates'));
      route(`/studio/a/${accountId}/templates/${id}/edit`);
    } catch (err) {
      toastError(err);
      setBusy(false);
    }
  };
  const blank = ({ name, width, height, sheet }: Omit<Preset, 'about'>) =>
    make(() =>
      post<TemplateCard>(accountPath(accountId, 'templates'), {
        document: sheet ? blankDocument(name, sheet) : { name, width, height, background: '#ffffff', layers: [] },
      }),
    );
  return (
    <Dialog title="New template" onClose={onClose} wide>
      <Tabs
        label="Start from"
        tabs={[
          { name: 'starters', label: 'Starters' },
          { name: 'blank', label: 'Blank' },
        ]}
        current={tab}
        onChoose={setTab}
      >
        <div class="tab-space" aria-busy={isBusy}>
          {tab === 'starters' ? (
            <Starters onChoose={(starter) => void make(() => openStarter(accountId, starter))} />
          ) : (
            <Blank onChoose={(size) => void blank(size)} />
          )}
        </div>
      </Tabs>
    </Dialog>
  );
}

function Starters({ onChoose }: { onChoose: (starter: (typeof STARTERS)[number]) => void }) {
  const [kind, setKind] = useState<string | null>(null);
  const shown = STARTERS.filter((one) => kind === null || one.kind === kind);
  return (
    <div class="gallery">
      <div class="gallery-kinds" role="group" aria-label="Kind">
        <button type="button" aria-pressed={kind === null} onClick={() => setKind(null)}>
          All <span>{STARTERS.length}</span>
        </button>
        {KINDS.map((one) => (
          <button key={one} type="button" aria-pressed={kind === one} onClick={() => setKind(one)}>
            {one} <span>{STARTERS.filter((starter) => starter.kind === one).length}</span>
          </button>
        ))}
      </div>
      <div class="gallery-list">
        {shown.map((starter) => (
          <button key={starter.id} type="button" class="tile" onClick={() => onChoose(starter)}>
            <span class="tile-picture">
              <img src={pictureOf(starter)} alt="" loading="lazy" />
            </span>
            <span>
              <span class="tile-name">{starter.name}</span>
              <span class="card-facts">
                <br />
                {starter.width} × {starter.height}
              </span>
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}

/** Longest side of a canvas, as in core. */
const MAX_SIDE = 16_384;

/** An empty document: a frame that goes on over its pages, and their number at the foot. */
function blankDocument(name: string, size: 'A4' | 'Letter') {
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

function Blank({ onChoose }: { onChoose: (size: Omit<Preset, 'about'>) => void }) {
  const [width, setWidth] = useState('1200');
  const [height, setHeight] = useState('630');
  const problems = [width, height].map((side) =>
    /^\d+$/.test(side) && Number(side) >= 1 && Number(side) <= MAX_SIDE ? null : `From 1 to ${count(MAX_SIDE)} px.`,
  );
  return (
    <div class="gallery-list">
      <form
        class="own-size"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (problems.every((problem) => problem === null))
            onChoose({ name: `Untitled ${width} × ${height}`, width: Number(width), height: Number(height) });
        }}
      >
        <TextField label="Width, px" inputMode="numeric" value={width} error={problems[0]} onText={setWidth} />
        <TextField label="Height, px" inputMode="numeric" value={height} error={problems[1]} onText={setHeight} />
        <Button type="submit">Create</Button>
      </form>
      {PRESETS.map((preset) => {
        const scale = Math.min(116 / preset.width, 96 / preset.height);
        return (
          <button key={preset.name} type="button" class="tile" onClick={() => onChoose(preset)}>
            <span class="tile-picture">
              <span
                class="tile-blank"
                style={{ width: `${preset.width * scale}px`, height: `${preset.height * scale}px` }}
              />
            </span>
            <span>
              <span class="tile-name">{preset.name}</span>
              <span class="card-facts">
                <br />
                {preset.width} × {preset.height} · {preset.about}
              </span>
            </span>
          </button>
        );
      })}
    </div>
  );
}
