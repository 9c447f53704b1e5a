// Tells the studio's other tabs that an image or a font of an account was added, deleted or brought back.

const CHANNEL = 'platen-uploads';

export function tellUploadsChanged(accountId: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(accountId);
  channel.close();
}

/** Calls `listener` when another tab changed the account's uploads. Returns a function that ends this. */
export function onUploadsChanged(accountId: string, listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data === accountId) listener();
  };
  return () => channel.close();
}
