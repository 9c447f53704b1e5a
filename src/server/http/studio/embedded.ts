// Admits the editor in pages of other sites: a narrow list of the studio's routes, by what its token allows.
//
// The token comes as a bearer, never as a cookie, so a browser that blocks cookies of other sites blocks nothing here.
// What the list does not name is refused, also routes that are added later.

import { AppError } from '#base/errors.ts';
import { addedMaterial, refusedChange } from '#design/edit-rights.ts';
import type { EditorToken } from '#server/service/accounts/editor-tokens.ts';
import { type Handler, idOf, type RequestContext } from '../middleware/request-context.ts';
import { countUntilSent } from '../middleware/request-memory.ts';
import type { NamedOperation, StudioOperationId } from './contract.ts';
import type { Pacing } from './fair-pacing.ts';
import { clientOf, requireOwnOrigin } from './origin.ts';
import type { StudioContext } from './studio-context.ts';

type Allows = (token: EditorToken) => boolean;
const always: Allows = () => true;
const ofTemplate: Allows = ({ template }) => template !== null;

/** What each token may call. */
const ALLOWED: Readonly<Partial<Record<StudioOperationId, Allows>>> = {
  studioReadEmbedded: always,
  studioListFonts: always,
  studioReadCoverage: always,
  studioOpenFace: always,
  // Whoever knows an image's id may open it at its public address too.
  studioOpenImage: always,
  studioPreviewDocument: always,
  studioMeasureDocument: always,
  studioUploadImage: ({ uploads }) => uploads,
  studioReadDraft: ofTemplate,
  studioSaveDraft: ({ save }) => save !== 'hand-back',
  studioPublishDraft: ({ save }) => save === 'publish',
};

/** A bearer in the form of a JSON Web Token, which no API key has, or whatever an embedded editor was given as one. */
export function editorTokenOf(koa: RequestContext): string | null {
  const [, bearer = ''] = /^bearer +(\S+) *$/i.exec(koa.get('authorization')) ?? [];
  const isToken = koa.get(AROUND) !== '' || /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(bearer);
  return isToken && bearer !== '' ? bearer : null;
}

/** The header with the origin of the page around the editor, as the browser told the editor. */
const AROUND = 'platen-embedding-origin';

/** Runs `handle` if the request's token admits the operation. @throws AppError `unauthorized`, `forbidden` */
export async function admitEmbedded(
  ctx: StudioContext,
  { fairness, turns }: Pacing,
  operation: NamedOperation,
  koa: RequestContext,
  bearer: string,
  handle: Handler,
): Promise<void> {
  const address = ctx.studioAddress();
  if (operation.method !== 'get') requireOwnOrigin(koa, address);
  const origin = koa.get(AROUND);
  const client = clientOf(koa, address);
  const token = await turns.enter(fairness.of(koa.req, client), () => ctx.editorTokens.verify(bearer, origin));
  if (ALLOWED[operation.id]?.(token) !== true) {
    throw new AppError('forbidden', `The token of this editor does not allow it to ${lowerFirst(operation.summary)}.`);
  }
  const { accountId, plan } = token;
  if (operation.path.includes('{accountId}') && koa.params.accountId !== accountId) {
    throw new AppError('forbidden', 'The token of this editor is for another account.');
  }
  if (operation.path.includes('{templateId}') && idOf(koa) !== token.template) {
    throw new AppError('forbidden', 'The token of this editor is for another template.');
  }
  koa.state.embedded = token;
  // The least of roles, should a handler ask for one.
  koa.state.member = { accountId, plan, role: 'viewer', accountName: null, suspendedBy: null };
  koa.state.permit = ctx.editorTokens.permit(bearer, origin);
  koa.state.recheck = () => ctx.editorTokens.verify(bearer, origin);
  ctx.requestRate.take(accountId);
  await countUntilSent(koa.res, ctx.requestsAtOnce, accountId, () =>
    withoutNames(() => turns.take(koa, operation, accountId, () => handle(koa))),
  );
}

/** Errors about a change by somebody else name people of the account, whom the other site does not know. */
async function withoutNames(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof AppError && (error.code === 'changed' || error.code === 'conflict')) {
      const { revision, savedAt } = error.details;
      const details = error.code === 'changed' ? { revision, savedAt, savedBy: null } : {};
      throw new AppError(error.code, 'This template was changed elsewhere: load it again before you go on.', {
        details,
      });
    }
    throw error;
  }
}

/** The token of a request that an embedded editor sent; null for a person's. */
export const embeddedIn = (koa: RequestContext): EditorToken | null => koa.state.embedded ?? null;

/** Refuses a draft that differs in more than the token allows. @param before JSON of the draft as it is stored */
export function requireAllowedChange(
  koa: RequestContext,
  before: string,
  after: Readonly<Record<string, unknown>>,
): void {
  const token = embeddedIn(koa);
  if (!token) return;
  const problem = ofLayers(after) ?? refusedChange(JSON.parse(before), after, token);
  if (problem !== null) throw new AppError('forbidden', problem);
}

/** Refuses to draw what shows more of the account than the template does. @param given the request's document and values */
export async function requireOwnMaterial(
  ctx: StudioContext,
  koa: RequestContext,
  given: { readonly document: Readonly<Record<string, unknown>>; readonly [field: string]: unknown },
): Promise<void> {
  const token = embeddedIn(koa);
  if (!token) return;
  const { template, accountId } = token;
  const own = template === null ? {} : JSON.parse((await ctx.drafts.open(accountId, template)).document);
  const problem = ofLayers(given.document) ?? addedMaterial(own, given);
  if (problem !== null) throw new AppError('forbidden', problem);
}

/** @throws AppError `forbidden` for a template that embedded editors do not open */
export function requireLayers(document: Readonly<Record<string, unknown>>): void {
  const problem = ofLayers(document);
  if (problem !== null) throw new AppError('forbidden', problem);
}

const ofLayers = ({ engine = 'layers' }: Readonly<Record<string, unknown>>): string | null =>
  engine === 'layers' ? null : 'Only templates of layers can be edited here, not those of HTML.';

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
