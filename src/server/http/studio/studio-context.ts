// What the studio's routes are given: services, limits and settings of the server.

import type { ConcurrencyLimit } from '#base/concurrency/concurrency-limit.ts';
import type { Log } from '#server/observability/log.ts';
import type { Accounts } from '#server/service/accounts/accounts.ts';
import type { AuditLog } from '#server/service/accounts/audit.ts';
import type { EditorTokens } from '#server/service/accounts/editor-tokens.ts';
import type { ExportContext } from '#server/service/accounts/export.ts';
import type { Keys } from '#server/service/accounts/keys.ts';
import type { RateLimit } from '#server/service/accounts/rate-limit.ts';
import type { StorageUsed } from '#server/service/accounts/storage-limit.ts';
import type { FontCatalogue } from '#server/service/files/font-catalogue.ts';
import type { AccountFonts } from '#server/service/files/fonts.ts';
import type { ImageLibrary } from '#server/service/files/images.ts';
import type { BatchContext } from '#server/service/jobs/batches.ts';
import type { Deliveries } from '#server/service/jobs/webhooks.ts';
import type { KnownBrowsers } from '#server/service/people/known-browsers.ts';
import type { Links } from '#server/service/people/links.ts';
import type { Members } from '#server/service/people/members.ts';
import type { Passkeys } from '#server/service/people/passkeys.ts';
import type { People } from '#server/service/people/people.ts';
import type { Sessions } from '#server/service/people/sessions.ts';
import type { SingleSignOn } from '#server/service/people/single-sign-on.ts';
import type { PreviewContext } from '#server/service/rendering/preview.ts';
import type { Thumbnails } from '#server/service/rendering/thumbnails.ts';
import type { Variants } from '#server/service/rendering/variants.ts';
import type { ServerChecks } from '#server/service/server-checks.ts';
import type { Brands } from '#server/service/templates/brands.ts';
import type { Drafts } from '#server/service/templates/drafts.ts';
import type { MaterialUpdates } from '#server/service/templates/material-updates.ts';
import type { Reviews } from '#server/service/templates/reviews.ts';
import type { StudioAddress } from './origin.ts';

export interface StudioContext extends PreviewContext, BatchContext {
  readonly storageUsed: StorageUsed;
  readonly exporting: ExportContext;
  readonly accounts: Accounts;
  readonly audit: AuditLog;
  readonly keys: Keys;
  readonly brands: Brands;
  readonly materialUpdates: MaterialUpdates;
  readonly editorTokens: EditorTokens;
  readonly images: ImageLibrary;
  readonly fonts: AccountFonts;
  readonly deliveries: Deliveries;
  readonly variants: Variants;
  readonly people: People;
  readonly browsers: KnownBrowsers;
  readonly log: Log;
  readonly sessions: Sessions;
  readonly links: Links;
  readonly members: Members;
  readonly passkeys: Passkeys;
  /** Null where no identity provider is configured. */
  readonly singleSignOn: SingleSignOn | null;
  readonly drafts: Drafts;
  readonly thumbnails: Thumbnails;
  readonly reviews: Reviews;
  readonly fontCatalogue: FontCatalogue;
  readonly requestRate: RateLimit;
  readonly requestsAtOnce: ConcurrencyLimit;
  readonly clock: () => Date;
  /** The server's own URL, without a trailing slash. */
  readonly address: () => string;
  readonly studioAddress: () => StudioAddress;
  /** The path of the public URL, '' or `/platen`: its absolute paths begin with it. */
  readonly basePath: string;
  /** Checks of the whole installation. */
  readonly serverChecks: ServerChecks;
}
