/** All Arabic words in one piece, loaded when Arabic is shown. */
import type { Texts } from '../lib/texts.ts'

const files = import.meta.glob<Texts>(
  [
    './locales/ar.json',
    '../api/locales/ar.json',
    '../blocks/locales/ar.json',
    '../blocks/*/locales/ar.json',
    '../features/*/locales/ar.json',
    '../features/*/*/locales/ar.json',
  ],
  { eager: true, import: 'default' },
)

const features = new Set(Object.keys(files).map((path) => /^\.\.\/features\/([^/]+)\/locales\//.exec(path)?.[1]))

/**
 * Namespace → words. The namespace of a feature, or of a part of one, is the name of its folder; those of `api` are
 * called `errors`. A part that has the name of another feature is called after both: `settings-sign-in`.
 */
export const arabic: Record<string, Texts> = Object.fromEntries(
  Object.entries(files).map(([path, words]) => [namespaceOf(path), words]),
)

function namespaceOf(path: string): string {
  if (path.startsWith('./')) return 'app'
  const [outer, folder = ''] = path.split('/').slice(-4, -2)
  if (outer !== 'features' && features.has(folder)) return `${outer}-${folder}`
  return folder === 'api' ? 'errors' : folder
}
