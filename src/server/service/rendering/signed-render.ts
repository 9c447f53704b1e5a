// Renders directly from a signed URL, without an API key: the signature acts for the template's account.
//
// The order of the checks is fixed: form and presence of `sig`, template, signature, bounds of `scale` and `q`, then
// the modifications, and only then the quota.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import { step } from '#base/trace.ts';
import { MAX_PAGES } from '#core/pages/paginate.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { BrandReference } from '#core/template/brand-reference.ts';
import { LanguageTag } from '#core/template/text-layer.ts';
import { parse } from '#core/template/validation.ts';
import { DEFAULT_EXPORT, EXTENSIONS, type ExportOptions, type Extension } from '#draw/output/formats.ts';
import type { Drawing } from '#draw/renderer/renderer.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { VariantFile } from '#server/storage/variants.ts';
import { type Accounts, requireActive } from '../accounts/accounts.ts';
import { UNMETERED } from '../accounts/quota.ts';
import type { Lease } from '../leases.ts';
import type { FoundTemplate } from '../templates/templates.ts';
import { oneChoice } from './choices.ts';
import { largestFile } from './preview.ts';
import type { RecentVariants } from './recent-variants.ts';
import { draw, fitTemplate, type RenderContext, requireBrowser } from './render.ts';
import { canonicalQuery, type NamedValue, parseSignedQuery, verify } from './signed-url.ts';
import type { KnownVariant, Variants } from './variants.ts';

/** The additional context of a signed render. */
export interface SignedContext extends RenderContext {
  readonly storage: Storage;
  readonly accounts: Accounts;
  readonly variants: Variants;
  readonly recentVariants: RecentVariants;
  readonly clock: () => Date;
}

/** A signed URL that passed its checks. */
export interface OpenedVariant {
  /** Identifies the variant: equal keys look the same. */
  readonly key: string;
  /** Of the template. */
  readonly accountId: string;
  readonly templateId: string;
  /** Of its file, or what drawing a large picture may take, bytes; null where its file tells, which is small. */
  size(): Promise<number | null>;
  /** When the signature expires; null = never. */
  readonly expires: Date | null;
  /** Whether it was drawn before, so that a client may have it cached. */
  wasDrawn(): Promise<boolean>;
  /** @throws what a render throws */
  file(): Promise<VariantDrawing>;
}

/**
 * Checks a signed URL, or finds it in the cache when it passed before and nothing has changed since.
 *
 * @param query raw, without its `?`
 * @throws AppError `bad_signature`, `not_found` or `suspended`; ValidationError when `scale` or `q` is out of bounds
 */
export async function openVariant(
  ctx: SignedContext,
  reference: string,
  extension: Extension,
  query: string,
): Promise<OpenedVariant> {
  const { known, asOf, keep } = await ctx.recentVariants.find(`${reference}.${extension}?${query}`);
  const verified = () => verifyVariant(ctx, reference, extension, query, asOf);
  const show = async (variant: Variant) => {
    const { key, found, expires } = variant;
    const { stored, ...drawing } = await renderVariant(ctx, variant);
    const { accountId, id: templateId } = found;
    if (stored) keep({ key, accountId, templateId, expires, file: stored, diagnostics: drawing.diagnostics });
    return drawing;
  };
  if (known) {
    const { key, accountId, templateId, expires, file, diagnostics } = known;
    return {
      key,
      accountId,
      templateId,
      size: async () => file?.size ?? sizeOfLarge(ctx, await verified()),
      expires,
      wasDrawn: async () => true,
      async file() {
        const bytes = file && (await ctx.variants.read(file));
        return bytes ? { bytes, diagnostics, lasting: true } : show(await verified());
      },
    };
  }
  const variant = await verified();
  const { key, found, expires } = variant;
  const { accountId, id: templateId } = found;
  return {
    key,
    accountId,
    templateId,
    size: () => sizeOfLarge(ctx, variant),
    expires,
    async wasDrawn() {
      if (!(await ctx.storage.variants.find(key))) return false;
      keep({ key, accountId, templateId, expires, file: null, diagnostics: [] });
      return true;
    },
    file: () => show(variant),
  };
}

/** The content of a valid signed URL. Equal variants have equal keys, whatever the order of their parameters. */
interface Variant {
  readonly key: string;
  readonly found: FoundTemplate;
  readonly modifications: Modifications;
  readonly extension: Extension;
  readonly options: ExportOptions;
  /** When the signature expires; null = never. */
  readonly expires: Date | null;
  /** Of the account. */
  readonly plan: string;
}

/**
 * Reads and verifies a signed URL.
 *
 * @param query raw, without its `?`
 * @param asOf the count of changes as of which the template, the secrets and the account are
 * @throws AppError `bad_signature` or `not_found`; ValidationError when `scale` or `q` is out of bounds
 */
