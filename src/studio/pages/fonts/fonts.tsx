// The fonts of an account: families with their scripts and faces, each shown in its own font; upload and delete.

import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { SearchField, TextField } from '../../parts/field.tsx';
import { trash2, type as typeIcon } from '../../parts/icons.ts';
import { Badge, EmptyState, ErrorPanel, SkeletonRows } from '../../parts/states.tsx';
import { toast, toastError } from '../../parts/toast.tsx';
import { accountPath, call, get } from '../../shell/api.ts';
import type {
  FontFamily,
  FontList,
  FontFace as StoredFace,
  StoredFontDetail,
  TemplateUse,
} from '../../shell/contract.ts';
import { PageHead } from '../../shell/frame.tsx';
import { useLoad } from '../../shell/load.ts';
import type { PageProps } from '../../shell/page-props.ts';
import { mayDo } from '../../shell/session.ts';
import { tellUploadsChanged } from '../../shell/uploads.ts';
import { ConfirmDeletion, deleteFont } from '../uploads/delete-upload.tsx';
import { loadFace, plainestFace, scriptName, specimenOf } from './font-loading.ts';
import './fonts.css';
import type { ShellTexts } from '../../texts/en/shell.ts';
import { texts } from '../../texts/pages.ts';
import { texts as shell } from '../../texts/shell.ts';

export default function Fonts({ accountId }: PageProps) {
  const path = accountPath(accountId, 'fonts');
  const { data, error, reload } = useLoad(path, () => get<FontList>(path));
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [isUploading, setUploading] = useState(false);
  const [asking, setAsking] = useState<Doomed | null>(null);
  const mayEdit = mayDo(accountId, 'editor');
  const upload = async (files: readonly File[]) => {
    setUploading(true);
    for (const file of files) {
      try {
        const named = name.trim() === '' ? '' : `?family=${encodeURIComponent(name.trim())}`;
        const { family } = await call<{ family: string }>('POST', path + named, {
          body: file,
          headers: { 'content-type': 'application/octet-stream' },
        });
        toast(texts.value.fonts.isReady(family));
      } catch (err) {
        toastError(err, file.name);
      }
    }
    setUploading(false);
    tellUploadsChanged(accountId);
    reload();
  };
  const drop = ({ face, family }: Pick<Doomed, 'face' | 'family'>) => {
    setAsking(null);
    void deleteFont({
      ...{ accountId, id: face.fontId ?? '' },
      name: `${family} ${describe(face)}`,
      onGone: () => {
        setOpen(null);
        reload();
      },
      onBack: reload,
    });
  };
  const askToDrop = async (face: StoredFace, family: string) => {
    const { usedBy } = await get<StoredFontDetail>(accountPath(accountId, 'fonts', face.fontId ?? ''));
    if (usedBy.length > 0) setAsking({ face, family, usedBy });
    else drop({ face, family });
  };
  const found = data?.families.filter(({ family }) => family.toLowerCase().includes(search.toLowerCase())) ?? [];
  // The account's own before those of the catalogue, and Noto's many scripts at the end, as in the picker.
  const rank = ({ own, family }: FontFamily) => (own ? 0 : family.startsWith('Noto ') ? 2 : 1);
  const shown = found.toSorted((a, b) => rank(a) - rank(b));
  const chosen = data?.families.find(({ family }) => family === open);
  const facts = (family: FontFamily) => (
    <span class="card-facts">
      {texts.value.fonts.stylesCount(family.faces.length)}
      {family.scripts.length > 0 && ` · ${family.scripts.slice(0, 3).map(scriptName).join(', ')}`}
      {family.scripts.length > 3 && texts.value.fonts.moreScripts(family.scripts.length - 3)}
    </span>
  );
  return (
    <>
      <PageHead title={texts.value.fonts.fonts} intro={texts.value.fonts.intro} />
      <div class="bar">
        <SearchField label={texts.value.fonts.searchFonts} value={search} onText={setSearch} />
      </div>
      {mayEdit && (
        <div class="family-upload">
          <TextField
            label={texts.value.fonts.familyName}
            hint={texts.value.fonts.familyNameHint}
            maxLength={100}
            value={name}
            onText={setName}
          />
          <DropZone
            icon={typeIcon}
            choose={isUploading ? texts.value.fonts.uploading : texts.value.fonts.chooseFontFiles}
            hint={texts.value.fonts.dropFiles}
            accept=".ttf,.otf,.woff,.woff2,.ttc"
            multiple
            onFiles={(files) => void upload(files)}
          />
        </div>
      )}
      {error && <ErrorPanel error={error} onRetry={reload} />}
      {!data && !error && <SkeletonRows rows={8} height={72} />}
      {data && shown.length === 0 && (
        <EmptyState
          icon={typeIcon}
          title={texts.value.fonts.noMatch}
          action={<Button onClick={() => setSearch('')}>{texts.value.common.showAll}</Button>}
        />
      )}
      <div class="families">
        {shown.map((family) => (
          <article key={family.family} class="family">
            <div>
              <h3>
                {family.family} {family.own && <Badge tone="info">{texts.value.fonts.yours}</Badge>}
              </h3>
              {facts(family)}
            </div>
            <Specimen accountId={accountId} faces={family.faces} scripts={family.scripts} />
            <Button dense onClick={() => setOpen(family.family)} aria-label={texts.value.fonts.stylesOf(family.family)}>
              {texts.value.fonts.styles}
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
                onDelete={
                  face.fontId !== null && mayEdit ? () => void askToDrop(face, chosen.family).catch(toastError) : null
                }
              />
            ))}
          </div>
        </Dialog>
      )}
      {asking && (
        <ConfirmDeletion
          accountId={accountId}
          templates={asking.usedBy}
          title={texts.value.fonts.deleteTitle(asking.family, describe(asking.face))}
          outcome={texts.value.fonts.deleteNote}
          onConfirm={() => drop(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

/** A face that is to be deleted, and the templates that use its family. */
interface Doomed {
  readonly face: StoredFace;
  readonly family: string;
  readonly usedBy: readonly TemplateUse[];
}

/** `Bold 700, italic`; of a variable font `100 to 900`. */
function describe({ axes: { wght }, weight, style }: StoredFace): string {
  const name = wght
    ? texts.value.fonts.weights(wght.min, wght.max)
    : `${shell.value.weights[weight as keyof ShellTexts['weights']] ?? ''} ${weight}`.trim();
  return style === 'normal' ? name : `${name}, ${style}`;
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

interface FaceProps {
  readonly accountId: string;
  readonly face: StoredFace;
  readonly scripts: readonly string[];
  /** null: the font cannot be deleted. */
  readonly onDelete: (() => void) | null;
}

function Face({ accountId, face, scripts, onDelete }: FaceProps) {
  return (
    <div class="specimen-line">
      <div class="form-row" style={{ justifyContent: 'space-between' }}>
        <span class="card-facts">
          {describe(face)}
          {Object.keys(face.axes).length > 0 && ` · ${texts.value.fonts.axes(Object.keys(face.axes).join(', '))}`}
        </span>
        {onDelete && <IconButton icon={trash2} label={texts.value.fonts.deleteStyle} dense onClick={onDelete} />}
      </div>
      <Specimen accountId={accountId} faces={[face]} scripts={scripts} />
    </div>
  );
}
