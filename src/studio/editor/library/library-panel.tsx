// The library at the left of the canvas: components, the brand, pictures and fonts. A click applies an item to the selection or
// inserts it; it can be dragged onto the canvas too.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { image, layoutTemplate, palette, type } from '../../parts/icons.ts';
import { Radios } from '../../parts/radios.tsx';
import { useLoad } from '../../shell/load.ts';
import { texts } from '../../texts/editor.ts';
import { keysShown } from '../browser.ts';
import type { ListedTemplate } from '../core/host.ts';
import type { EditorParts } from '../core/open-editor.ts';
import { selectedTexts } from '../core/state/actions.ts';
import { type BrandNames, brandOf, resolved, withTextStyle } from '../core/state/brand-names.ts';
import type { EditorState } from '../core/state/editor-state.ts';
import { addItem, type LibraryItem } from '../core/state/library.ts';
import type { LibraryPart } from '../core/state/mode.ts';
import { NewerBrand } from '../design/newer-components.tsx';
import { TextButton } from '../inspector/controls.tsx';
import { cssOf, type FillValue } from '../inspector/fill.ts';
import { FontList } from '../inspector/font-list.tsx';
import { ImageLibrary } from '../inspector/image-library.tsx';
import { BrandContext } from '../inspector/inspector-context.ts';
import { type Dragged, useDragOut } from './drag-out.ts';
import './library.css';

const ICONS = { components: layoutTemplate, brand: palette, pictures: image, fonts: type };
/** ms after the last letter until a search is sent. */
const PAUSE = 200;

/** The parts that an editor has. */
function partsOf({ host }: EditorState): readonly LibraryPart[] {
  const { templates, pictures } = host;
  const hasPictures = pictures.list !== null || pictures.upload !== null;
  return [
    ...(templates ? ['components' as const] : []),
    'brand',
    ...(hasPictures ? ['pictures' as const] : []),
    'fonts',
  ];
}

