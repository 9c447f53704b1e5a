// Configures zod, before it is loaded, not to compile code from text: the page's policy reports each attempt.

(globalThis as { __zod_globalConfig?: object }).__zod_globalConfig = { jitless: true };

export {};
