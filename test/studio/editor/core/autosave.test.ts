// Tests how the draft is saved: when, what becomes of it without a server, beside other people's saves, and at the end.

import { expect, test } from 'vitest';
import { MemoryStorage } from '../../../../src/studio/editor/core/clock.ts';
import type { RawDocument } from '../../../../src/studio/editor/core/document/document.ts';
import { setLayer } from '../../../../src/studio/editor/core/document/edits.ts';
import { unsavedDocument } from '../../../../src/studio/editor/core/state/autosave.ts';
import { settled, TestDrafts, TestEditor } from '../test-editor.ts';

const CARD: RawDocument = {
  name: 'Card',
  width: 400,
  height: 300,
  layers: [{ type: 'shape', name: 'box', x: 10, y: 10, width: 50, height: 50 }],
};

function open(kept = new MemoryStorage()) {
  const drafts = new TestDrafts(CARD);
  const at = new TestEditor(CARD, { drafts, kept });
  const { autosave } = at.parts;
  const move = (x: number) => at.editor.edit(setLayer('box', { x }));
  const state = () => autosave.state.peek().kind;
  const x = (document: RawDocument | undefined) => document?.layers?.[0]?.x;
  const unsaved = () => kept.getItem('platen-unsaved tpl_test');
  return { at, drafts, autosave, move, state, x, unsaved, kept };
}

test('an edit is saved 600 ms after the last one', async () => {
  const { at, drafts, move, state, x } = open();
  move(11);
  expect(state()).toBe('unsaved');
  await at.pass(500);
  move(12);
  await at.pass(599);
  expect(drafts.sent).toEqual([]);
  await at.pass(1);
  expect([state(), drafts.sent.length, x(drafts.document)]).toEqual(['saved', 1, 12]);
  await at.pass(10_000);
  expect(drafts.sent.length).toBe(1);
});

test('edits without a pause are saved 1.5 s after the first', async () => {
  const { at, drafts, move } = open();
  for (let i = 0; i < 14; i++) {
    move(20 + i);
    await at.pass(100);
  }
  expect(drafts.sent).toEqual([]);
  move(40);
  await at.pass(100);
  expect(drafts.sent.length).toBe(1);
});

test('an edit that is taken back at once is not saved', async () => {
  const { at, drafts, move, state } = open();
  move(11);
  at.editor.undo();
  expect(state()).toBe('saved');
  await at.pass(5_000);
  expect(drafts.sent).toEqual([]);
});

test('what is edited while a save runs is kept in the browser, and saved after it', async () => {
  const { at, drafts, move, state, x, unsaved } = open();
  drafts.answers = 'waits';
  move(11);
  await at.pass(600);
  expect(state()).toBe('saving');
  move(12);
  await at.pass(600);
  expect(drafts.sent.length).toBe(1);
  expect(JSON.parse(unsaved() ?? '').document.layers[0].x).toBe(12);
  await drafts.letGo();
  await at.pass(600);
  expect([state(), x(drafts.document), drafts.sent.length]).toEqual(['saved', 12, 2]);
  expect(unsaved()).toBeNull();
});

test('without a server it says so, and tries again every three seconds until it is back', async () => {
  const { at, drafts, move, state, x, unsaved } = open();
  drafts.answers = 'loses the request';
  move(11);
  await at.pass(600);
  expect(state()).toBe('failed');
  // It goes on saying so while somebody types.
  move(12);
  expect(state()).toBe('failed');
  await at.pass(2_000);
  expect([state(), drafts.sent.length]).toEqual(['failed', 1]);
  expect(JSON.parse(unsaved() ?? '').document.layers[0].x).toBe(12);
  drafts.answers = 'saves';
  await at.pass(3_000);
  expect([state(), x(drafts.document)]).toEqual(['saved', 12]);
  expect(unsaved()).toBeNull();
});

