// What core takes from its surroundings beyond ECMAScript: three functions that every runtime of ours has (WinterTC, Minimum
// Common Web API). Everything else, Node and the DOM, the compiler does not know here.

declare class TextDecoder {
  constructor(label?: string);
  decode(bytes: Uint8Array): string;
}
declare function btoa(latin1: string): string;
declare function structuredClone<T>(value: T): T;
