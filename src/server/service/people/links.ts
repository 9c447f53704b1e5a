// One-time links: to claim the server, to join an account, or to choose a new password.
//
// Their token is in the URL's fragment, which browsers send to no server.

import { AppError } from '#base/errors.ts';
import { isToken, newId, newToken } from '#base/ids.ts';
import type { Link, LinkKind } from '#server/storage/links.ts';
import type { MemberRole } from '#server/storage/people.ts';
import type { Stores } from '#server/storage/storage.ts';
import { type Action, record } from '../accounts/audit.ts';
import { joinOrRaise, recordMember } from './members.ts';
import { hashPassword, requireGoodPassword } from './passwords.ts';
import {
  emailTaken,
  isStill,
  normalEmail,
  normalName,
  type People,
  type PeopleContext,
  passwordWrong,
  recordOwn,
  replacePassword,
} from './people.ts';
import { type Permit, unrestricted } from './permit.ts';
import { hash, type NewSession, type Whence } from './sessions.ts';

export interface NewLink {
  readonly id: string;
  /** Path below the server's address: `/studio/join#pll_…`. Shown here and never again. */
  readonly path: string;
  readonly expiresAt: Date;
}

/** What a link is for, shown to the person who opens it. */
export interface LinkView {
  readonly kind: LinkKind;
  readonly email: string | null;
  readonly account: { readonly id: string; readonly name: string | null } | null;
  readonly role: MemberRole | null;
  /** Whether that address has a password already, which the page then asks for. */
  readonly isKnown: boolean;
  readonly expiresAt: Date;
}

/** The form filled in by the person who accepts a link. */
export interface LinkAcceptance {
  readonly token: string;
  readonly password: string;
  readonly email: string | null;
  readonly name: string | null;
}

const MINUTE = 60_000;
/** Lifetime of each kind of link, ms. */
const LASTS = { setup: 30 * MINUTE, reset: 30 * MINUTE, invitation: 7 * 24 * 60 * MINUTE } as const;
const PAGE = { setup: 'setup', reset: 'reset', invitation: 'join' } as const satisfies Record<LinkKind, string>;

export class Links {
  readonly #ctx: PeopleContext;
  readonly #people: People;

  constructor(ctx: PeopleContext, people: People) {
    this.#ctx = ctx;
    this.#people = people;
  }

