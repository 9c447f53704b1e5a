// Stores people and their memberships in accounts.

import type { SuspendedBy } from './accounts.ts';
import { atomically, type Database, lock } from './database.ts';
import { Statement } from './statement.ts';

export const ROLES = ['owner', 'editor', 'viewer'] as const;
export type MemberRole = (typeof ROLES)[number];

export interface Person {
  readonly id: string;
  /** In lower case, as far as ASCII goes. */
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
  /** When an identity provider, or the server's operator, vouched that the address is theirs; null = nobody has. */
  readonly verifiedAt: Date | null;
  /** Null = may sign in. */
  readonly suspendedAt: Date | null;
}

/** A person with the password hash. */
export interface PersonWithPassword extends Person {
  /** argon2id in PHC string form; null until a password was chosen. */
  readonly password: string | null;
}

export interface Membership {
  readonly accountId: string;
  readonly role: MemberRole;
  readonly plan: string;
  /** The account's name, or else its e-mail address. */
  readonly accountName: string | null;
  /** Who suspended the account; null = nobody. */
  readonly suspendedBy: SuspendedBy | null;
}

export interface Member extends Person {
  readonly role: MemberRole;
  /** When the person joined. */
  readonly since: Date;
  /** In any account; null = never, or not within 30 days. */
  readonly lastSeenAt: Date | null;
}

interface Row {
  id: string;
  email: string;
  name: string;
  password: string | null;
  created_at: number;
  email_verified_at: number | null;
  suspended_at: number | null;
  deleted_at: number | null;
}

interface MembershipRow {
  account_id: string;
  person_id: string;
  role: MemberRole;
  created_at: number;
}

const fromRow = (row: Row): PersonWithPassword => ({
  id: row.id,
  email: row.email,
  name: row.name,
  password: row.password,
  createdAt: new Date(row.created_at),
  verifiedAt: row.email_verified_at === null ? null : new Date(row.email_verified_at),
  suspendedAt: row.suspended_at === null ? null : new Date(row.suspended_at),
});

type Found = Pick<MembershipRow, 'account_id' | 'role'> & {
  plan: string;
  display_name: string | null;
  email: string | null;
  suspended_by: SuspendedBy | null;
};
const MEMBERSHIP_COLUMNS = [
  'memberships.account_id',
  'memberships.role',
  'accounts.plan',
  'accounts.display_name',
  'accounts.email',
  'accounts.suspended_by',
] as const;

const membershipOf = ({ account_id, role, plan, display_name, email, suspended_by }: Found): Membership => ({
  accountId: account_id,
  role,
  plan,
  accountName: display_name ?? email,
  suspendedBy: suspended_by,
});

const MEMBERSHIP = new Statement<{ accountId: string; personId: string }, Found>((db, { accountId, personId }) =>
  db('memberships')
    .join('accounts', 'accounts.id', 'memberships.account_id')
    .where({ account_id: accountId, person_id: personId })
    .first(...MEMBERSHIP_COLUMNS),
);

/** Acts whose detail is the person's address. */
const ADDRESSES_IN = ['person.create', 'person.change', 'person.verify'];

/** Held while an address is given to somebody, so that two requests cannot give it away at once. */
const addressLock = (email: string) => `address ${email}`;

