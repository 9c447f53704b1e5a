// No zlib at the edge, where none is synchronous: `encoders/deflate.ts` writes long streams by itself.

export const deflateLong: ((bytes: Uint8Array) => Uint8Array) | null = null;
export const deflateApart: ((bytes: Uint8Array) => Promise<Uint8Array>) | null = null;
