// The entry of start-thread.ts: loads the libraries that await at their top level, each by itself, then the thread's module.
//
// V8 runs the importers of a module when its top-level await is over, and takes for granted that they run: one that does
// not, since its thread has just been ended, ends the whole process ("Check failed: (location_) != nullptr", in
// SourceTextModule::AsyncModuleExecutionFulfilled). What is imported here by itself has no such importer.

const [, , module = ''] = process.argv;

void import('harfbuzzjs').then(() => import('yoga-layout')).then(() => import(module));
