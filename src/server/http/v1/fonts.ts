// Fonts: upload, list and delete the account's own; for people also those of the server, and the files of faces.

import { createHash } from 'node:crypto';
import { FamilyName } from '#core/template/text-layer.ts';
import { parse } from '#core/template/validation.ts';
import type { Font } from '#server/service/files/fonts.ts';
import { answerWith, isByKey, type JsonAnswer, sendJson } from '../middleware/answer.ts';
import { callerOf, memberOf, permitOf } from '../middleware/authentication.ts';
import { clientHas, ownOnly } from '../middleware/file-response.ts';
import { textInQuery } from '../middleware/list-query.ts';
import { type Handler, idOf, type RequestContext } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { readUpload } from '../middleware/upload.ts';
import { readSmall } from '../studio/requests.ts';
import { STUDIO_REQUESTS as Request } from '../studio/schemas.ts';
import type { StudioContext } from '../studio/studio-context.ts';
import { deleteFrom } from './images.ts';

/** Maximum size of a font file, bytes. */
export const MAX_FONT = 5 * 1024 * 1024;

export function fontHandlers({ fonts, fontCatalogue }: StudioContext) {
  return {
    uploadFont: async (koa) => {
      const { accountId } = callerOf(koa);
      const family = familyInQuery(koa);
      const bytes = await readUpload(koa, MAX_FONT);
      await answerWith(koa, showUploaded, (onCommit) => fonts.upload(accountId, bytes, family, onCommit));
    },
    /** The account's own; for people with those of the server, by family. */
    listFonts: async (koa) => {
      const { accountId } = callerOf(koa);
      if (isByKey(koa)) {
        koa.body = { fonts: (await fonts.list(accountId)).map(showFont) };
        return;
      }
      const families = await fontCatalogue.families(accountId);
      const { generic, installable, canAdd } = fontCatalogue;
      koa.body = { families, generic: Object.fromEntries(generic), installable, canAdd };
    },
    studioAddFont: async (koa) => {
      const { accountId } = memberOf(koa);
      const { family } = await readSmall(koa, Request.StudioFontAddition);
      koa.status = 201;
      koa.body = { fonts: (await fontCatalogue.add(accountId, family, permitOf(koa))).map(showFont) };
    },
    deleteFont: deleteFrom(fonts),
    studioUndeleteFont: async (koa) => {
      koa.body = showFont(await fonts.bringBack(memberOf(koa).accountId, idOf(koa), permitOf(koa)));
    },
    studioReadFont: async (koa) => {
      const { accountId } = memberOf(koa);
      const font = await fonts.find(accountId, idOf(koa));
      koa.body = { ...showFont(font), usedBy: await fonts.uses(accountId, idOf(koa)) };
    },
    studioReadCoverage: async (koa) => {
      // A third of a megabyte, requested whenever an editor opens: sent again only after a font was added or removed.
      const coverage = JSON.stringify(await fontCatalogue.coverage(memberOf(koa).accountId));
      if (isHeld(koa, coverage, 'private, no-cache')) return;
      sendJson(koa, coverage);
    },
    studioOpenFace: async (koa) => {
      const { size, memory, read } = await fontCatalogue.open(memberOf(koa).accountId, idOf(koa));
      ownOnly(koa);
      if (isHeld(koa, `${idOf(koa)} ${size}`, 'private, max-age=31536000, immutable')) return;
      await holdAnswer(koa, memory);
      const { body, length, type } = await read();
      koa.body = body;
      koa.type = type;
      koa.length = length;
    },
  } satisfies Record<string, Handler>;
}

/** The name that an upload gives to its family; null when it leaves it to the file. @throws ValidationError */
function familyInQuery(koa: RequestContext): string | null {
  const name = textInQuery(koa, 'family', FAMILY_ROOM);
  return name === null ? null : parse(FamilyName, name, 'family');
}

/** Read before it is checked: spaces at the ends do not count. */
const FAMILY_ROOM = 200;

/** Sets the headers of what `content` identifies; true if the client has it, which is the answer then. */
function isHeld(koa: RequestContext, content: string, cacheControl: string): boolean {
  const etag = createHash('sha256').update(content).digest('base64url');
  koa.set('cache-control', cacheControl);
  koa.set('etag', `"${etag}"`);
  if (!clientHas(koa, etag)) return false;
  koa.status = 304;
  return true;
}

const showUploaded = (font: Font): JsonAnswer => ({ status: 201, body: showFont(font) });
const showFont = ({ id, family, weight, style, axes }: Font) => ({
  id,
  family,
  weight,
  style,
  /** Axis tag → its bounds; empty for a static font. */
  axes: Object.fromEntries(Object.entries(axes).map(([tag, { min, max }]) => [tag, { min, max }])),
});
