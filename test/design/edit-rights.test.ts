// Tests which edits somebody with limited rights may make.

import { expect, test } from 'vitest';
import { type EditRights, refusedChange } from '#design/edit-rights.ts';

const DOCUMENT = {
  name: 'Card',
  width: 400,
  height: 200,
  lang: 'en',
  texts: {
    title: { de: 'Hallo', fr: { text: 'Salut', fontSize: 18 } },
    legal: { de: 'Es gelten Bedingungen' },
    logo: { de: 'img_3' },
  },
  sizes: {
    story: { width: 200, height: 400, changes: { title: { text: 'Hi', fontSize: 30 }, photo: false, logo: { x: 9 } } },
  },
  layers: [
    { type: 'shape', name: 'back', fill: '#fff' },
    {
      type: 'frame',
      name: 'head',
      children: [
        { type: 'text', name: 'title', text: 'Hello', fontSize: 20 },
        { type: 'text', name: 'legal', text: 'Terms apply', locked: true },
        { type: 'text', name: 'rich', spans: [{ text: 'one' }, { text: 'two', fontWeight: 700 }] },
      ],
    },
    { type: 'image', name: 'photo', src: 'img_1', width: 100 },
    { type: 'image', name: 'logo', src: 'img_2', width: 100 },
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
type Json = Record<string, any>;
type Change = (document: Json) => void;

function changed(change: Change): Json {
  const after = structuredClone(DOCUMENT) as Json;
  change(after);
  return after;
}

function check(rights: EditRights['rights'], change: Change, expected: string | null): void {
  expect(refusedChange(DOCUMENT, changed(change), { rights, locked: ['logo'] })).toBe(expected);
}

const LOGO = 'The layer "logo" is locked.';
const layer = (document: Json, name: string): Json =>
  [...document.layers, ...document.layers[1].children].find((one: Json) => one.name === name);
const set = (name: string, values: Json) => (document: Json) => void Object.assign(layer(document, name), values);

test('texts and pictures: words', () => check('texts-and-pictures', set('title', { text: 'Bonjour' }), null));
test('texts and pictures: a picture', () =>
  check('texts-and-pictures', set('photo', { src: 'img_9', focus: { x: 0, y: 1 } }), null));
test('texts and pictures: words of spans', () =>
  check('texts-and-pictures', set('rich', { spans: [{ text: 'x', fontWeight: 700 }, { text: 'y' }] }), null));
test('texts and pictures: no new style of words', () =>
  check(
    'texts-and-pictures',
    set('rich', { spans: [{ text: 'x', color: 'red' }] }),
    'Only the words of "rich" may be changed here, not their styles.',
  ));
test('texts and pictures: no size', () =>
  check(
    'texts-and-pictures',
    set('title', { fontSize: 90 }),
    'Only texts and pictures may be changed here, not "fontSize" of the layer "title".',
  ));
test('texts and pictures: no other property of the template', () =>
  check(
    'texts-and-pictures',
    (document) => Object.assign(document, { width: 9 }),
    'Only texts and pictures may be changed here, not the template’s "width".',
  ));
test('texts and pictures: no new layer', () =>
  check(
    'texts-and-pictures',
    (document) => void document.layers.push({ type: 'text', name: 'more' }),
    'Only texts and pictures may be changed here: layers can be neither added nor removed.',
  ));
test('texts and pictures: no locked layer', () => check('texts-and-pictures', set('logo', { src: 'img_9' }), LOGO));
test('texts and pictures: no layer that the template locks', () =>
  check('texts-and-pictures', set('legal', { text: '' }), 'The layer "legal" is locked.'));

const translate = (name: string, lang: string, text: unknown) => (document: Json) => {
  document.texts[name] = { ...document.texts[name], [lang]: text };
};
const inStory = (name: string, change: unknown) => (document: Json) => {
  document.sizes.story.changes[name] = change;
};
const words = (change: Change, expected: string | null) => check('texts-and-pictures', change, expected);

test('texts and pictures: words of a language', () => words(translate('title', 'de', 'Guten Tag'), null));
test('texts and pictures: words of a translation that has a style', () =>
  words(translate('title', 'fr', { text: 'Bonjour', fontSize: 18 }), null));
test('texts and pictures: a first translation', () => words(translate('rich', 'fr', 'un deux'), null));
test('texts and pictures: one with the styles of words', () =>
  words(translate('rich', 'fr', { spans: [{ text: 'un' }, { text: 'deux', fontWeight: 700 }] }), null));
test('texts and pictures: words are taken away again', () =>
  words((document) => void delete document.texts.title.de, null));
test('texts and pictures: no style of a translation', () =>
  words(
    translate('title', 'fr', { text: 'Bonjour', fontSize: 90 }),
    'Only texts and pictures may be changed here, not "fontSize" of the layer "title".',
  ));
test('texts and pictures: no new style of its words', () =>
  words(
    translate('rich', 'fr', { spans: [{ text: 'un', color: 'red' }] }),
    'Only the words of "rich" may be changed here, not their styles.',
  ));
test('texts and pictures: no other language', () =>
  words(translate('title', 'it', 'Ciao'), 'Texts may be changed here only in the template’s languages, not in "it".'));
test('texts and pictures: no translation of a locked layer', () => {
  words(translate('logo', 'de', 'img_9'), LOGO);
  words(translate('legal', 'de', 'Keine'), 'The layer "legal" is locked.');
});
test('texts and pictures: words of a size', () => words(inStory('title', { text: 'Hey', fontSize: 30 }), null));
test('texts and pictures: nothing else of a size', () => {
  words(
    inStory('title', { text: 'Hey', fontSize: 90 }),
    'Only texts and pictures may be changed here, not "fontSize" of the layer "title".',
  );
  words(inStory('photo', 'img_9'), 'Only texts and pictures may be changed here, not "visible" of the layer "photo".');
  words(inStory('logo', { src: 'img_9', x: 9 }), LOGO);
  words(
    (document) => Object.assign(document.sizes.story, { width: 9 }),
    'Only texts and pictures may be changed here, not the size "story".',
  );
  words(
    (document) => Object.assign(document.sizes, { more: { width: 9, height: 9 } }),
    'Only texts and pictures may be changed here, not the size "more".',
  );
});

test('all: translations and sizes', () => {
  check('all', translate('title', 'it', { text: 'Ciao', fontSize: 9 }), null);
  check('all', inStory('title', false), null);
  check('all', (document) => void delete document.sizes.story, null);
});
test('all: a locked layer stays as it is in every language and size', () => {
  check('all', translate('logo', 'de', 'img_9'), LOGO);
  check('all', translate('legal', 'fr', ''), 'The layer "legal" is locked.');
  check('all', inStory('logo', false), LOGO);
  check('all', inStory('legal', { x: 0 }), 'The layer "legal" is locked.');
  const more = (changes: object) => (document: Json) =>
    void Object.assign(document.sizes, { more: { width: 9, height: 9, changes } });
  check('all', more({ logo: { opacity: 0 } }), LOGO);
  check('all', more({ title: { opacity: 0 } }), null);
});
test('all: a size may be renamed', () =>
  check(
    'all',
    (document) => {
      document.sizes = { tall: document.sizes.story };
    },
    null,
  ));

test('all: any property', () => check('all', set('title', { fontSize: 90, color: 'red' }), null));
test('all: a layer is added, another goes', () =>
  check('all', (document) => void document.layers.splice(0, 1, { type: 'text', name: 'more' }), null));
test('all: a locked layer is neither changed', () => check('all', set('logo', { opacity: 0 }), LOGO));
test('all: nor unlocked', () => check('all', set('legal', { locked: false }), 'The layer "legal" is locked.'));
test('all: nor removed', () => check('all', (document) => void document.layers.pop(), LOGO));
test('all: nor doubled', () =>
  check(
    'all',
    (document) => void document.layers.push({ type: 'image', name: 'logo', src: 'img_2', width: 100 }),
    LOGO,
  ));
test('all: nor moved into a frame', () =>
  check('all', (document) => void document.layers[1].children.push(document.layers.pop()), LOGO));
test('all: no brand of the account', () =>
  check(
    'all',
    (document) => Object.assign(document, { brand: 'acme' }),
    'This document may not use "acme", which it did not use before.',
  ));
test('all: no other template of the account', () =>
  check(
    'all',
    (document) => void document.layers.push({ type: 'template', name: 'x', template: 'tpl_1' }),
    'This document may not use "tpl_1", which it did not use before.',
  ));
test('no picture of a page that the server captures', () =>
  check(
    'texts-and-pictures',
    set('photo', { src: 'screenshot:https://example.com/' }),
    'This document may not use "screenshot:https://example.com/", which it did not use before.',
  ));
