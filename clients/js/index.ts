// The package's exports: the client, and functions that need a secret instead of a key.

export {
  type BatchFile,
  type CaptureLater,
  type CaptureNow,
  type Download,
  type ModificationsOf,
  Platen,
  type RenderFilter,
  type RenderLater,
  type RenderNow,
  type RenderSeveral,
  type TemplateModifications,
  type TemplateReference,
  type Upload,
  type WaitOptions,
  type WithWarnings,
} from './client.ts';
export type * from './contract.generated.ts';
export { type EditorToken, signEditorToken } from './editor-token.ts';
export { JobFailedError, PlatenError } from './errors.ts';
export type { ClientOptions } from './options.ts';
export { type SignedUrl, signUrl } from './sign-url.ts';
export type { RequestOptions } from './transport.ts';
export { verifyWebhook, type WebhookDelivery, WebhookError } from './verify-webhook.ts';
