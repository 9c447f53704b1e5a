// The brand of the template: which one, and whether there is a newer version of it.

import { toastError } from '../../parts/toast.tsx';
import { useLoad } from '../../shell/load.ts';
import { texts } from '../../texts/editor.ts';
import { setDocument } from '../document/edits.ts';
import type { EditorState } from '../state/editor-state.ts';
import { Select, TextButton } from './controls.tsx';
import { PanelSection } from './panel-section.tsx';

export function BrandSection({ editor }: { editor: EditorState }) {
  const store = editor.host.brands;
  const { data } = useLoad(store && `brands ${store.address('')}`, async () => store?.list() ?? []);
  const brand = editor.document.value.brand;
  const reference = typeof brand === 'string' ? brand : '';
  const [name = '', version] = reference.split('@');
  const brands = data ?? [];
  if (!store || (brands.length === 0 && name === '')) return null;
  const newest = brands.find((one) => one.name === name);
  const isOld = newest !== undefined && version !== undefined && Number(version) < newest.version;
  const choose = async (next: string) => {
    if (next !== '') {
      const chosen = brands.find((one) => one.name === next);
      editor.edit(setDocument({ brand: chosen ? `${next}@${chosen.version}` : next }));
      return;
    }
    const { withoutBrand } = await import('../design/without-brand.ts');
    const plain = withoutBrand(editor.stored.peek(), editor.compositor.designs);
    editor.editStored(() => plain);
  };
  return (
    <PanelSection title={texts.value.inspector.brand}>
      <div class="labelled" data-property="brand">
        <span class="labelled-name">{texts.value.inspector.brand}</span>
        <Select
          label={texts.value.inspector.brand}
          value={name}
          options={[
            ['', texts.value.common.none],
            name !== '' && !newest && [name, name],
            ...brands.map((one) => [one.name, one.name] as const),
          ]}
          onChoose={(next) => void choose(next).catch(toastError)}
        />
      </div>
      {name !== '' && (
        <p class="faint">
          {version === undefined ? texts.value.inspector.newestVersion : texts.value.inspector.versionIs(version)}{' '}
          <a href={store.address(name)} target="_blank" rel="noreferrer">
            {texts.value.inspector.openTheBrand}
          </a>
        </p>
      )}
      {isOld && (
        <TextButton onClick={() => void choose(name)}>{texts.value.inspector.takeVersion(newest.version)}</TextButton>
      )}
    </PanelSection>
  );
}
