// Selectors of the elements in which common consent managers show their banners, hidden like a caller's
// `hideSelectors`.
//
// Most banners never appear because their hosts are blocked. These are served by the page itself, or are drawn earlier.
// Only ids and class names specific to their makers are listed, so that nothing else of a page is hidden by chance.

const BANNERS = [
  // OneTrust, Cookiebot, Quantcast, Didomi, Usercentrics, TrustArc, Osano
  '#onetrust-consent-sdk',
  '#onetrust-banner-sdk',
  '#CybotCookiebotDialog',
  '#CybotCookiebotDialogBodyUnderlay',
  '#qc-cmp2-container',
  '#didomi-host',
  '#usercentrics-root',
  '#usercentrics-cmp-ui',
  '#truste-consent-track',
  '.truste_overlay',
  '.truste_box_overlay',
  '.osano-cm-window',
  // Sourcepoint, Google, iubenda, CookieYes, Complianz, Borlabs, Moove, Axeptio, tarteaucitron, HubSpot, Shopify
  '[id^="sp_message_container"]',
  '.fc-consent-root',
  '#iubenda-cs-banner',
  '#cookie-law-info-bar',
  '.cky-consent-container',
  '.cky-overlay',
  '#cmplz-cookiebanner-container',
  '#BorlabsCookieBox',
  '#moove_gdpr_cookie_info_bar',
  '#axeptio_overlay',
  '#tarteaucitronRoot',
  '#hs-eu-cookie-confirmation',
  '#shopify-pc__banner',
  // Klaro, CookieConsent (two of that name), Cookie Script, Termly, Evidon, Consentmanager, CookieFirst, Cookie Information
  '.klaro .cookie-notice',
  '.klaro .cookie-modal',
  '#cc-main',
  '#cc--main',
  '.cc-window.cc-banner',
  '#cookiescript_injected',
  '#termly-code-snippet-support',
  '#_evidon_banner',
  '#cmpbox',
  '#cmpbox2',
  '#cookiefirst-root',
  '#coiOverlay',
];
/** Classes that prevent scrolling while a banner is shown; a full-page capture would be too short. */
const LOCKED = ['.didomi-popup-open', '.sp-message-open', '.cky-modal-open', '.osano-cm-modal-open'];

export const HIDE_CONSENT_BANNERS = `${BANNERS.join(', ')} { display: none !important }
html:is(${LOCKED.join(', ')}), body:is(${LOCKED.join(', ')}) { overflow: visible !important; position: static !important }`;
