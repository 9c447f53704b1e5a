// The brand and the components of the canvas of which there is a newer version: each is updated wherever the template shows it.

import { pinnedIn } from '#design/references-in.ts';
import { useLoad } from '../../shell/load.ts';
import { texts } from '../../texts/editor.ts';
import { type RawDocument, walk } from '../core/document/document.ts';
import { setDocument, setLayer } from '../core/document/edits.ts';
import type { EditorHost } from '../core/host.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { TextButton } from '../inspector/controls.tsx';
import { PanelSection } from '../inspector/panel-section.tsx';

/** Components that are asked about. */
const MOST = 20;

export function NewerComponents({ editor }: { readonly editor: EditorState }) {
  const store = editor.host.templates;
  const used = pinnedIn(editor.document.value).filter(({ kind }) => kind === 'template');
  const ids = used.slice(0, MOST).map(({ name }) => name);
  const { data } = useLoad(store && ids.length > 0 ? `newest ${ids.join()}` : null, () => newestOf(store, ids));
  const { designs } = editor.compositor;
  const newer = used.flatMap(({ name, version }) => {
    const newest = data?.get(name) ?? 0;
    return newest > version ? [{ id: name, version, newest }] : [];
  });
  if (newer.length === 0) return null;
  return (
    <PanelSection title={texts.value.library.parts.components}>
      {newer.map(({ id, version, newest }) => {
        const shown = designs.known.value >= 0 ? designs.templates.get(`${id}@${version}`) : undefined;
        const title = (shown as RawDocument | undefined)?.name ?? id;
        const update = async () => {
          // First, so that the canvas does not lose the component meanwhile.
          await designs.load({ brands: [], templates: [`${id}@${newest}`] });
          editor.edit((document) => withComponent(document, id, newest));
        };
        return (
          <div key={id}>
            <p>
              {title} <span class="faint">{texts.value.design.version(version)}</span>
            </p>
            <TextButton
              aria-label={texts.value.design.takeVersionOf(newest, title)}
              onClick={() => void update().catch(editor.host.tellError)}
            >
              {texts.value.inspector.takeVersion(newest)}
            </TextButton>
          </div>
        );
      })}
    </PanelSection>
  );
}

/** Offers the newest version of the template's brand, where it uses an older one. */
export function NewerBrand({ editor }: { readonly editor: EditorState }) {
  const { brands } = editor.host;
  const { data } = useLoad(brands && `brands ${brands.address('')}`, async () => brands?.list() ?? []);
  const [name, version] = String(editor.document.value.brand ?? '').split('@');
  const newest = data?.find((one) => one.name === name)?.version ?? 0;
  if (version === undefined || newest <= Number(version)) return null;
  return (
    <TextButton onClick={() => editor.edit(setDocument({ brand: `${name}@${newest}` }))}>
      {texts.value.inspector.takeVersion(newest)}
    </TextButton>
  );
}

/** The newest version of each template that is there. */
async function newestOf(store: EditorHost['templates'], ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.allSettled(ids.map((id) => store?.find(id)));
  return new Map(
    found.flatMap((one, at) =>
      one.status === 'fulfilled' && one.value ? [[ids[at] ?? '', one.value.version] as const] : [],
    ),
  );
}

/** With a version of a component in place of older ones. */
function withComponent(document: RawDocument, id: string, version: number): RawDocument {
  const old = [...walk(document.layers)].filter(({ layer: { template } }) => {
    const [name, pinned] = String(template ?? '').split('@');
    return name === id && Number(pinned) < version;
  });
  return old.reduce((changed, { layer }) => setLayer(layer.name, { template: `${id}@${version}` })(changed), document);
}
