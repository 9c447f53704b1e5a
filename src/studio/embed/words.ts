// The words around the embedded editor, by language: its bar, its content panel, and its messages. Those of the editor's
// own panels are English.

import { language } from './look.ts';

const ENGLISH = {
  editor: 'Editor',
  done: 'Done',
  publish: 'Publish',
  undo: 'Undo',
  redo: 'Redo',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit',
  saved: 'Saved',
  saving: 'Saving…',
  notSaved: 'Not saved, trying again',
  published: 'Version {version} is live.',
  content: 'Texts and pictures',
  text: 'Text',
  replace: 'Replace the picture',
  upload: 'Upload a picture',
  address: 'Or the address of a picture',
  useAddress: 'Use the address',
  choose: 'Choose a picture for “{layer}”',
  nothing: 'This template has no texts or pictures that may be changed.',
  changed: 'This template was changed elsewhere. What you do here is not saved.',
  load: 'Load what was saved',
  expired: 'This editor is no longer open',
};

type Words = typeof ENGLISH;

const GERMAN: Words = {
  editor: 'Editor',
  done: 'Fertig',
  publish: 'Veröffentlichen',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  fit: 'Einpassen',
  saved: 'Gespeichert',
  saving: 'Wird gespeichert …',
  notSaved: 'Nicht gespeichert, neuer Versuch',
  published: 'Version {version} ist veröffentlicht.',
  content: 'Texte und Bilder',
  text: 'Text',
  replace: 'Bild ersetzen',
  upload: 'Bild hochladen',
  address: 'Oder die Adresse eines Bildes',
  useAddress: 'Adresse verwenden',
  choose: 'Bild für „{layer}“ wählen',
  nothing: 'Diese Vorlage hat keine Texte oder Bilder, die geändert werden dürfen.',
  changed: 'Diese Vorlage wurde anderswo geändert. Änderungen hier werden nicht gespeichert.',
  load: 'Gespeicherten Stand laden',
  expired: 'Dieser Editor ist nicht mehr geöffnet',
};

/** By the primary subtag; other languages get English. */
const BY_LANGUAGE: Readonly<Record<string, Words>> = { en: ENGLISH, de: GERMAN };

/** A text in the language of the page around. `values` take the places of `{name}`. */
export function say(word: keyof Words, values: Readonly<Record<string, string | number>> = {}): string {
  const words = BY_LANGUAGE[language.value.split('-')[0]?.toLowerCase() ?? ''] ?? ENGLISH;
  return words[word].replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''));
}
