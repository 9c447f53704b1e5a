// There is no synchronous zlib at the edge.

export const deflateLong: ((bytes: Uint8Array) => Uint8Array) | null = null;
export const deflateApart: ((bytes: Uint8Array) => Promise<Uint8Array>) | null = null;
