// The context of the studio's routes.

import type { ConcurrencyLimit } from '#concurrency/concurrency-limit.ts';
import type { Log } from '#observability/log.ts';
import type { Accounts } from '#service/accounts.ts';
import type { AuditLog } from '#service/audit.ts';
import type { BulkContext } from '#service/bulks.ts';
import type { Drafts } from '#service/drafts.ts';
import type { FontCatalogue } from '#service/font-catalogue.ts';
import type { AccountFonts } from '#service/fonts.ts';
import type { ImageLibrary } from '#service/images.ts';
import type { Keys } from '#service/keys.ts';
import type { KnownBrowsers } from '#service/people/known-browsers.ts';
import type { Links } from '#service/people/links.ts';
import type { Members } from '#service/people/members.ts';
import type { Passkeys } from '#service/people/passkeys.ts';
import type { People } from '#service/people/people.ts';
import type { Sessions } from '#service/people/sessions.ts';
import type { SingleSignOn } from '#service/people/single-sign-on.ts';
import type { PreviewContext } from '#service/preview.ts';
import type { RateLimit } from '#service/rate-limit.ts';
import type { ServerChecks } from '#service/server-checks.ts';
import type { StorageUsed } from '#service/storage-limit.ts';
import type { Thumbnails } from '#service/thumbnails.ts';
import type { Variants } from '#service/variants.ts';
import type { Deliveries } from '#service/webhooks.ts';
import type { Address } from './origin.ts';

export interface StudioContext extends PreviewContext, BulkContext {
  readonly storageUsed: StorageUsed;
  readonly accounts: Accounts;
  readonly audit: AuditLog;
  readonly keys: Keys;
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
  readonly fontCatalogue: FontCatalogue;
  readonly requestRate: RateLimit;
  readonly requestsAtOnce: ConcurrencyLimit;
  readonly clock: () => Date;
  /** The server's own URL, without a trailing slash. */
  readonly address: () => string;
  readonly studioAddress: () => Address;
  /** Checks of the whole installation. */
  readonly serverChecks: ServerChecks;
}
