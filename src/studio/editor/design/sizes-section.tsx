// Sizes and languages in the Design panel of the canvas: where the first of them is added.

import { useSignal } from '@preact/signals';
import { languagesOf } from '#design/choice.ts';
import { setSignal } from '../../parts/action.ts';
import { Icon } from '../../parts/icon.tsx';
import { plus } from '../../parts/icons.ts';
import { languageName } from '../../parts/language-name.ts';
import { Menu } from '../../parts/menu.tsx';
import { onDemand } from '../../parts/on-demand.tsx';
import { texts } from '../../texts/editor.ts';
import { addLanguage, removeLanguage } from '../core/design/size-edits.ts';
import { sizesOf } from '../core/document/document.ts';
import { TextButton } from '../inspector/controls.tsx';
import { LanguageSelect } from '../inspector/language-select.tsx';
import { PanelSection } from '../inspector/panel-section.tsx';
import { RemoveButton } from '../inspector/segments.tsx';
import { showView, sizeEntries, type ViewsBarProps } from './common-sizes.ts';

const viewsBar = () => import('./views-bar.tsx');
const OwnMeasures = onDemand(async () => (await viewsBar()).OwnMeasures);

export function SizesSection({ editor, viewport }: ViewsBarProps) {
  const stored = editor.stored.value;
  const isAdding = useSignal(false);
  const sizes = Object.entries(sizesOf(stored));
  if (stored.page !== undefined) return null;
  return (
    <PanelSection title={texts.value.design.sizes}>
      {sizes.length > 0 && <p class="faint">{texts.value.design.sizesCount(sizes.length + 1)}</p>}
      <Menu
        entries={sizeEntries(
          (name, width, height) => {
            viewsBar().then(({ add }) => add({ editor, viewport }, name, width, height), editor.host.tellError);
          },
          () => setSignal(isAdding, true),
        )}
      >
        {(attributes) => (
          <button {...attributes} type="button" class="add-button">
            <Icon of={plus} size={14} />
            {texts.value.design.addSize}
          </button>
        )}
      </Menu>
      {isAdding.value && <OwnMeasures {...{ editor, viewport }} onClose={() => setSignal(isAdding, false)} />}
    </PanelSection>
  );
}

export function LanguagesSection({ editor, viewport }: ViewsBarProps) {
  const stored = editor.stored.value;
  const own = typeof stored.lang === 'string' ? stored.lang : null;
  const others = languagesOf(stored as never).filter((tag) => tag !== own);
  // A language is kept with the layers whose words it has: without any, none can be begun.
  if (!stored.layers?.length) return null;
  return (
    <PanelSection title={texts.value.design.languages}>
      {others.map((tag) => (
        <span key={tag} class="removable">
          <TextButton onClick={() => showView({ editor, viewport }, { ...editor.view.peek(), lang: tag })}>
            {languageName(tag)}
          </TextButton>
          <RemoveButton label={languageName(tag)} onRemove={() => editor.editStored(removeLanguage(tag))} />
        </span>
      ))}
      <LanguageSelect
        label={texts.value.design.addLanguage}
        value=""
        none={texts.value.design.addLanguage}
        without={[...others, ...(own === null ? [] : [own])]}
        onTag={(tag) => {
          if (tag === '') return;
          editor.editStored(addLanguage(tag));
          showView({ editor, viewport }, { ...editor.view.peek(), lang: tag });
        }}
      />
      <p class="faint">{texts.value.design.languagesNote}</p>
    </PanelSection>
  );
}
