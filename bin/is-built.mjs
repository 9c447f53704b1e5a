// Whether a checkout's `dist` holds the `platen` command as its sources are now.
//
// Plain JavaScript, because an older Node must be able to run this file.

import { readdirSync, statSync } from 'node:fs';

/**
 * True when the built command is newer than every source, and every library and script that it was built from. Folders
 * count too: a file that was deleted or moved changes the time of its folder. Takes about 5 ms.
 *
 * @param {string} root
 */
export function isBuilt(root) {
  const built = timeOf(`${root}/dist/cli/main.js`);
  const others = ['package-lock.json', 'scripts/build-package.ts', 'scripts/bundle-modules.ts'];
  return others.every((path) => timeOf(`${root}/${path}`) < built) && isOlder(`${root}/src`, built);
}

/** ms since 1970; 0 = there is no such file. @param {string} path */
const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * @param {string} folder
 * @param {number} time
 * @returns {boolean}
 */
function isOlder(folder, time) {
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    // The studio is a bundle of its own.
    if (entry.name === 'studio') return true;
    // Not `join`, which takes as long as all the rest.
    const path = `${folder}/${entry.name}`;
    return timeOf(path) < time && (!entry.isDirectory() || isOlder(path, time));
  });
}
