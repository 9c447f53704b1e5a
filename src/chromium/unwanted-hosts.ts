// What a caller does not want on a page in, the hosts that its browser does not reach out. The door to third-party-web.
//
// The lists tell by domain who a host belongs to and what for. The page's own host, and all others of its owner, are
// always reached: somebody who asks for an ad network's page is shown it.

export interface Unwanted {
  readonly blockAds: boolean;
  /** What counts visitors, and what loads such things. */
  readonly blockTrackers: boolean;
  readonly blockCookieBanners: boolean;
}

const CATEGORIES: Readonly<Record<keyof Unwanted, readonly string[]>> = {
  blockAds: ['ad'],
  blockTrackers: ['analytics', 'tag-manager'],
  blockCookieBanners: ['consent-provider'],
};

/** Whether a host is not to be reached from the page at `url`. */
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

/** Who a host belongs to; undefined for hosts in no list, addresses among them. */
async function loadOwners() {
  const { default: thirdParties } = await import('third-party-web/nostats-subset.js');
  return (host: string) => thirdParties.getEntity(`http://${host.toLowerCase().replace(/\.$/, '')}/`);
}
