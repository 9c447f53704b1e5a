// Opens the services that the server and the command line share.

import { inspectImage } from '#draw/images/inspect.ts';
import type { Renderer } from '#draw/renderer/renderer.ts';
import type { Config } from '#server/config/config.ts';
import { Accounts } from '#server/service/accounts/accounts.ts';
import { AuditLog } from '#server/service/accounts/audit.ts';
import { EditorTokens } from '#server/service/accounts/editor-tokens.ts';
import { Keys } from '#server/service/accounts/keys.ts';
import { RateLimit } from '#server/service/accounts/rate-limit.ts';
import { StorageLimit } from '#server/service/accounts/storage-limit.ts';
import { AccountFonts } from '#server/service/files/fonts.ts';
import { ImageLibrary } from '#server/service/files/images.ts';
import { Deliveries } from '#server/service/jobs/webhooks.ts';
import { Ceremonies } from '#server/service/people/ceremonies.ts';
import { KnownBrowsers } from '#server/service/people/known-browsers.ts';
import { Links } from '#server/service/people/links.ts';
import { Members } from '#server/service/people/members.ts';
import { Passkeys } from '#server/service/people/passkeys.ts';
import { People } from '#server/service/people/people.ts';
import { Sessions } from '#server/service/people/sessions.ts';
import { SignInThrottle } from '#server/service/people/sign-in-throttle.ts';
import { SingleSignOn } from '#server/service/people/single-sign-on.ts';
import { Brands } from '#server/service/templates/brands.ts';
import { MaterialUpdates } from '#server/service/templates/material-updates.ts';
import type { TemplateChecks } from '#server/service/templates/template-checks.ts';
import { TemplateLibrary } from '#server/service/templates/templates.ts';
import { openBlobs } from '#server/storage/open-blobs.ts';
import { openStorage, type Storage } from '#server/storage/storage.ts';

/** Sign-ins by passkey or identity provider that an IP address may begin per minute. */
const CEREMONIES_PER_MINUTE = 60;
/** The same for all clients of a peer that may be a proxy. */
const CEREMONIES_PER_PROXY = 600;
/** The services that the server and the command line share for one data folder. */
export interface Services extends AsyncDisposable {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly accounts: Accounts;
  readonly audit: AuditLog;
  readonly keys: Keys;
  readonly templates: TemplateLibrary;
  readonly brands: Brands;
  readonly materialUpdates: MaterialUpdates;
  readonly editorTokens: EditorTokens;
  readonly images: ImageLibrary;
  readonly deliveries: Deliveries;
  readonly fonts: AccountFonts;
  readonly sessions: Sessions;
  readonly browsers: KnownBrowsers;
  readonly people: People;
  readonly links: Links;
  readonly members: Members;
  readonly passkeys: Passkeys;
  /** Null where no identity provider is configured. */
  readonly singleSignOn: SingleSignOn | null;
}

/**
 * Opens the data folder, which several processes may do at once.
 *
 * @param ownClock replaces the storage's clock
 * @param inspect for uploads
 * @param checks of templates
 */
export async function openServices(
  config: Config,
  ownClock?: () => Date,
  inspect: Renderer['inspect'] = inspectImage,
  checks?: TemplateChecks,
): Promise<Services> {
  await using parts = new AsyncDisposableStack();
  const storage = parts.use(await openStorage(config.database));
  const clock = ownClock ?? storage.clock;
  const uploads = parts.use(await openBlobs(config, 'images'));
  const fontBlobs = parts.use(await openBlobs(config, 'uploaded-fonts'));
  const opened = parts.move();
  const sessions = new Sessions(storage, clock);
  const browsers = new KnownBrowsers(storage, clock);
  const peopleContext = { storage, clock, sessions, browsers, tries: new SignInThrottle(storage, clock) };
  const people = new People(peopleContext);
  const perMinute = (most: number) => new RateLimit(most, clock);
  const rates = [perMinute(CEREMONIES_PER_MINUTE), perMinute(CEREMONIES_PER_PROXY)] as const;
  const ceremonies = new Ceremonies(storage, clock, ...rates);
  const limit = new StorageLimit(config.plans);
  const templates = new TemplateLibrary(storage, clock, checks, limit);
  const brands = new Brands(storage, clock, limit);
  return {
    storage,
    clock,
    sessions,
    browsers,
    people,
    links: new Links(peopleContext, people),
    members: new Members(storage, clock),
    passkeys: new Passkeys(peopleContext, ceremonies),
    singleSignOn: config.oidc && new SingleSignOn(config.oidc, peopleContext, ceremonies),
    accounts: new Accounts(storage, config.plans, clock),
    audit: new AuditLog(storage),
    keys: new Keys(storage, clock),
    templates,
    brands,
    materialUpdates: new MaterialUpdates(storage, templates, brands),
    editorTokens: new EditorTokens(storage, clock),
    images: new ImageLibrary(storage, uploads, inspect, clock, limit),
    deliveries: new Deliveries(storage, clock),
    fonts: new AccountFonts(storage, fontBlobs, clock, limit),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