test('a try again saves what was edited meanwhile, and once', async () => {
  const { at, drafts, move, state, x } = open();
  drafts.answers = 'loses the request';
  move(11);
  await at.pass(600);
  drafts.answers = 'saves';
  await at.pass(2_900);
  move(12);
  await at.pass(100);
  expect([state(), x(drafts.document), drafts.sent.length]).toEqual(['saved', 12, 2]);
  await at.pass(5_000);
  expect(drafts.sent.length).toBe(2);
});

test('a save that was stored and never answered is no other person’s', async () => {
  const { at, drafts, move, state, x } = open();
  drafts.answers = 'loses the answer';
  move(11);
  await at.pass(600);
  expect([state(), drafts.revision]).toEqual(['failed', 1]);
  move(12);
  drafts.answers = 'saves';
  await at.pass(3_000);
  expect([state(), x(drafts.document), drafts.revision]).toEqual(['saved', 12, 2]);
});

test('a save that was lost, and then somebody else’s, is told of', async () => {
  const { at, drafts, move, state } = open();
  drafts.answers = 'loses the request';
  move(11);
  await at.pass(600);
  drafts.answers = 'saves';
  drafts.store({ ...CARD, name: 'Theirs' });
  await at.pass(3_000);
  expect([state(), drafts.document.name]).toEqual(['changed', 'Theirs']);
});

test('over what somebody else saved nothing is saved, until the user chooses', async () => {
  const { at, drafts, autosave, move, state, unsaved } = open();
  drafts.store({ ...CARD, name: 'Theirs' });
  move(11);
  await at.pass(600);
  expect(autosave.state.peek()).toMatchObject({ kind: 'changed', by: { name: 'Bea' } });
  move(12);
  await at.pass(10_000);
  await autosave.flush();
  expect([drafts.sent.length, drafts.document.name]).toEqual([1, 'Theirs']);
  expect(JSON.parse(unsaved() ?? '').document.layers[0].x).toBe(12);
  await autosave.loadTheirs();
  expect([state(), at.document.name, unsaved()]).toEqual(['saved', 'Theirs', null]);
  // Undo does not lead back to what was given up.
  at.editor.undo();
  expect(at.document.name).toBe('Theirs');
  move(13);
  await at.pass(600);
  expect([state(), drafts.revision]).toEqual(['saved', 2]);
});

test('one’s own changes beside somebody else’s become a copy', async () => {
  const { at, drafts, autosave, move, unsaved } = open();
  drafts.store({ ...CARD, name: 'Theirs' });
  move(11);
  await at.pass(600);
  expect(await autosave.saveAsCopy()).toBe('tpl_copy');
  expect(drafts.copies).toMatchObject([{ name: 'Card (copy)', layers: [{ x: 11 }] }]);
  expect(unsaved()).toBeNull();
});

test('a document that the server refuses is tried again, without asking whether it was stored', async () => {
  const { at, drafts, autosave, move, state } = open();
  drafts.answers = 'refuses';
  move(11);
  await at.pass(600);
  expect(autosave.state.peek()).toEqual({ kind: 'failed', message: 'The document is too large.' });
  // A draft of somebody else with the very document would be taken for one's own.
  drafts.read = () => Promise.reject(new Error('It is not asked.'));
  move(12);
  drafts.answers = 'saves';
  await at.pass(3_000);
  expect(state()).toBe('saved');
});

test('a page that is hidden or closed saves at once, and tries no more', async () => {
  const { at, drafts, autosave, move, x, unsaved } = open();
  move(11);
  await autosave.flush();
  expect([x(drafts.document), drafts.sent.length]).toEqual([11, 1]);
  await at.pass(5_000);
  expect(drafts.sent.length).toBe(1);
  move(12);
  drafts.answers = 'loses the request';
  autosave.dispose();
  await settled();
  expect(drafts.sent.length).toBe(2);
  move(13);
  await at.pass(60_000);
  expect(drafts.sent.length).toBe(2);
  expect(JSON.parse(unsaved() ?? '').document.layers[0].x).toBe(12);
});

