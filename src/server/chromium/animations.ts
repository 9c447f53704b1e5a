// Ends the animations of a page and of its frames before it is drawn, so that the picture does not depend on when it is
// taken. What scripts move by themselves, frame by frame, is beyond it.

import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Frame } from 'puppeteer-core';
import type { GuardedPage } from './guarded-page.ts';
import { IsolatedWorld } from './isolated-world.ts';
import { drawAnew, endAnimations } from './page-scripts.ts';

/** The end of one animation may begin another: how often that is followed. */
const MAX_ROUNDS = 6;
/** Time in which a page notices an end, or a new size of its viewport, and draws what follows: some frames, ms. */
export const NOTICE_TIME = 60;
/** Frames beyond these are left as they are. */
const MAX_FRAMES = 30;

/**
 * Ends what has an end, again if that began more, and stops what is endless at its start.
 *
 * @param world of the page itself
 * @throws ProtocolError recognised by `isDocumentLost` when the page navigates
 */
export async function holdStill({ page }: Pick<GuardedPage, 'page'>, world: IsolatedWorld): Promise<void> {
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  const worlds = await Promise.all(frames.slice(0, MAX_FRAMES).map((frame) => worldOf(frame).catch(() => null)));
  // A frame may be gone meanwhile.
  const inEach = (body: () => unknown) =>
    Promise.all([world.call(body), ...worlds.map((each) => each?.call(body).catch(() => 0))]);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const counts = await inEach(endAnimations);
    if (counts.some((count) => Number(count) > 0)) await pause(NOTICE_TIME);
    else if (round > 0) break;
    else return;
  }
  await inEach(drawAnew);
  await pause(NOTICE_TIME);
}

/** A frame of another site is in a process of its own, which has a session of its own. Puppeteer keeps both to itself. */
function worldOf(frame: Frame): Promise<IsolatedWorld> {
  const { client, _id } = frame as Frame & { readonly client: CDPSession; readonly _id: string };
  return IsolatedWorld.open(client, _id);
}
