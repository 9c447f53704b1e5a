// The entry point of threads (start-thread.ts): loads libraries that have a top-level await one by one, then the
// module.
//
// V8 runs the importers of a module after its top-level await and assumes that this succeeds. If it does not, because
// the thread was just terminated, the whole process aborts ("Check failed: (location_) != nullptr", in
// SourceTextModule::AsyncModuleExecutionFulfilled). Libraries imported here separately have no such importer.

const [, , module = ''] = process.argv;

void import('harfbuzzjs').then(() => import('yoga-layout')).then(() => import(module));
