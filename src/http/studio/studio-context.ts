// The context of the studio's routes.

import type { Accounts } from '#service/accounts.ts';
import type { BulkContext } from '#service/bulks.ts';
import type { ConcurrencyLimit } from '#service/concurrency-limit.ts';
import type { DocumentContext } from '#service/document-preview.ts';
import type { Drafts } from '#service/drafts.ts';
import type { FontCatalogue } from '#service/font-catalogue.ts';
import type { AccountFonts } from '#service/fonts.ts';
import type { ImageLibrary } from '#service/images.ts';
import type { Keys } from '#service/keys.ts';
import type { Links } from '#service/people/links.ts';
import type { Members } from '#service/people/members.ts';
import type { Passkeys } from '#service/people/passkeys.ts';
import type { People } from '#service/people/people.ts';
import type { Sessions } from '#service/people/sessions.ts';
import type { SingleSignOn } from '#service/people/single-sign-on.ts';
import type { RateLimit } from '#service/rate-limit.ts';
import type { Thumbnails } from '#service/thumbnails.ts';
import type { Variants } from '#service/variants.ts';
import type { Deliveries } from '#service/webhooks.ts';
import type { Address } from './origin.ts';

/** One result of `platen doctor`. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'limited' | 'broken';
  readonly message: string;
}

export interface StudioContext extends DocumentContext, BulkContext {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly images: ImageLibrary;
  readonly fonts: AccountFonts;
  readonly deliveries: Deliveries;
  readonly variants: Variants;
  readonly people: People;
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
  /** Checks the whole installation; may take seconds. */
  readonly examine: () => Promise<readonly Check[]>;
}
