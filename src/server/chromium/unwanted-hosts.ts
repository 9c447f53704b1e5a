// Decides which hosts a captured page may not load from, because of ads, trackers or consent banners. The only module
// that uses third-party-web.
//
// Its lists give the owner and category of domains. The page's own host, and all others of its owner, are always
// reachable: somebody who captures an ad network's page sees it.

export interface Unwanted {
  readonly blockAds: boolean;
  /** Analytics, and tag managers, which load them. */
  readonly blockTrackers: boolean;
  readonly blockCookieBanners: boolean;
}

const CATEGORIES: Readonly<Record<keyof Unwanted, readonly string[]>> = {
  blockAds: ['ad'],
  blockTrackers: ['analytics', 'tag-manager'],
  blockCookieBanners: ['consent-provider'],
};

/** Returns whether a host is blocked for the page at `url`. */
export async function unwantedHosts(url: string, unwanted: Unwanted): Promise<(host: string) => boolean> {
  const refused = (Object.keys(CATEGORIES) as (keyof Unwanted)[])
    .filter((wish) => unwanted[wish])
    .flatMap((wish) => CATEGORIES[wish]);
  if (refused.length === 0) return () => false;
  const ownerOf = await loadOwners();
  const { hostname } = new URL(url);
  const owner = ownerOf(hostname);
  return (host) => {
    const entity = ownerOf(host);
    return entity !== undefined && entity !== owner && host !== hostname && refused.includes(entity.category);
  };
}

/** Looks up the owner of a host; undefined for hosts in no list, such as IP addresses. */
async function loadOwners() {
  const { default: thirdParties } = await import('third-party-web/nostats-subset.js');
  return (host: string) => thirdParties.getEntity(`http://${host.toLowerCase().replace(/\.$/, '')}/`);
}
