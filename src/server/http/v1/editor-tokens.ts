// Revokes tokens of embedded editors, as when a user of the other site signs out.

import { z } from 'zod';
import { parse } from '#core/template/validation.ts';
import { type EditorTokens, MAX_USER } from '#server/service/accounts/editor-tokens.ts';
import { wholeAccountOf } from '../middleware/authentication.ts';
import { readJsonObject } from '../middleware/body.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler } from '../middleware/request-context.ts';

export const EditorTokenRevocation = z.strictObject({
  user: z.string().min(1).max(MAX_USER).optional().meta({ description: 'Whose, as in `sub`; otherwise everybody’s.' }),
  before: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Those that were issued before this moment; otherwise before now.' }),
});

export const RevokedEditorTokens = z.strictObject({
  before: z.iso.datetime().meta({ description: 'Tokens that were issued before this moment are refused.' }),
});

export function revokeEditorTokens(tokens: EditorTokens): Handler {
  return async (koa) => {
    const accountId = wholeAccountOf(koa);
    const { user = null, before } = parse(EditorTokenRevocation, await readJsonObject(koa, 4_096));
    const moment = await tokens.revoke(accountId, user, before === undefined ? null : new Date(before), permitOf(koa));
    koa.body = { before: moment.toISOString() };
  };
}
