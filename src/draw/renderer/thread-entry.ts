// Entry point of the threads that start-thread.ts starts: imports the libraries with a top-level await, one by one, and
// then the module that the thread runs.
//
// V8 runs the importers of a module after its top-level await and does not expect them to fail. If they fail because
// the thread was just terminated, the whole process aborts ("Check failed: (location_) != nullptr", in
// SourceTextModule::AsyncModuleExecutionFulfilled). Libraries imported here separately have no such importer.

const [, , module = ''] = process.argv;

void import('harfbuzzjs').then(() => import('yoga-layout')).then(() => import(module));
