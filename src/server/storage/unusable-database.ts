// Says in a sentence why a database cannot be opened: which one, the cause, and what the operator can do.

import { AppError } from '#base/errors.ts';
import { isPostgresUrl } from './open-database.ts';
import { isUnavailable } from './postgres/unavailable.ts';

/** Cause and remedy by SQLSTATE code (PostgreSQL's manual, appendix A), or by the code of a socket or of a resolver. */
const POSTGRES: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  '28P01': ['the password is wrong, or there is no such user', 'Check user and password in DATABASE_URL.'],
  'no TLS': [
    'PostgreSQL does not let this user in from here without TLS',
    'Add sslmode=require to DATABASE_URL (…/name?sslmode=require); else check the user, and pg_hba.conf on the server.',
  ],
  'client certificate': [
    'it asks for a certificate of the client',
    'Add sslcert=/path/cert.pem and sslkey=/path/key.pem to DATABASE_URL.',
  ],
  '28000': [
    'PostgreSQL does not let this user in from here',
    'Check the user in DATABASE_URL, and pg_hba.conf on the server.',
  ],
  '3D000': ['there is no database of this name', 'Create it with "createdb", or correct the name in DATABASE_URL.'],
  '42501': [
    'the user may not create tables in it',
    'Make the user its owner: ALTER DATABASE … OWNER TO …, or GRANT CREATE ON SCHEMA public TO ….',
  ],
  '53300': ['it has no free connection', 'Raise max_connections, or close connections of other programs.'],
  '25006': [
    'it takes no writes: it is a standby, or default_transaction_read_only is on',
    'Set DATABASE_URL to the primary, or let it take writes.',
  ],
  '57P03': ['it is starting or stopping', 'Try again in a moment.'],
  ENOTFOUND: ['its host cannot be found', 'Check the spelling of the host in DATABASE_URL.'],
  EAI_AGAIN: ['its host cannot be found', 'Check the host in DATABASE_URL, and the name server of this machine.'],
  ECONNREFUSED: ['nothing listens there', 'Start PostgreSQL, or correct host and port in DATABASE_URL.'],
  ETIMEDOUT: ['it does not answer', 'Check host and port in DATABASE_URL, and firewalls between.'],
  EHOSTUNREACH: ['its host cannot be reached', 'Check the host in DATABASE_URL, and firewalls between.'],
  'unknown authority': [
    'the authority of its certificate is not known here',
    'Add sslrootcert=/path/authority.pem to DATABASE_URL, or name that file in NODE_EXTRA_CA_CERTS; sslmode=no-verify encrypts without checking who answers.',
  ],
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Renew it on the server, and check the clock of this machine.'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'Check the clocks of the server and of this machine.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its certificate is for another host',
    'Write the host in DATABASE_URL as a name of its certificate, which an IP address is not; sslmode=no-verify does not check.',
  ],
  'server without TLS': [
    'the server offers no TLS, which sslmode asks for',
    'Set ssl = on in its postgresql.conf, or leave sslmode out of DATABASE_URL on a network that you trust.',
  ],
  ENETUNREACH: ['its network cannot be reached', 'Check the host in DATABASE_URL, and the network of this machine.'],
};

/** Failures that have no code, or too general a one, by their messages. */
const POSTGRES_WORDS: readonly (readonly [RegExp, code: string])[] = [
  [/client password must be a (non-empty )?string/i, '28P01'],
  [/timeout expired/i, 'ETIMEDOUT'],
  [/, no encryption$/i, 'no TLS'],
  [/valid client certificate|certificate required/i, 'client certificate'],
  [/does not support SSL|establishing an SSL connection/i, 'server without TLS'],
  [/self.signed certificate|unable to (verify the first|get (local )?issuer) certificate/i, 'unknown authority'],
];

const SQLITE: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  SQLITE_NOTADB: ['it is no SQLite database', 'Move it away, restore a backup, or set PLATEN_DATA to another folder.'],
  SQLITE_CORRUPT: ['it is damaged', 'Restore a backup with "platen restore".'],
};

/**
 * Replaces the error of an attempt to open `location`.
 *
 * @param location a `postgres:` URL, or the path of the SQLite file
 * @returns AppError with the sentence: `overloaded` where it was that before, else `conflict`. An error that is none of
 *   the database's, or that explains itself, is returned as it is.
 */
export function explainUnusable(location: string, error: unknown): unknown {
  if (error instanceof AppError && error.code !== 'overloaded') return error;
  const known = isPostgresUrl(location) ? ofPostgres(rootOf(error)) : SQLITE[codeOf(rootOf(error))];
  if (known === undefined) return error;
  const [cause, remedy] = known;
  const message = `${named(location)} cannot be used: ${cause}. ${remedy}`;
  return new AppError(error instanceof AppError ? error.code : 'conflict', message, { cause: error });
}

function ofPostgres(error: unknown): readonly [string, string] | undefined {
  if (!(error instanceof Error)) return undefined;
  const worded = POSTGRES_WORDS.find(([words]) => words.test(error.message))?.[1];
  const code = worded ?? codeOf(error);
  if (POSTGRES[code]) return POSTGRES[code];
  // The server's own words about anything else: a class and a subclass make five characters.
  if (/^[0-9A-Z]{5}$/.test(code)) return [error.message, 'Check DATABASE_URL.'];
  const { syscall, address, path } = error as NodeJS.ErrnoException & { readonly address?: string };
  // `ENOENT: no such file or directory, open '/etc/ca.pem'`
  const [, file] = error.message.endsWith("'") ? error.message.slice(0, -1).split(", open '") : [];
  if (path !== undefined || file !== undefined) {
    const which = file ?? path;
    return [`${which} cannot be read (${code})`, 'Correct sslrootcert, sslcert or sslkey in DATABASE_URL.'];
  }
  if (syscall === 'connect' && address?.startsWith('/')) {
    return [
      `there is no socket ${address} that it answers at (${code})`,
      'Start PostgreSQL, or correct host= in DATABASE_URL.',
    ];
  }
  if (/^(ERR_(TLS|SSL|OSSL)|EPROTO)/.test(code)) {
    return [
      `no TLS connection is made (${error.message})`,
      'Check sslmode, sslrootcert, sslcert and sslkey in DATABASE_URL.',
    ];
  }
  return isUnavailable(error) ? ['it cannot be reached', 'Check host and port in DATABASE_URL.'] : undefined;
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '');

/** The first cause. A host with several addresses fails with an error for each. */
function rootOf(error: unknown): unknown {
  if (error instanceof AggregateError) return rootOf(error.errors[0]);
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error;
}

/** The database without its password. */
function named(location: string): string {
  if (!isPostgresUrl(location)) return `The database ${location}`;
  // A socket's address has no host.
  const url = URL.parse(location.replace('@/', '@localhost/'));
  if (url === null) return 'The database of DATABASE_URL';
  const host = url.searchParams.get('host') ?? `${url.hostname || 'localhost'}:${url.port || 5432}`;
  const user = url.username === '' ? '' : ` as ${decodeURIComponent(url.username)}`;
  return `The database "${decodeURIComponent(url.pathname.slice(1))}" at ${host}${user}, of DATABASE_URL,`;
}
