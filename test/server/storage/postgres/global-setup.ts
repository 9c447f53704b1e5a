// Starts PostgreSQL once per test run, with a template database that every test's database is copied from.

import type { TestProject } from 'vitest/node';
import { openStorage } from '#server/storage/storage.ts';
import { runOn } from './run-on.ts';
import { startPostgres } from './start-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the server's database `postgres`; absent = tests run on SQLite. */
    postgres: string;
  }
}

export const TEMPLATE = 'platen_template';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  await runOn(server.urlOf('postgres'), `CREATE DATABASE ${TEMPLATE}`);
  await (await openStorage(server.urlOf(TEMPLATE)))[Symbol.asyncDispose]();
  project.provide('postgres', server.urlOf('postgres'));
  return async () => server[Symbol.asyncDispose]();
}
