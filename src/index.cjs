// What `require('platen')` returns.
//
// `require` cannot load index.js, whose layout engine starts asynchronously. So the functions, which are asynchronous
// anyway, import it when they are called. The error classes are the same objects as those of `import`.

/** @type {(name: 'render' | 'renderToPdf' | 'compose') => (template: any, options?: object) => Promise<unknown>} */
const imported =
  (name) =>
  async (...given) =>
    (await import('./index.js'))[name](...given);

exports.render = imported('render');
exports.renderToPdf = imported('renderToPdf');
exports.compose = imported('compose');
exports.AppError = require('./base/errors.js').AppError;
exports.ValidationError = require('./core/diagnostics.js').ValidationError;
