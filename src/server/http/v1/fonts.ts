// `/v1/fonts`: upload, list and delete the account's own fonts.

import { FamilyName } from '#core/template/text-layer.ts';
import { parse } from '#core/template/validation.ts';
import type { AccountFonts, Font } from '#server/service/files/fonts.ts';
import { answerWith, type JsonAnswer } from '../middleware/answer.ts';
import { callerOf } from '../middleware/authentication.ts';
import { textInQuery } from '../middleware/list-query.ts';
import { permitOf } from '../middleware/permit.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { readUpload } from '../middleware/upload.ts';

/** Maximum size of a font file, bytes. */
export const MAX_FONT = 5 * 1024 * 1024;

export function uploadFont(fonts: AccountFonts): Handler {
  return async (koa) => {
    const { accountId } = callerOf(koa);
    const family = familyInQuery(koa);
    const bytes = await readUpload(koa, MAX_FONT);
    await answerWith(koa, showUploaded, (onCommit) => fonts.upload(accountId, bytes, family, onCommit));
  };
}

/** The name that an upload gives to its family; null when it leaves it to the file. @throws ValidationError */
function familyInQuery(koa: RequestContext): string | null {
  const name = textInQuery(koa, 'family', FAMILY_ROOM);
  return name === null ? null : parse(FamilyName, name, 'family');
}

/** Read before it is checked: spaces at the ends do not count. */
const FAMILY_ROOM = 200;

export function listFonts(fonts: AccountFonts): Handler {
  return async (koa) => {
    koa.body = { fonts: (await fonts.list(callerOf(koa).accountId)).map(showFont) };
  };
}

export function deleteFont(fonts: AccountFonts): Handler {
  return async (koa) => {
    await fonts.delete(callerOf(koa).accountId, koa.params.id ?? '', permitOf(koa));
    koa.status = 204;
  };
}

const showUploaded = (font: Font): JsonAnswer => ({ status: 201, body: showFont(font) });
export const showFont = ({ id, family, weight, style, axes }: Font) => ({
  id,
  family,
  weight,
  style,
  /** Axis tag → its bounds; empty for a static font. */
  axes: Object.fromEntries(Object.entries(axes).map(([tag, { min, max }]) => [tag, { min, max }])),
});
