// All tables of the first release. Times are milliseconds since 1970, ids are text (ids.ts).

import type { Database } from '../database.ts';
import * as accounts from './first-release/accounts.ts';
import * as people from './first-release/people.ts';
import * as renders from './first-release/renders.ts';
import * as server from './first-release/server.ts';
import * as templates from './first-release/templates.ts';
import * as uploads from './first-release/uploads.ts';
import * as webhooks from './first-release/webhooks.ts';

export async function up(db: Database): Promise<void> {
  // In this order, because tables refer to those before them.
  for (const part of [accounts, people, templates, uploads, renders, webhooks, server]) await part.up(db);
}
