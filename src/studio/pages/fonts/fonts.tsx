// The fonts of an account: families with their scripts and faces, each shown in its own font; upload and delete.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { SearchField } from '../../parts/field.tsx';
import { trash2, type as typeIcon } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, call, get, remove } from '../../shell/api.ts';
import type { PageProps } from '../../shell/app.tsx';
import type { FontFamily, FontList, FontFace as StoredFace } from '../../shell/contract.ts';
import { plural } from '../../shell/format.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import { mayDo } from '../../shell/session.ts';
import { loadFace, plainestFace, scriptName, specimenOf } from './font-loading.ts';
import './fonts.css';

export default function Fonts({ accountId }: PageProps) {
  const path = accountPath(accountId, 'fonts');
  const { data, error, reload } = useLoad(path, () => get<FontList>(path));
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const [isUploading, setUploading] = useState(false);
  const mayEdit = mayDo(accountId, 'editor');
  const upload = async (files: readonly File[]) => {
    setUploading(true);
    for (const file of files) {
      try {
        const { family } = await call<{ family: string }>('POST', path, {
          body: file,
          headers: { 'content-type': 'application/octet-stream' },
        });
        toast(`${family} can be used now`);
      } catch (err) {
        toastError(err);
      }
    }
    setUploading(false);
    reload();
  };
  const shown = data?.families.filter(({ family }) => family.toLowerCase().includes(search.toLowerCase())) ?? [];
  const chosen = data?.families.find(({ family }) => family === open);
  const facts = (family: FontFamily) => (
    <span class="card-facts">
      {plural(family.faces.length, 'face')}
      {family.scripts.length > 0 && ` · ${family.scripts.slice(0, 3).map(scriptName).join(', ')}`}
      {family.scripts.length > 3 && ` and ${family.scripts.length - 3} more`}
    </span>
  );
  return (
    <>
      <PageHead title="Fonts" intro="What every template can set text in. Yours come before those that are built in." />
      <div class="bar">
        <SearchField label="Search fonts" value={search} onText={setSearch} />
      </div>
      {mayEdit && (
        <DropZone
          icon={typeIcon}
          choose={isUploading ? 'Uploading…' : 'Choose font files'}
          hint="TTF, OTF, WOFF or WOFF2 here"
          accept=".ttf,.otf,.woff,.woff2,.ttc"
          multiple
          onFiles={(files) => void upload(files)}
        />
      )}
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={8} height={72} />}
      {data && shown.length === 0 && (
        <EmptyState
          icon={typeIcon}
          title="No family is called that"
          action={<Button onClick={() => setSearch('')}>Show all</Button>}
        />
      )}
      <div class="families">
        {shown.map((family) => (
          <article key={family.family} class="family">
            <div>
              <h3>
                {family.family} {family.own && <Badge tone="info">Yours</Badge>}
              </h3>
              {facts(family)}
            </div>
            <Specimen accountId={accountId} faces={family.faces} scripts={family.scripts} />
            <Button dense onClick={() => setOpen(family.family)} aria-label={`Faces of ${family.family}`}>
              Faces
            </Button>
          </article>
        ))}
      </div>
      {chosen && (
        <Dialog title={chosen.family} onClose={() => setOpen(null)} wide>
          {chosen.scripts.length > 0 && <p class="muted">{chosen.scripts.map(scriptName).join(', ')}</p>}
          <div>
            {chosen.faces.map((face) => (
              <Face
                key={face.id}
                accountId={accountId}
                face={face}
                scripts={chosen.scripts}
                onGone={
                  face.fontId !== null && mayEdit
                    ? () => {
                        setOpen(null);
                        reload();
                      }
                    : null
                }
              />
            ))}
          </div>
        </Dialog>
      )}
    </>
  );
}

interface SpecimenProps {
  readonly accountId: string;
  readonly faces: readonly StoredFace[];
  readonly scripts: readonly string[];
}

/** A sample line in the family itself, loaded when it scrolls into view. */
function Specimen({ accountId, faces, scripts }: SpecimenProps) {
  const ref = useRef<HTMLParagraphElement>(null);
  const [family, setFamily] = useState<string | null>(null);
  const face = plainestFace(faces);
  useEffect(() => {
    if (!ref.current || !face) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      // Colour emoji are 25 MB, so the system's own are shown instead.
      if (face.isEmoji) setFamily('system-ui');
      else loadFace(accountId, face).then(setFamily, () => setFamily('system-ui'));
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [accountId, face]);
  return (
    <p ref={ref} class="family-specimen" style={family ? { fontFamily: family } : { visibility: 'hidden' }}>
      {specimenOf(scripts, face?.isEmoji ?? false)}
    </p>
  );
}

const WEIGHTS: Readonly<Record<number, string>> = {
  100: 'Thin',
  200: 'Extra Light',
  300: 'Light',
  400: 'Regular',
  500: 'Medium',
  600: 'Semi Bold',
  700: 'Bold',
  800: 'Extra Bold',
  900: 'Black',
};

interface FaceProps {
  readonly accountId: string;
  readonly face: StoredFace;
  readonly scripts: readonly string[];
  /** null: the font cannot be deleted. */
  readonly onGone: (() => void) | null;
}

function Face({ accountId, face, scripts, onGone }: FaceProps) {
  const { wght } = face.axes;
  const weight = wght ? `${wght.min} to ${wght.max}` : `${WEIGHTS[face.weight] ?? ''} ${face.weight}`;
  const drop = async () => {
    try {
      await remove(accountPath(accountId, 'fonts', face.fontId ?? ''));
      toast('The font was deleted');
      onGone?.();
    } catch (err) {
      toastError(err);
    }
  };
  return (
    <div class="specimen-line">
      <div class="form-row" style={{ justifyContent: 'space-between' }}>
        <span class="card-facts">
          {weight}
          {face.style !== 'normal' && `, ${face.style}`}
          {Object.keys(face.axes).length > 0 && ` · axes ${Object.keys(face.axes).join(', ')}`}
        </span>
        {onGone && <IconButton icon={trash2} label="Delete this face" dense onClick={() => void drop()} />}
      </div>
      <Specimen accountId={accountId} faces={[face]} scripts={scripts} />
    </div>
  );
}
