// The functions that core may use beside ECMAScript: TextDecoder, btoa and structuredClone.
//
// Every runtime of ours has them (WinterTC, Minimum Common Web API). The compiler knows nothing of Node and the DOM here.

declare class TextDecoder {
  constructor(label?: string);
  decode(bytes: Uint8Array): string;
}
declare function btoa(latin1: string): string;
declare function structuredClone<T>(value: T): T;
