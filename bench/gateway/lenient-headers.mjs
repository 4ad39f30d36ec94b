/**
 * Loaded into the Portkey gateway: on current Node its streams fail, because it adds headers to answers that do not let
 * themselves be changed. Without these headers it streams as it does elsewhere.
 */
for (const name of ['append', 'set', 'delete']) {
  const plain = Headers.prototype[name]
  Headers.prototype[name] = function (...args) {
    try {
      return plain.apply(this, args)
    } catch (error) {
      if (!(error instanceof TypeError) || error.message !== 'immutable') throw error
    }
  }
}
