// The shapes of the studio's routes, as the pages use them.

export type Role = 'owner' | 'editor' | 'viewer';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Who did it; null: a key, the command line, or somebody who is gone. */
export type By = { readonly id: string; readonly name: string } | null;

export interface SessionAccount {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly plan: string;
}

export interface Session {
  readonly person: Person | null;
  readonly accounts: readonly SessionAccount[];
  readonly sudoUntil: string | null;
  /** Whether the server has an owner. */
  readonly claimed: boolean;
  /** A sentence, where the connection is not safe. */
  readonly insecure: string | null;
  readonly minPassword: number;
}

/** One page of a list, newest first. */
export interface Page<T> {
  readonly items: readonly T[];
  /** To be sent as `after`; null at the end. */
  readonly next: string | null;
}

export interface TemplateCard {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly engine: string;
  readonly version: number;
  readonly hasDraft: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly updatedBy: By;
  /** A path to get with the session. */
  readonly thumbnail: string;
}

export type TemplatePage = Page<TemplateCard> & {
  readonly sizes: readonly { readonly width: number; readonly height: number; readonly count: number }[];
};

/** A stored template document: plain JSON. */
export type TemplateDocument = Readonly<Record<string, unknown>>;

export interface TemplateDetail extends TemplateCard {
  readonly document: TemplateDocument;
  readonly draft: { readonly revision: number; readonly savedAt: string; readonly savedBy: By } | null;
}

export interface Draft {
  readonly revision: number;
  readonly document: TemplateDocument;
  readonly baseVersion: number;
  readonly savedAt: string | null;
  readonly savedBy: By;
}

export interface Version {
  readonly version: number;
  /** Pinned: `tpl_…@3`. */
  readonly id: string;
  readonly createdAt: string;
  readonly author: By;
  readonly note: string | null;
  readonly thumbnail: string;
}

export type VersionDetail = Version & { readonly document: TemplateDocument };

export interface Bulk {
  readonly id: string;
  readonly template: string;
  readonly archive: 'zip' | 'pdf';
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly errors: readonly { readonly row: number; readonly error: string }[];
  readonly createdAt: string;
  readonly file: string | null;
}

export interface Render {
  readonly id: string;
  readonly kind: 'render' | 'screenshot';
  readonly status: 'queued' | 'processing' | 'done' | 'error';
  readonly output: string;
  readonly size: number | null;
  readonly error: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly url: string | null;
  readonly template: { readonly id: string; readonly name: string | null; readonly version: number } | null;
  readonly page: string | null;
}

export type RenderDetail = Render & { readonly modifications: Readonly<Record<string, unknown>> | null };

export interface Delivery {
  readonly id: string;
  readonly renderId: string;
  readonly url: string;
  readonly status: 'pending' | 'delivered' | 'failed' | 'refused';
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  readonly log: readonly {
    readonly at: string;
    readonly duration: number | null;
    readonly status: number | null;
    readonly error: string | null;
  }[];
}

export interface StoredImage {
  readonly id: string;
  readonly url: string;
  readonly name: string | null;
  readonly width: number;
  readonly height: number;
  readonly format: string;
  readonly size: number;
  readonly focus: { readonly x: number; readonly y: number } | null;
  readonly createdAt: string;
}

export type StoredImageDetail = StoredImage & {
  readonly usedBy: readonly { readonly id: string; readonly name: string; readonly inDraft: boolean }[];
};

export interface FontFace {
  readonly id: string;
  readonly fontId: string | null;
  readonly weight: number | readonly [number, number];
  readonly width: number | readonly [number, number];
  readonly style: string;
  readonly axes: Readonly<Record<string, { readonly min: number; readonly initial: number; readonly max: number }>>;
  readonly isEmoji: boolean;
  readonly size: number | null;
}

export interface FontFamily {
  readonly family: string;
  /** Uploaded to this account. */
  readonly own: boolean;
  readonly scripts: readonly string[];
  readonly faces: readonly FontFace[];
}

export interface FontList {
  readonly families: readonly FontFamily[];
  readonly generic: Readonly<Record<string, string>>;
}

export interface Key {
  readonly id: string;
  readonly name: string | null;
  readonly kind: 'live' | 'test';
  readonly lastFour: string;
  readonly createdAt: string;
  readonly createdBy: By;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

export interface Secret {
  readonly purpose: 'signing' | 'webhook';
  readonly lastFour: string;
  readonly createdAt: string;
  /** How many older ones are still accepted. */
  readonly previous: number;
}

export interface Usage {
  readonly plan: string;
  /** `2026-11`. */
  readonly period: string;
  readonly quota: number | null;
  readonly blocks: boolean;
  readonly used: number;
  readonly reserved: number;
  readonly overage: number;
  readonly days: readonly { readonly day: string; readonly count: number }[];
  readonly templates: readonly { readonly id: string; readonly name: string | null; readonly count: number }[];
  readonly other: number;
}

export interface Member extends Person {
  readonly role: Role;
  readonly isYou: boolean;
  readonly since: string;
  readonly lastSeenAt: string | null;
}

export interface Invitation {
  readonly id: string;
  readonly email: string | null;
  readonly role: Role;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly createdBy: By;
}

export interface Settings {
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
    readonly plan: string;
    readonly role: Role;
    readonly createdAt: string;
  };
  readonly plan: { readonly name: string; readonly quota: number | null; readonly blocks: boolean };
  readonly address: string;
  readonly insecure: string | null;
}

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'limited' | 'broken';
  readonly message: string;
}

export interface OwnSession {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly address: string | null;
  readonly agent: string | null;
}