test('closed while a save runs, the newer document is kept and sent after it', async () => {
  const { at, drafts, autosave, move, x, unsaved } = open();
  drafts.answers = 'waits';
  move(11);
  await at.pass(600);
  move(12);
  autosave.dispose();
  expect(JSON.parse(unsaved() ?? '').document.layers[0].x).toBe(12);
  await drafts.letGo();
  expect([x(drafts.document), unsaved()]).toEqual([12, null]);
});

test('publishing saves first, and what is published needs no further save', async () => {
  const { at, drafts, autosave, move, x } = open();
  move(11);
  expect(await autosave.publish('')).toBe(2);
  expect([drafts.sent.length, x(drafts.published[0])]).toEqual([1, 11]);
  expect([autosave.version.peek(), autosave.hasDraft.peek()]).toEqual([2, false]);
  await at.pass(5_000);
  expect([drafts.sent.length, autosave.hasDraft.peek()]).toEqual([1, false]);
});

test('what was edited while a save ran is published, and not saved once more', async () => {
  const { at, drafts, autosave, move, x } = open();
  drafts.answers = 'waits';
  move(11);
  const saving = autosave.flush();
  await settled();
  move(12);
  const publishing = autosave.publish('');
  await drafts.letGo();
  await Promise.all([saving, publishing]);
  await at.pass(5_000);
  expect([drafts.sent.length, x(drafts.published[0]), autosave.hasDraft.peek()]).toEqual([2, 12, false]);
});

test('a template without changes is published as it is', async () => {
  const { drafts, autosave } = open();
  await autosave.publish('Again');
  expect([drafts.sent.length, drafts.published.length]).toEqual([1, 1]);
});

test('nothing is published while it cannot be saved', async () => {
  const { drafts, autosave, move } = open();
  drafts.answers = 'loses the request';
  move(11);
  await expect(autosave.publish('')).rejects.toThrow();
  expect(drafts.published).toEqual([]);
});

test('a browser whose storage is full saves all the same', async () => {
  const kept = new MemoryStorage();
  kept.setItem = () => {
    throw new Error('QuotaExceededError');
  };
  const { at, drafts, move, state } = open(kept);
  move(11);
  await at.pass(600);
  expect([state(), drafts.sent.length]).toEqual(['saved', 1]);
});

test('where nothing is saved, changes stay in the page', async () => {
  const at = new TestEditor(CARD, { drafts: null });
  at.editor.edit(setLayer('box', { x: 11 }));
  await at.pass(5_000);
  expect(at.parts.autosave.state.peek().kind).toBe('saved');
  await expect(at.parts.autosave.publish('')).rejects.toThrow('not saved');
});

test('after a crash the unsaved document comes back, unless somebody has saved since', async () => {
  const { at, drafts, move, x, kept } = open();
  drafts.answers = 'loses the answer';
  move(11);
  await at.pass(600);
  drafts.answers = 'loses the request';
  move(12);
  await at.pass(600);
  drafts.answers = 'saves';
  const back = async () => x(unsavedDocument(kept, 'tpl_test', (await drafts.read()) as never) ?? undefined);
  // The document that was sent is the draft; what came after it is in the browser only.
  expect([drafts.revision, await back()]).toEqual([1, 12]);
  drafts.store({ ...CARD, name: 'Theirs' });
  expect(await back()).toBeUndefined();
  expect(unsavedDocument(new MemoryStorage(), 'tpl_test', (await drafts.read()) as never)).toBeNull();
});

test('what a running save has sent is in the browser until it is answered', async () => {
  const { at, drafts, move, x, kept } = open();
  drafts.answers = 'waits';
  move(11);
  await at.pass(600);
  expect(drafts.sent.length).toBe(1);
  expect(x(unsavedDocument(kept, 'tpl_test', (await drafts.read()) as never) ?? undefined)).toBe(11);
});
