import { expect, test, vi } from 'vitest';
import { Keys } from '#server/service/accounts/keys.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';

test('of requests that come at once, one writes when the key was last used; if that fails, the next does', async () => {
  await using opened = await storageUnderTest();
  let now = NOW;
  const keys = new Keys(opened.storage, () => now);
  const { key } = await keys.create('acc_a', 'live');
  const touch = vi.spyOn(opened.storage.keys, 'touch');
  await keys.authenticate(key);
  expect(touch).toHaveBeenCalledTimes(1);

  now = new Date(NOW.getTime() + 61_000);
  await Promise.all(Array.from({ length: 8 }, () => keys.authenticate(key)));
  expect(touch).toHaveBeenCalledTimes(2);

  now = new Date(NOW.getTime() + 122_000);
  touch.mockRejectedValueOnce(new Error('locked'));
  await expect(keys.authenticate(key)).rejects.toThrow('locked');
  await keys.authenticate(key);
  expect(touch).toHaveBeenCalledTimes(4);
});
