// The form in which a route is declared. One entry gives its path, its guard and its part of the OpenAPI document.

import type { Right } from '#server/service/accounts/key-scope.ts';
import type { MemberRole } from '#server/service/stored-names.ts';
import type { JsonSchema, Parameter } from '../openapi/parameters.ts';
import { parameterNamed } from '../openapi/parameters.ts';
import type { ComponentName } from '../openapi/schemas.ts';

/** A body: a component as JSON, or else bytes of these media types; bytes of these media types; or a JSON object with this example. */
export type BodyContent =
  | { readonly json: ComponentName; readonly or?: readonly string[] }
  | { readonly bytes: readonly string[] }
  | { readonly object: JsonSchema };

export interface Answer {
  readonly description: string;
  /** Null without a body. */
  readonly content: BodyContent | null;
  /** Media types of the file that may be the answer instead of JSON. */
  readonly orFile?: readonly string[];
}

/**
 * Who may call: anybody (`open`), whoever has a signature, any API key (`key`), keys with one of these rights; in the
 * studio, anybody signed in (`person`), members of the path's account with at least this role, or an embedded editor.
 */
export type Access = 'open' | 'signature' | 'key' | Right | readonly Right[] | 'person' | MemberRole | 'editor-token';

type Status = 400 | 401 | 402 | 403 | 404 | 409 | 412 | 413 | 416 | 422 | 428;

export const TAGS = {
  Rendering: 'Templates and web pages to pictures and documents.',
  Templates: 'The documents that are rendered. Each save makes a version that never changes.',
  Uploads: 'Images and fonts of the account’s own.',
  Account: 'The key’s account, and its usage.',
  Files: 'What was rendered or uploaded, at its public address.',
  Service: 'The service itself.',
  Studio: 'The studio’s own requests, for people who are signed in: with a session, never with an API key.',
} as const;
export type OperationTag = keyof typeof TAGS;

export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly access: Access;
  readonly tag: OperationTag;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: BodyContent | null;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Statuses of errors; 429, 500 and 503 can always occur. */
  readonly errors: readonly Status[];
  /** Whether it may carry an Idempotency-Key. */
  readonly idempotent: boolean;
  /** Whether a job that it starts ends in a webhook. */
  readonly completes: boolean;
  /** Whether the answer may have a header `platen-warnings`. */
  readonly warns: boolean;
  /** Whether the password must have been typed recently. */
  readonly sudo: boolean;
  /** Whether it changes the draft revision given by `If-Match`. */
  readonly ifMatch: boolean;
  /** Whether it can be done with an account that is suspended. */
  readonly evenSuspended: boolean;
}

interface Options {
  readonly description?: string;
  /** In place of those that the path and `query` name. */
  readonly parameters?: readonly Parameter[];
  /** Names of query parameters (openapi/parameters.ts). */
  readonly query?: readonly string[];
  /** `upload`: a file; `import`: a template in any form that can be imported. */
  readonly body?: ComponentName | 'upload' | 'import' | BodyContent;
  readonly idempotent?: true;
  readonly completes?: true;
  readonly warns?: true;
  readonly sudo?: true;
  readonly ifMatch?: true;
  readonly evenSuspended?: true;
  /** Beyond those that the path, the body, the query and the guard cause. */
  readonly errors?: readonly Status[];
}

/** A component, null for no body, media types of bytes, or a template (`document`). */
type ShortAnswer = Answer | ComponentName | 'document' | null | readonly string[];

type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

/** Declares operations of one tag. */
export const operations =
  (tag: OperationTag) =>
  (
    route: Route,
    access: Access,
    summary: string,
    answers: Readonly<Record<number, ShortAnswer>>,
    { description, parameters, query = [], body, errors = [], ...more }: Options = {},
  ): Operation => {
    const [verb = '', path = ''] = route.split(' ');
    const method = verb.toLowerCase() as Operation['method'];
    const named = parameters ?? [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameterNamed(name, 'path')),
      ...query.map((name) => parameterNamed(name, 'query')),
    ];
    const flags = { idempotent: false, completes: false, warns: false, sudo: false, ifMatch: false };
    const told = { method, path, access, tag, summary, parameters: named, body: contentOf(body), ...flags };
    const operation = { ...told, evenSuspended: false, ...more };
    return {
      ...operation,
      description: description ?? [`${summary}.`, ...notesOf(operation)].join(' '),
      answers: Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, answerOf(Number(status), answer)]),
      ),
      errors: [...new Set([...errors, ...impliedErrors(operation)])].sort(),
    };
  };

type Declared = Omit<Operation, 'description' | 'answers' | 'errors'>;

export const isRole = (access: Access): access is MemberRole => /^(viewer|editor|owner)$/.test(String(access));

function notesOf({ access, sudo, ifMatch }: Declared): readonly string[] {
  return [
    ...(isRole(access) ? [`Requires the role ${access}.`] : []),
    ...(sudo ? ['The password must have been confirmed in the last ten minutes.'] : []),
    ...(ifMatch ? ['If-Match names the revision of the draft.'] : []),
  ];
}

function impliedErrors({ method, path, access, tag, parameters, body, idempotent, ifMatch }: Declared): Status[] {
  const isOpen = access === 'open' || access === 'signature';
  const inStudio = tag === 'Studio';
  return [
    ...(body ? ([400, 413] as const) : []),
    ...(parameters.some((parameter) => parameter.in === 'query') ? ([400] as const) : []),
    ...((inStudio ? path.includes('{accountId}') : path.includes('{')) ? ([404] as const) : []),
    ...(isOpen && !inStudio ? [] : ([401] as const)),
    ...((inStudio ? !isOpen || method !== 'get' : !isOpen) ? ([403] as const) : []),
    ...(idempotent ? ([422] as const) : []),
    ...(ifMatch ? ([412, 428] as const) : []),
  ];
}

const UPLOAD = ['application/octet-stream', 'multipart/form-data'];
const CARD = { name: 'Card', width: 1200, height: 630 };

function contentOf(body: Options['body']): BodyContent | null {
  if (body === undefined) return null;
  if (body === 'upload') return { bytes: UPLOAD };
  if (body === 'import') return { object: { ...CARD, layers: [] } };
  return typeof body === 'string' ? { json: body } : body;
}

function answerOf(status: number, answer: ShortAnswer): Answer {
  if (answer === null) return { description: status === 304 ? 'Not modified.' : 'Done.', content: null };
  const description = { 201: 'Created.', 202: 'Accepted.' }[status] ?? 'The result.';
  if (answer === 'document') return { description, content: { object: CARD } };
  if (typeof answer === 'string') return { description, content: { json: answer } };
  return 'description' in answer ? answer : { description, content: { bytes: answer } };
}
