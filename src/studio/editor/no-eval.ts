// Tells zod, before it is loaded, that this page compiles no code from text: its policy reports each try.

(globalThis as { __zod_globalConfig?: object }).__zod_globalConfig = { jitless: true };

export {};
