// Opens the services that the server and the command line share.

import type { Config } from '#config.ts';
import { inspectImage } from '#images/inspect.ts';
import type { Renderer } from '#renderer/renderer.ts';
import { Accounts } from '#service/accounts/accounts.ts';
import { AuditLog } from '#service/accounts/audit.ts';
import { EditorTokens } from '#service/accounts/editor-tokens.ts';
import { Keys } from '#service/accounts/keys.ts';
import { RateLimit } from '#service/accounts/rate-limit.ts';
import { StorageLimit } from '#service/accounts/storage-limit.ts';
import { AccountFonts } from '#service/files/fonts.ts';
import { ImageLibrary } from '#service/files/images.ts';
import { Deliveries } from '#service/jobs/webhooks.ts';
import { Ceremonies } from '#service/people/ceremonies.ts';
import { KnownBrowsers } from '#service/people/known-browsers.ts';
import { Links } from '#service/people/links.ts';
import { Members } from '#service/people/members.ts';
import { Passkeys } from '#service/people/passkeys.ts';
import { People } from '#service/people/people.ts';
import { Sessions } from '#service/people/sessions.ts';
import { SignInThrottle } from '#service/people/sign-in-throttle.ts';
import { SingleSignOn } from '#service/people/single-sign-on.ts';
import { Brands } from '#service/templates/brands.ts';
import { MaterialUpdates } from '#service/templates/material-updates.ts';
import type { TemplateChecks } from '#service/templates/template-checks.ts';
import { TemplateLibrary } from '#service/templates/templates.ts';
import { openBlobs } from '#storage/open-blobs.ts';
import { openStorage, type Storage } from '#storage/storage.ts';

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