  /**
   * Makes a link whose user becomes owner of the oldest account, and ends earlier set-up links. Null once there are
   * people.
   */
  async setup(): Promise<NewLink | null> {
    const { storage } = this.#ctx;
    const [account] = await storage.accounts.list(1);
    if (!account || (await this.#people.isClaimed())) return null;
    await storage.links.deleteSetups();
    return this.#make({ kind: 'setup', accountId: account.id, role: 'owner' });
  }

  /** @throws AppError `not_found` */
  async reset(email: string, permit: Permit = unrestricted): Promise<NewLink> {
    const { id, email: address } = await this.#people.findByEmail(email);
    return this.#make({ kind: 'reset', personId: id, email: address }, permit, 'person.link');
  }

  /**
   * @param email the invited address; null = anybody who has the link
   * @param permit of whoever invites
   * @throws what `permit` throws
   */
  async invite(
    accountId: string,
    by: string,
    email: string | null,
    role: MemberRole,
    permit: Permit = unrestricted,
  ): Promise<NewLink> {
    const to = email === null ? null : normalEmail(email);
    return this.#make({ kind: 'invitation', accountId, role, email: to, createdBy: by }, permit, 'invitation.create');
  }

  async invitations(accountId: string): Promise<Link[]> {
    return this.#ctx.storage.links.invitations(accountId, this.#ctx.clock());
  }

  /** @param permit of whoever withdraws it. @throws AppError `not_found`; what `permit` throws */
  async withdraw(accountId: string, id: string, permit: Permit = unrestricted): Promise<void> {
    const { storage, clock } = this.#ctx;
    await storage.transaction(async (stores) => {
      const actor = await permit(stores);
      const link = await stores.links.withdraw(accountId, id);
      if (!link) throw new AppError('not_found', 'invitation not found');
      const act = { accountId, subject: { id, name: link.email }, detail: link.role };
      await record(stores, actor, { ...act, action: 'invitation.withdraw' }, clock());
    });
  }

  /** @throws AppError `link_invalid` */
  async look(token: string): Promise<LinkView> {
    const { storage } = this.#ctx;
    const { kind, email, accountId, role, expiresAt } = await this.#find(token);
    const account = accountId === null ? null : await storage.accounts.find(accountId);
    const person = email === null ? null : await storage.people.findByEmail(email);
    return {
      kind,
      email,
      account: account && { id: account.id, name: account.displayName ?? account.email },
      role,
      isKnown: kind === 'invitation' && person !== null && person.password !== null,
      expiresAt,
    };
  }

  /**
   * Makes the first owner, once.
   *
   * @throws AppError `link_invalid`, `conflict` when somebody was first, `invalid_request`
   */
  async claim(
    token: string,
    wanted: { email: string; name: string; password: string },
    whence: Whence,
  ): Promise<NewSession> {
    const link = await this.#find(token);
    if (link.kind !== 'setup' || link.accountId === null) throw invalidLink();
    const { accountId } = link;
    // The link was printed by the server: whoever opens it is its operator, and vouches for the address.
    const person = { ...(await this.#newPerson(wanted)), verifiedAt: this.#ctx.clock() };
    return this.#ctx.storage.transaction(async (stores) => {
      await this.#use(stores, link);
      if (!(await stores.people.isEmpty()))
        throw new AppError('conflict', 'This server has an owner already: sign in.');
      await stores.people.insert(person);
      await stores.people.join(accountId, person.id, 'owner', person.createdAt);
      await recordMember(
        stores,
        null,
        'member.join',
        { accountId, personId: person.id, role: 'owner' },
        person.createdAt,
      );
      await stores.links.deleteSetups();
      return this.#ctx.sessions.begin(person.id, whence, stores);
    });
  }

  /**
   * Accepts an invitation, as a new person or with the password of an existing one; or sets a new password.
   *
   * @param provider the name of the identity provider that signs people in by their address; null = there is none
   * @throws AppError `link_invalid`, `password_wrong`, `invalid_request`, `rate_limited`, `forbidden`
   */
  async accept(wanted: LinkAcceptance, whence: Whence, provider: string | null): Promise<NewSession> {
    const link = await this.#find(wanted.token);
    if (link.kind === 'reset') return this.#chooseAnew(link, wanted.password, whence);
    const { accountId, role } = link;
    if (link.kind === 'setup' || accountId === null || role === null) throw invalidLink();

    const email = this.#emailOf(link, wanted);
    const known = await this.#ctx.storage.people.findByEmail(email);
    if (known?.password != null) {
      const checked = await this.#people.requirePassword(known, wanted.password, whence);
      return this.#ctx.storage.transaction(async (stores) => {
        if (!(await isStill(stores, checked))) throw passwordWrong();
        await this.#use(stores, link);
        return this.#join(stores, accountId, known.id, role, whence);
      });
    }
    // Otherwise somebody could take another person's address, and the provider would sign that person in as them.
    if (link.email === null && provider !== null) {
      const message = `This invitation is for no address: sign in with ${provider}, or ask for an invitation to your address.`;
      throw new AppError('forbidden', message);
    }
    if (known)
      throw new AppError('conflict', `${email} has no password yet; "platen user link ${email}" makes a link for it.`);
    if (wanted.name === null) throw new AppError('invalid_request', 'name: is required');
    const person = await this.#newPerson({ email, name: wanted.name, password: wanted.password });
    return this.#ctx.storage.transaction(async (stores) => {
      await this.#use(stores, link);
      if (!(await stores.people.insert(person))) throw emailTaken(email);
      return this.#join(stores, accountId, person.id, role, whence);
    });
  }

  async #join(
    stores: Stores,
    accountId: string,
    personId: string,
    role: MemberRole,
    whence: Whence,
  ): Promise<NewSession> {
    await joinOrRaise(stores, { accountId, personId, role }, this.#ctx.clock());
    return this.#ctx.sessions.begin(personId, whence, stores);
  }

  async #chooseAnew(link: Link, password: string, whence: Whence): Promise<NewSession> {
    const { personId } = link;
    if (personId === null) throw invalidLink();
    requireGoodPassword(password, link.email ?? '');
    const hashed = await hashPassword(password);
    return this.#ctx.storage.transaction(async (stores) => {
      // Before the link, in the order in which a change of the password takes them.
      await stores.people.hold(personId);
      await this.#use(stores, link);
      await replacePassword(stores, personId, hashed, null);
      await recordOwn(stores, personId, 'person.change-password', this.#ctx.clock());
      return this.#ctx.sessions.begin(personId, whence, stores);
    });
  }

  #emailOf(link: Link, { email }: LinkAcceptance): string {
    if (email === null && link.email === null) throw new AppError('invalid_request', 'email: is required');
    const given = normalEmail(email ?? link.email ?? '');
    if (link.email === null || given === link.email) return given;
    throw new AppError('invalid_request', 'email: this invitation is for another address');
  }

  async #newPerson({ email, name, password }: { email: string; name: string; password: string }) {
    const address = normalEmail(email);
    requireGoodPassword(password, address);
    return {
      id: newId('per'),
      email: address,
      name: normalName(name),
      createdAt: this.#ctx.clock(),
      password: await hashPassword(password),
      // An invitation does not prove it: its maker, of whatever account, could open the link instead.
      verifiedAt: null,
    };
  }

  /** Uses up the link, in the transaction that does what it is for, so that it happens only once. */
  async #use(stores: Stores, link: Link): Promise<void> {
    if (!(await stores.links.use(link.id, this.#ctx.clock()))) throw invalidLink();
  }

  async #find(token: string): Promise<Link> {
    const now = this.#ctx.clock();
    const link = isToken('pll', token) ? await this.#ctx.storage.links.find(hash(token), now) : null;
    if (!link) throw invalidLink();
    return link;
  }

  /** @param action what the audit log calls it; null = nobody's act */
  async #make(
    wanted: Pick<Link, 'kind'> & Partial<Link>,
    permit: Permit = unrestricted,
    action: Extract<Action, 'person.link' | 'invitation.create'> | null = null,
  ): Promise<NewLink> {
    const { storage, clock } = this.#ctx;
    const now = clock();
    const token = newToken('pll');
    const link: Link = {
      accountId: null,
      role: null,
      email: null,
      personId: null,
      createdBy: null,
      ...wanted,
      id: newId('lnk'),
      createdAt: now,
      expiresAt: new Date(now.getTime() + LASTS[wanted.kind]),
    };
    await storage.links.deleteExpired(now);
    await storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await stores.links.insert(link, hash(token));
      const { accountId, role, email, personId } = link;
      if (action === null) return;
      const subject = { id: personId ?? link.id, name: email };
      await record(stores, actor, { accountId, action, subject, detail: role }, now);
    });
    return { id: link.id, path: `/studio/${PAGE[link.kind]}#${token}`, expiresAt: link.expiresAt };
  }
}

const invalidLink = () =>
  new AppError(
    'link_invalid',
    'This link was used, is too old or was replaced by a newer one. "platen user link" makes a new one; an invitation is made anew under People.',
  );