async function verifyVariant(
  ctx: SignedContext,
  reference: string,
  extension: Extension,
  query: string,
  asOf: number,
): Promise<Variant> {
  const { parameters, signature } = parseSignedQuery(query);
  if (signature === null) {
    const isEscaped = parameters.some(([name]) => name.startsWith('amp;'));
    const hint = isEscaped ? ' It was escaped for HTML: write & instead of &amp;.' : '';
    throw new AppError('bad_signature', `This URL is not signed.${hint}`);
  }
  const stored = await ctx.templates.findStored(null, reference, asOf);
  const secrets = await ctx.accounts.signingSecrets(stored.accountId, asOf);
  const expires = verify(secrets, { template: reference, extension, parameters }, signature, ctx.clock());
  const { plan, suspendedBy } = await ctx.accounts.find(stored.accountId, asOf);
  requireActive(suspendedBy);

  const { scale, q, others } = splitReserved(parameters);
  const encoding = {
    ...DEFAULT_EXPORT,
    scale: scale === undefined ? DEFAULT_EXPORT.scale : parse(Scale, scale, 'scale'),
    quality: q === undefined ? DEFAULT_EXPORT.quality : parse(Quality, q, 'q'),
  };
  const { found, page, layers } = await chosen(ctx, stored, others);
  const options = page === undefined ? encoding : { ...encoding, page };
  const design = found.design === undefined ? [] : [found.design];
  return {
    key: variantKey([found.accountId, found.id, found.version, extension, options, canonicalQuery(layers), ...design]),
    found,
    modifications: await ctx.templates.checks.toModifications(found, layers),
    extension,
    options,
    expires,
    plan,
  };
}

const CHOOSES = ['size', 'lang', 'brand', 'page'];

/** The template as the parameters choose, the page that they ask for, and the parameters of its layers. */
async function chosen({ templates }: SignedContext, stored: FoundTemplate, parameters: readonly NamedValue[]) {
  const found = await templates.designed(stored, {});
  if (!parameters.some(([name]) => CHOOSES.includes(name))) return { found, page: undefined, layers: parameters };
  const choices = await templates.checks.choicesOf(found);
  const names: readonly string[] = [...choices.parameters, ...(choices.hasPages ? ['page'] : [])];
  const isChoice = ([name]: NamedValue) => names.includes(name);
  const { page, ...wanted } = parse(ChosenNames, Object.fromEntries(parameters.filter(isChoice)));
  const layers = parameters.filter((parameter) => !isChoice(parameter));
  return { found: await templates.designed(stored, oneChoice(wanted)), page, layers };
}

/** From 1. */
const PageNumber = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, `must be a whole number from 1 to ${MAX_PAGES}`)
  .transform(Number)
  .refine((page) => page <= MAX_PAGES, `must be at most ${MAX_PAGES}`);

const ChosenNames = z.object({
  size: z.string().max(60).optional(),
  lang: LanguageTag.max(100).optional(),
  brand: BrandReference.optional(),
  page: PageNumber.optional(),
});

/** What drawing a picture may take, bytes, from which it is counted before it is drawn: small ones come in bursts. */
const LARGE = 16 * 2 ** 20;

async function sizeOfLarge(ctx: SignedContext, { found, extension, options }: Variant): Promise<number | null> {
  const size = await largestFile(ctx, found, EXTENSIONS[extension], options);
  return size > LARGE ? size : null;
}

/** A variant's file. */
interface VariantDrawing extends Drawing {
  /** False when it may look different next time: an image was unavailable and was left out. */
  readonly lasting: boolean;
}

/**
 * Returns the variant from the cache, or draws it. The first drawing costs one unit of the account's quota, later ones
 * none.
 *
 * Simultaneous requests share one drawing.
 */
function renderVariant(
  ctx: SignedContext,
  variant: Variant,
): Promise<VariantDrawing & { readonly stored: VariantFile | null }> {
  return ctx.variants.once(variant.key, async () => {
    let known = await ctx.variants.find(variant.key);
    const lookAgain = async () => {
      known = await ctx.variants.find(variant.key);
      return keptDrawing(known);
    };
    const drawn = async (lease: Lease) => ({ ...(await drawVariant(ctx, variant, known, lease)), stored: null });
    return keptDrawing(known) ?? ctx.variants.drawOnce(variant.key, lookAgain, drawn);
  });
}

/** The cached drawing of a variant; null when its file has to be drawn. */
function keptDrawing(known: KnownVariant | null): (VariantDrawing & { readonly stored: VariantFile | null }) | null {
  if (!known?.bytes) return null;
  const { bytes, diagnostics, file } = known;
  return { bytes, diagnostics, lasting: true, stored: file };
}

async function drawVariant(
  ctx: SignedContext,
  variant: Variant,
  known: KnownVariant | null,
  lease: Lease,
): Promise<VariantDrawing> {
  const { key, found, modifications, extension, options, plan } = variant;
  const fitted = await step('check', () => fitTemplate(ctx.templates.checks, found, modifications));
  requireBrowser(ctx, fitted.checked);

  const id = known?.id ?? newId('rnd');
  const payer = { accountId: found.accountId, plan, kind: 'live' } as const;
  await using ticket = known ? UNMETERED : await ctx.quota.reserve(payer, id, false);

  const { bytes, diagnostics } = await draw(ctx, fitted, EXTENSIONS[extension], options);
  const lasting = !diagnostics.some(({ code }) => code === 'image-left-out');
  const drawnVariant = { key, id, templateId: found.id, extension, diagnostics };
  await step('store', () => ctx.variants.save(drawnVariant, lasting ? bytes : null, ticket, lease));
  return { bytes, diagnostics, lasting };
}

const decimal = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,4}(\.\d{1,6})?$/, 'must be a number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** Device px per canvas px (spec: maximum 3). */
const Scale = decimal(0.1, 3);
/** JPEG and WebP quality (spec: integer, 0 to 100). */
const Quality = decimal(0, 100).refine(Number.isInteger, 'must be a whole number');

function splitReserved(parameters: readonly (readonly [string, string])[]) {
  const byName = new Map(parameters);
  const others = parameters.filter(([name]) => name !== 'scale' && name !== 'q');
  return { scale: byName.get('scale'), q: byName.get('q'), others };
}

function variantKey(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}
