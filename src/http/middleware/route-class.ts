// Classifies requests by route for metrics: few enough classes to be a label, each with similar cost.

/** By the pattern that the router matched. A path in none of these is `manage` under `/v1/`, otherwise `other`. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^\/v1\/renders$/, 'render'],
  [/^\/v1\/renders\/batch$/, 'batch'],
  [/^\/(v1\/screenshots$|forms\/chromium\/)/, 'screenshot'],
  [/\/render\.:ext$/, 'signed'],
  [/^\/v1\/templates\/:id\/(preview|layout)$/, 'preview'],
  [/^\/v1\/(images|fonts)$/, 'upload'],
  [/^\/(assets|images)\/:name$/, 'file'],
  [/^\/(healthz|readyz|metrics|health)$/, 'health'],
  [/^\/mcp$/, 'mcp'],
  [/^\/(v1\/)?studio\b/, 'studio'],
  [/^\/v1\//, 'manage'],
];

/** @param route the pattern; null = none matched */
export function routeClass(method: string, route: string | null, status: number): string {
  // A job was accepted, of whatever kind: the work comes later.
  if (status === 202) return 'job';
  const found = CLASSES.find(([pattern]) => pattern.test(route ?? ''))?.[1] ?? 'other';
  const isListed = (found === 'upload' || found === 'render') && method !== 'POST';
  return isListed ? 'manage' : found;
}
