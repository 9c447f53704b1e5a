// Binds each operation of the studio's contract to its handler, behind the guard. An operation without a handler does
// not compile.

import type Router from '@koa/router';
import type { FairnessKeys } from '../middleware/fairness-key.ts';
import type { Handler, State } from '../middleware/request-context.ts';
import { addRoute, entriesOf } from '../routing.ts';
import { accountRoutes } from './account-routes.ts';
import { brandRoutes } from './brand-routes.ts';
import { STUDIO_OPERATIONS, type StudioOperationId } from './contract.ts';
import { FairPacing } from './fair-pacing.ts';
import { guarded } from './guard.ts';
import { outdatedRoutes } from './outdated-routes.ts';
import { renderRoutes } from './render-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import type { StudioContext } from './studio-context.ts';
import { templateRoutes } from './template-routes.ts';
import { uploadRoutes } from './upload-routes.ts';

export function addStudioRoutes(router: Router<State>, ctx: StudioContext, fairness: FairnessKeys): void {
  const pacing = { fairness, turns: new FairPacing() };
  const handlers: Readonly<Record<StudioOperationId, Handler>> = {
    ...sessionRoutes(ctx),
    ...accountRoutes(ctx),
    ...templateRoutes(ctx),
    ...renderRoutes(ctx),
    ...uploadRoutes(ctx),
    ...brandRoutes(ctx),
    ...outdatedRoutes(ctx),
    ...reviewRoutes(ctx),
  };
  for (const [id, operation] of entriesOf(STUDIO_OPERATIONS)) {
    addRoute(router, operation, guarded(ctx, pacing, { id, ...operation }, handlers[id]));
  }
}
