// What the editor's core may use beside ECMAScript. The compiler knows nothing of the DOM, of Node and of time here: the clock
// and what is kept are given (state/surface.ts), and files are passed on unread.

declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean });
  decode(bytes: Uint8Array): string;
}
declare function btoa(latin1: string): string;
declare function structuredClone<T>(value: T): T;

interface Blob {
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}
interface File extends Blob {
  readonly name: string;
}
interface AbortSignal {
  readonly aborted: boolean;
}
