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

/**
 * Namespace → words. The namespace of a feature is the name of its folder, that of a part of it both names:
 * `chat-sources`. The words of `api` are called `errors`, those of the app `app`.
 */
export const arabic: Record<string, Texts> = Object.fromEntries(
  Object.entries(files).map(([path, words]) => [namespaceOf(path), words]),
)

function namespaceOf(path: string): string {
  const [floor, ...folders] = path.split('/').slice(1, -2)
  if (floor === undefined) return 'app'
  if (floor === 'api') return 'errors'
  return folders.join('-') || floor
}
