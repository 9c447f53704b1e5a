// The errors for a request that no route answers: with the nearest route, or with the methods that its path has.

import { AppError } from '#base/errors.ts';
import { shortened } from '#core/diagnostics.ts';
import { nearestName } from '#core/nearest-name.ts';
import { isGotenbergPath, withoutGotenberg } from '../paths.ts';

/** A path and a method that the server answers. */
export interface Route {
  /** As the router has it: `/v1/renders/:id`. */
  readonly path: string;
  readonly methods: readonly string[];
}

/** Names that other services use for a part of our paths. */
const SYNONYMS: Readonly<Record<string, string>> = {
  capture: 'screenshots',
  captures: 'screenshots',
  generate: 'renders',
  job: 'renders',
  jobs: 'renders',
  me: 'account',
  openapi: 'openapi.json',
  swagger: 'openapi.json',
  'swagger.json': 'openapi.json',
  // Ours: renders are listed and deleted there.
  renders: 'history',
};

export function notFound(method: string, path: string, routes: readonly Route[]): AppError {
  if (isGotenbergPath(path)) {
    const isOn = routes.some((route) => isGotenbergPath(route.path));
    return new AppError('not_found', withoutGotenberg(shortened(path), isOn));
  }
  const near = nearestRoute(method, path, routes);
  const hint = near === null ? '; the API is described at /docs/api' : `; did you mean ${near}?`;
  return new AppError('not_found', `not found: there is no ${method} ${shortened(path)}${hint}`);
}

/** @param allowed the methods of the path's routes, as the header `Allow` lists them */
export function methodNotAllowed(method: string, path: string, allowed: string, routes: readonly Route[]): AppError {
  const near = nearestRoute(
    method,
    path,
    routes.filter(({ methods }) => methods.includes(method)),
  );
  const hint = near === null ? '' : `; did you mean ${near}?`;
  const methods = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(withoutHead(allowed.split(', ')));
  return new AppError(
    'method_not_allowed',
    `method not allowed: ${shortened(path)} takes ${methods}, not ${method}${hint}`,
  );
}

/** HEAD goes without saying where GET is allowed. */
const withoutHead = (methods: readonly string[]) => methods.filter((method) => method !== 'HEAD');

/** The likeliest route that was meant, with the caller's own ids in it: `POST /v1/renders`. */
function nearestRoute(method: string, path: string, routes: readonly Route[]): string | null {
  const parts = partsOf(path);
  for (const wanted of [parts, ['v1', ...parts], ...(parts[1] === 'v1' ? [parts.slice(1)] : [])]) {
    let best: { readonly cost: number; readonly text: string } | null = null;
    for (const route of routes) {
      const match = matchParts(partsOf(route.path), wanted);
      if (match === null) continue;
      const isAllowed = route.methods.includes(method);
      // Of two paths as near, the one that takes this method.
      const cost = 2 * match.changes + (isAllowed ? 0 : 1);
      if (best !== null && best.cost <= cost) continue;
      best = {
        cost,
        text: `${isAllowed ? method : (withoutHead(route.methods)[0] ?? '')} ${shortened(`/${match.parts.join('/')}`)}`,
      };
    }
    if (best !== null) return best.text;
  }
  return null;
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

/** How many parts of a path must change to match a route; null when it is not like it. */
function matchParts(
  route: readonly string[],
  wanted: readonly string[],
): { readonly changes: number; readonly parts: readonly string[] } | null {
  if (route.length !== wanted.length) return null;
  let changes = 0;
  const parts: string[] = [];
  for (const [index, part] of route.entries()) {
    const given = wanted[index] ?? '';
    if (/^[:{]/.test(part)) parts.push(given);
    else {
      parts.push(part);
      if (part === given) continue;
      changes += 1;
      if (nearestName(given, [part]) === null && SYNONYMS[given.toLowerCase()] !== part) return null;
    }
  }
  return { changes, parts };
}