export class PersonStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** False, changing nothing, when the address is taken. */
  async insert(person: Omit<PersonWithPassword, 'suspendedAt'>): Promise<boolean> {
    const { id, email, name, password, createdAt, verifiedAt } = person;
    const row = { id, email, name, password, created_at: createdAt.getTime() };
    return atomically(this.#db, async (tx) => {
      await lock(tx, addressLock(email));
      await tx<Row>('people')
        .insert({ ...row, email_verified_at: verifiedAt?.getTime() ?? null })
        .onConflict('email')
        .ignore();
      return (await tx<Row>('people').where({ id }).first('id')) !== undefined;
    });
  }

  async find(id: string): Promise<PersonWithPassword | null> {
    const row = await this.#present().where({ id }).first();
    return row ? fromRow(row) : null;
  }

  /**
   * Like `find`, and in a transaction nobody else can change the person until it ends: what is decided by the password
   * is then still true when it is written.
   */
  async hold(id: string): Promise<PersonWithPassword | null> {
    const row = await this.#present().where({ id }).forUpdate().first();
    return row ? fromRow(row) : null;
  }

  async findByEmail(email: string): Promise<PersonWithPassword | null> {
    const row = await this.#db<Row>('people').where({ email }).first();
    return row ? fromRow(row) : null;
  }

  /** Names by id; unknown ids are left out. */
  async names(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#present().whereIn('id', ids).select('id', 'name');
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Oldest first. */
  async list(limit: number): Promise<Person[]> {
    return (await this.#present().orderBy(['created_at', 'id']).limit(limit)).map(fromRow);
  }

  /** True until the first person is created. */
  async isEmpty(): Promise<boolean> {
    return (await this.#present().first('id')) === undefined;
  }

  /** @param at null = resumed */
  async suspend(id: string, at: Date | null): Promise<void> {
    await this.#db<Row>('people')
      .where({ id })
      .update({ suspended_at: at?.getTime() ?? null });
  }

  /**
   * Deletes everything of a person but a row with the id, by which `ErasureStore` finds what the audit log says of them.
   * Entries that know the person by an address only are changed here.
   */
  async markDeleted(id: string, email: string, now: Date): Promise<void> {
    const own = this.#db('audit_log').where({ subject_id: id }).whereIn('action', ADDRESSES_IN);
    const emails = [...new Set([email, ...(await own.distinct('detail').pluck('detail'))])];
    await this.#db('audit_log').whereIn('subject_name', emails).update({ subject_name: null });
    await this.#db('links').whereIn('email', emails).orWhere({ created_by: id }).delete();
    for (const table of ['memberships', 'sessions', 'known_browsers', 'passkeys', 'links', 'ceremonies']) {
      await this.#db(table).where({ person_id: id }).delete();
    }
    const nothing = { name: '', password: null, email_verified_at: null, suspended_at: null };
    await this.#db('people')
      .where({ id })
      .update({ ...nothing, email: id, deleted_at: now.getTime() });
  }

  #present() {
    return this.#db<Row>('people').whereNull('deleted_at');
  }

  /** A new address is verified by nobody yet. False when another person has it. */
  async update(id: string, { email, name }: Pick<Person, 'email' | 'name'>): Promise<boolean> {
    return atomically(this.#db, async (tx) => {
      await lock(tx, addressLock(email));
      const taken = await tx<Row>('people').where({ email }).whereNot({ id }).first('id');
      if (taken) return false;
      await tx<Row>('people').where({ id }).whereNot({ email }).update({ email_verified_at: null });
      await tx<Row>('people').where({ id }).update({ email, name });
      return true;
    });
  }

  /** Records that the address was shown to be the person's. */
  async verify(id: string, now: Date): Promise<void> {
    await this.#db<Row>('people').where({ id }).update({ email_verified_at: now.getTime() });
  }

  /**
   * @param password hash; null = none until the person chooses one
   */
  async setPassword(id: string, password: string | null): Promise<void> {
    await this.#db<Row>('people').where({ id }).update({ password });
  }

  /** Adds a person to an account, or changes their role. */
  async join(accountId: string, personId: string, role: MemberRole, now: Date): Promise<void> {
    await this.#db<MembershipRow>('memberships')
      .insert({ account_id: accountId, person_id: personId, role, created_at: now.getTime() })
      .onConflict(['account_id', 'person_id'])
      .merge(['role']);
  }

  /** False when the person was no member. */
  async leave(accountId: string, personId: string): Promise<boolean> {
    const where = { account_id: accountId, person_id: personId };
    return (await this.#db<MembershipRow>('memberships').where(where).delete()) > 0;
  }

  /** Null when the person is no member, or the account does not exist. */
  async membership(accountId: string, personId: string): Promise<Membership | null> {
    const row = await MEMBERSHIP.first(this.#db, { accountId, personId });
    return row ? membershipOf(row) : null;
  }

  /** The person's role; null = no member. In a transaction, nobody can change it until that ends. */
  async holdRole(accountId: string, personId: string): Promise<MemberRole | null> {
    const where = { account_id: accountId, person_id: personId };
    const row = await this.#db<MembershipRow>('memberships').where(where).forShare().first('role');
    return row?.role ?? null;
  }

  /** Oldest first. */
  async memberships(personId: string): Promise<Membership[]> {
    const rows: Found[] = await this.#db('memberships')
      .join('accounts', 'accounts.id', 'memberships.account_id')
      .where({ person_id: personId })
      .orderBy(['memberships.created_at', 'memberships.account_id'])
      .select(...MEMBERSHIP_COLUMNS);
    return rows.map(membershipOf);
  }

  /** Oldest first. */
  async members(accountId: string, limit: number): Promise<Member[]> {
    const rows: (Row & { role: MemberRole; since: number; last_seen: number | null })[] = await this.#db('memberships')
      .join('people', 'people.id', 'memberships.person_id')
      .where('memberships.account_id', accountId)
      .orderBy(['memberships.created_at', 'people.id'])
      .limit(limit)
      .select('people.*', 'memberships.role', 'memberships.created_at as since')
      .select(
        this.#db('sessions').max('last_used_at').where('sessions.person_id', this.#db.ref('people.id')).as('last_seen'),
      );
    return rows.map((row) => ({
      ...fromRow(row),
      role: row.role,
      since: new Date(row.since),
      lastSeenAt: row.last_seen === null ? null : new Date(row.last_seen),
    }));
  }

  /** Serialises transactions that decide about an account's owners. */
  async lockOwners(accountId: string): Promise<void> {
    await lock(this.#db, `owners ${accountId}`);
  }

  async countOwners(accountId: string): Promise<number> {
    const owners = await this.#db<MembershipRow>('memberships')
      .where({ account_id: accountId, role: 'owner' })
      .select('person_id');
    return owners.length;
  }
}
