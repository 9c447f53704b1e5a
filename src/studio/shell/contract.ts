// The answers of the studio's routes under the names that pages use. `npm run docs` generates the types from the
// server's schemas.

import type { Choice } from '#design/choice.ts';
import type * as contract from '../../../clients/js/contract.generated.ts';

export type {
  StoredBrand as Brand,
  StudioAskedPasskey as AskedPasskey,
  StudioBatch as Batch,
  StudioBrandVersions as BrandVersions,
  StudioDraft as Draft,
  StudioFontFamilies as FontList,
  StudioImage as StoredImage,
  StudioImageList as ImagePage,
  StudioLink as Link,
  StudioMe as Me,
  StudioMember as Member,
  StudioOpenedFont as StoredFontDetail,
  StudioOpenedImage as StoredImageDetail,
  StudioOpenedReview as OpenedReview,
  StudioOpenedTemplate as TemplateDetail,
  StudioOutdatedUses as OutdatedUsesPage,
  StudioPasskey as Passkey,
  StudioRender as RenderDetail,
  StudioReviewComment as ReviewComment,
  StudioReviewRemark as ReviewRemark,
  StudioSession as Session,
  StudioSettings as Settings,
  StudioTemplate as TemplateCard,
  StudioTemplateList as TemplatePage,
  StudioUsage as Usage,
  StudioVersion as VersionDetail,
  UpdatedUses,
} from '../../../clients/js/contract.generated.ts';

/** The type of a list's items. */
type Item<List extends { readonly items: readonly unknown[] }> = List['items'][number];

/** One page of a list, newest first. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Sent as `after` for the next page; null at the end. */
  readonly next: string | null;
}

export type BrandHead = Item<contract.StudioBrandList>;
export type MemberRole = contract.StudioMember['role'];
/** Who did it; null: an API key, the command line, or a person who was removed. */
export type By = Item<contract.StudioTemplateList>['updatedBy'];
/** A stored template document: plain JSON. */
export type TemplateDocument = contract.StudioDraft['document'];
/** A template that uses an upload; inDraft: only its draft does. */
export type TemplateUse = contract.StudioOpenedImage['usedBy'][number];
/** A template that uses an older version of a brand or a component. */
export type OutdatedUse = Item<contract.StudioOutdatedUses>;
/** What a template uses an older version of. */
export type NewerMaterial = contract.StudioOpenedTemplate['newer'][number];
/** A link that shows a template to people without an account. */
export type Review = Item<contract.StudioReviewList>;
/** A size in a language; null = the template's own. */
export type ReviewPicture = contract.StudioOpenedReview['pictures'][number];
export type Version = Item<contract.StudioVersionList>;
export type Render = Item<contract.StudioRenderList>;
export type BatchHead = Item<contract.StudioBatchList>;
export type BatchRow = Item<contract.StudioBatchRowList>;
export type Delivery = Item<contract.StudioDeliveryList>;
export type FontFamily = contract.StudioFontFamilies['families'][number];
export type FontFace = FontFamily['faces'][number];
export type Key = Item<contract.StudioKeyList>;
export type Secret = Item<contract.StudioSecretList>;
export type Invitation = contract.StudioPeople['invitations'][number];
export type AuditEntry = Item<contract.StudioAudit>;
export type Check = contract.StudioChecks['checks'][number];
export type OwnSession = Item<contract.StudioSessionList>;

/** A file to draw, also of a size, in a language or with a brand. */
export interface FileRequest extends Choice {
  readonly output: Render['output'];
  /** Device px per canvas px, 0.1 to 3. */
  readonly scale?: number;
  /** Of a document, from 1; absent = all of them in a PDF, the first in a picture. */
  readonly page?: number;
  /** Values of the layers by name. */
  readonly modifications?: Readonly<Record<string, unknown>>;
  /** Of a PDF: the e-invoice and the attachments of this one file. */
  readonly pdf?: Readonly<Record<string, unknown>>;
}
