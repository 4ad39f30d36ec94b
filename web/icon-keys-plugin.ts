/**
 * Leaves the keys of drawn elements out of icons: six random letters each, that cost more than the rest of a small icon, and
 * that React wants for lists that change.
 */
import type { Plugin } from 'vite'

const icon = /\/lucide-react\/.*\/icons\//

export function withoutIconKeys(): Plugin {
  return {
    name: 'atrium-icon-keys',
    // React asks for them while one develops.
    apply: 'build',
    transform(code, id) {
      return icon.test(id) ? { code: code.replace(/, key: "[a-z0-9]+"/g, ''), map: null } : null
    },
  }
}
