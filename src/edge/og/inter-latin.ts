// A font file in base64; empty here, written by scripts/build-edge.ts.

export default '';