export function LibraryPanel({ parts, part: asked }: { readonly parts: EditorParts; readonly part: LibraryPart }) {
  const { editor, viewport, library } = parts;
  const [typed, setTyped] = useState('');
  const search = useLater(typed);
  const available = partsOf(editor);
  const part = available.includes(asked) ? asked : (available[0] ?? 'fonts');
  const names = texts.value.library.parts;
  const brand = brandOf(editor);
  const apply = (item: LibraryItem) => void addItem(editor, item, null);
  const drop =
    (item: LibraryItem): Dragged =>
    (at) =>
      void addItem(editor, item, viewport.toCanvas(at));
  const offered = { editor, apply, drop, search };
  return (
    <BrandContext.Provider value={brand}>
      <div class="library">
        <Radios
          look="segments"
          label={texts.value.library.library}
          choices={available.map((one) => ({
            ...{ value: one, title: names[one], label: names[one] },
            content: <Icon of={ICONS[one]} size={16} />,
          }))}
          isChosen={(one) => one === part}
          onChoose={(one) => {
            library.value = one;
          }}
        />
        <h3 class="library-title">{names[part]}</h3>
        {part !== 'fonts' && (
          <input
            class="input is-dense"
            type="search"
            aria-label={texts.value.library.searchIn(names[part])}
            placeholder={texts.value.library.search}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {part === 'components' && <Components {...offered} />}
        {part === 'brand' && <Brand {...offered} brand={brand} />}
        {part === 'pictures' && (
          <ImageLibrary
            pictures={editor.host.pictures}
            search={search}
            onChoose={(src, size) => apply({ kind: 'picture', src, ...(size && { size }) })}
            onDrop={({ src, size }) => drop({ kind: 'picture', src, ...(size && { size }) })}
          />
        )}
        {part === 'fonts' && (
          <FontList
            editor={editor}
            current={fontOf(editor, brand)}
            onChoose={(family) => apply({ kind: 'font', family })}
            onAdded={(family) => selectedTexts(editor).length > 0 && apply({ kind: 'font', family })}
            drag={(family) => drop({ kind: 'font', family })}
          />
        )}
      </div>
    </BrandContext.Provider>
  );
}

/** The family of the selected text, '' if there is none. */
function fontOf(editor: EditorState, brand: BrandNames | null | undefined): string {
  const layer = editor.selectedLayers.value.find(({ type }) => type === 'text');
  const fontFamily = layer && withTextStyle(layer, brand).fontFamily;
  return String((Array.isArray(fontFamily) ? fontFamily[0] : fontFamily) ?? '');
}

/** What was typed, once nothing was for a moment. */
function useLater(typed: string): string {
  const [later, setLater] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setLater(typed.trim()), typed === '' ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return later;
}

interface OfferedProps {
  readonly editor: EditorState;
  readonly search: string;
  readonly apply: (item: LibraryItem) => void;
  readonly drop: (item: LibraryItem) => Dragged;
}

interface ItemProps {
  readonly look: string;
  readonly label: string;
  readonly onUse: () => void;
  readonly onDrop: Dragged;
  readonly children: ComponentChildren;
}

function Item({ look, label, onUse, onDrop, children }: ItemProps) {
  return (
    <button type="button" class={look} title={label} aria-label={label} {...useDragOut(onDrop, onUse)}>
      {children}
    </button>
  );
}

function Components({ editor, search, apply, drop }: OfferedProps) {
  return (
    <ComponentList
      editor={editor}
      search={search}
      item={(one) => {
        const item = { kind: 'component', reference: `${one.id}@${one.version}`, name: one.name } as const;
        return (
          <Item key={one.id} look="library-card" label={one.name} onUse={() => apply(item)} onDrop={drop(item)}>
            <ComponentCard {...one} />
          </Item>
        );
      }}
    />
  );
}

const ComponentCard = ({ picture, name }: Pick<ListedTemplate, 'picture' | 'name'>) => (
  <>
    <img src={picture} alt="" loading="lazy" draggable={false} />
    <span class="truncate">{name}</span>
  </>
);

interface ComponentListProps {
  readonly editor: EditorState;
  readonly search: string;
  readonly item: (template: ListedTemplate) => ComponentChildren;
}

/** The templates that can be components, by folder. */
function ComponentList({ editor, search, item }: ComponentListProps) {
  const { templates, key } = editor.host;
  const { data, error } = useLoad(
    templates && `components of ${key} ${search}`,
    async () => templates?.list(search) ?? [],
  );
  if (error) return <p class="field-error">{error.message}</p>;
  if (!data) return <p class="faint">{texts.value.library.loading}</p>;
  if (data.length === 0)
    return (
      <p class="faint">
        {search ? texts.value.library.nothing : texts.value.library.noComponents(keysShown('Mod+Alt+K'))}
      </p>
    );
  const folders = Map.groupBy(data, ({ folder }) => folder ?? '');
  return [...folders]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([folder, list]) => (
      <section key={folder} aria-label={folder || texts.value.library.parts.components}>
        {folder !== '' && <h4 class="library-group">{folder}</h4>}
        <div class="library-grid">{list.map(item)}</div>
      </section>
    ));
}

/** The components to show in the place of one, in a panel. */
export function SwapList({ editor, onChoose }: { editor: EditorState; onChoose: (reference: string) => void }) {
  const [typed, setTyped] = useState('');
  const search = useLater(typed);
  return (
    <div class="library is-panel">
      <input
        class="input is-dense"
        type="search"
        aria-label={texts.value.library.searchIn(texts.value.library.parts.components)}
        placeholder={texts.value.library.search}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <ComponentList
        editor={editor}
        search={search}
        item={({ id, version, name, picture }) => (
          <button key={id} type="button" class="library-card" title={name} onClick={() => onChoose(`${id}@${version}`)}>
            <ComponentCard name={name} picture={picture} />
          </button>
        )}
      />
    </div>
  );
}

function Brand({
  editor,
  brand,
  search,
  apply,
  drop,
}: OfferedProps & { readonly brand: BrandNames | null | undefined }) {
  if (brand === undefined) return <p class="faint">{texts.value.library.loading}</p>;
  if (brand === null) return <ChooseBrand editor={editor} />;
  const found = (entries: Readonly<Record<string, unknown>>) =>
    Object.entries(entries).filter(([name]) => name.toLowerCase().includes(search.toLowerCase()));
  const [colors, styles, logos] = [found(brand.colors), found(brand.textStyles), found(brand.images)];
  if (colors.length + styles.length + logos.length === 0) return <p class="faint">{texts.value.library.nothing}</p>;
  return (
    <>
      <NewerBrand editor={editor} />
      <Group title={texts.value.library.colors} look="library-colors" isThere={colors.length > 0}>
        {colors.map(([name, color]) => {
          const item = { kind: 'color', color: `$${name}` } as const;
          return (
            <Item key={name} look="library-color" label={name} onUse={() => apply(item)} onDrop={drop(item)}>
              <span class="swatch">
                <span class="swatch-color" style={{ background: cssOf(color as FillValue) }} />
              </span>
              <span class="truncate">{name}</span>
            </Item>
          );
        })}
      </Group>
      <Group title={texts.value.library.textStyles} look="library-list" isThere={styles.length > 0}>
        {styles.map(([name, style]) => {
          const item = { kind: 'text-style', style: `$${name}` } as const;
          const { fontSize, fontFamily, fontWeight } = style as Readonly<Record<string, unknown>>;
          const family = resolved(Array.isArray(fontFamily) ? fontFamily[0] : fontFamily, brand.fonts);
          const facts = [family, fontWeight, fontSize].filter((one) => one !== undefined).join(' ');
          return (
            <Item key={name} look="library-style" label={name} onUse={() => apply(item)} onDrop={drop(item)}>
              <span class="truncate" style={{ fontWeight: Number(fontWeight) || 400 }}>
                {name}
              </span>
              <span class="faint truncate">{facts}</span>
            </Item>
          );
        })}
      </Group>
      <Group title={texts.value.library.logos} look="library-grid" isThere={logos.length > 0}>
        {logos.map(([name, src]) => {
          const item = { kind: 'logo', src: `$${name}` } as const;
          return (
            <Item key={name} look="library-card" label={name} onUse={() => apply(item)} onDrop={drop(item)}>
              <Logo editor={editor} src={String(src)} />
              <span class="truncate">{name}</span>
            </Item>
          );
        })}
      </Group>
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly look: string;
  readonly isThere: boolean;
  readonly children: ComponentChildren;
}

const Group = ({ title, look, isThere, children }: GroupProps) =>
  isThere && (
    <section aria-label={title}>
      <h4 class="library-group">{title}</h4>
      <div class={look}>{children}</div>
    </section>
  );

/** A picture of the brand, read as the canvas reads it. */
function Logo({ editor, src }: { readonly editor: EditorState; readonly src: string }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isOver = false;
    editor.host.readImage(src).then(
      (bytes) => {
        if (isOver) return;
        // A browser guesses the format of pixels, but not that of an SVG.
        const type = bytes[0] === 0x3c ? 'image/svg+xml' : '';
        made = URL.createObjectURL(new Blob([bytes], { type }));
        setAddress(made);
      },
      () => {},
    );
    return () => {
      isOver = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [editor, src]);
  return address === null ? <Icon of={image} size={16} /> : <img src={address} alt="" draggable={false} />;
}

function ChooseBrand({ editor }: { readonly editor: EditorState }) {
  const store = editor.host.brands;
  const { data } = useLoad(store && `brands ${store.address('')}`, async () => store?.list() ?? []);
  return (
    <>
      <p class="faint">{data?.length === 0 || !store ? texts.value.library.noBrands : texts.value.library.noBrand}</p>
      {data?.map(({ name, version }) => (
        <TextButton
          key={name}
          onClick={() => editor.editStored((document) => ({ ...document, brand: `${name}@${version}` }))}
        >
          {texts.value.library.takeBrand(name)}
        </TextButton>
      ))}
    </>
  );
}
