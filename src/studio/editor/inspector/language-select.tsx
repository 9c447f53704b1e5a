// Chooses a language by its name; one that is not in the list is typed as a tag.

import { useSignal } from '@preact/signals';
import { LanguageTag } from '#core/template/text-layer.ts';
import { languageName, namedLanguages } from '../../parts/language-name.ts';
import { texts } from '../../texts/editor.ts';
import { Select } from './controls.tsx';
import { misfit } from './schema.ts';
import { TypedField } from './typed-field.tsx';

/** No language has this tag. */
const OTHER = 'other…';

interface LanguageSelectProps {
  readonly label: string;
  /** BCP 47; empty: none is chosen. */
  readonly value: string;
  /** What is shown where none is chosen. */
  readonly none: string;
  /** Languages that are not offered. */
  readonly without?: readonly string[];
  /** @param tag empty for none */
  readonly onTag: (tag: string) => void;
}

export function LanguageSelect({ label, value, none, without = [], onTag }: LanguageSelectProps) {
  const isTyped = useSignal(false);
  if (isTyped.value) {
    return (
      <TypedField
        aria-label={texts.value.design.languageTag}
        placeholder="en-IE"
        shown={value}
        problemOf={(text) => (text.trim() === '' ? null : misfit(LanguageTag, text.trim()))}
        onText={(text) => {
          isTyped.value = false;
          onTag(text.trim());
        }}
      />
    );
  }
  const named = namedLanguages().filter(([tag]) => !without.includes(tag));
  return (
    <Select
      label={label}
      value={value}
      options={[
        ['', none],
        value !== '' && !named.some(([tag]) => tag === value) && [value, languageName(value)],
        ...named,
        [OTHER, texts.value.design.anotherLanguage],
      ]}
      onChoose={(tag) => {
        if (tag === OTHER) isTyped.value = true;
        else onTag(tag);
      }}
    />
  );
}
