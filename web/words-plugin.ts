/**
 * `virtual:words/<namespace>`: adds the words of a folder `locales` to the texts, English at once and other languages
 * when they are shown. A new language is one file more in each of these folders.
 *
 * The namespace of a feature is the name of its folder, that of a part of it both names: `chat-sources`. Blocks have the
 * name of their folder; the words of `api` are called `errors`, those of the app `app`.
 */
import { globSync, readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = fileURLToPath(new URL('./src', import.meta.url))
const prefix = 'virtual:words/'

export function words(): Plugin {
  return {
    name: 'atrium-words',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null
      const namespace = id.slice(prefix.length + 1)
      const folder = foldersByNamespace().get(namespace)
      if (!folder) return this.error(`There are no words for the namespace ${namespace}.`)
      return moduleOf(namespace, folder)
    },
  }
}

/** In which chunk the words of a file lie: one for each feature and language, one for all that is no feature. */
export function wordsChunkOf(id: string): string | null {
  const [, floor, feature, language] = /\/src\/(\w+)\/(?:([\w-]+)\/)?.*?locales\/(\w+)\.json$/.exec(id) ?? []
  if (!floor || !language || language === 'en') return null
  return `words-${language}-${floor === 'features' ? feature : 'base'}`
}

function moduleOf(namespace: string, folder: string): string {
  const path = (file: string) => JSON.stringify(join(folder, file).replaceAll(sep, '/'))
  const others = readdirSync(folder).filter((file) => file !== 'en.json')
  return [
    `import { addTexts } from ${JSON.stringify(join(source, 'lib/texts.ts').replaceAll(sep, '/'))}`,
    `import english from ${path('en.json')}`,
    `export { translate, useText } from ${JSON.stringify(join(source, 'lib/texts.ts').replaceAll(sep, '/'))}`,
    `addTexts(${JSON.stringify(namespace)}, english, {`,
    ...others.map((file) => `  ${JSON.stringify(file.replace(/\.json$/, ''))}: () => import(${path(file)}),`),
    '})',
  ].join('\n')
}

/** Every folder `locales` of the app, by its namespace. */
export function foldersByNamespace(): Map<string, string> {
  const files = globSync('**/locales/en.json', { cwd: source })
  return new Map(files.map((file) => [namespaceOf(dirname(dirname(file))), join(source, dirname(file))]))
}

/** Of a folder below `src` that holds `locales`. */
function namespaceOf(folder: string): string {
  const [floor = '', ...names] = relative('.', folder).split(sep)
  if (floor === 'api') return 'errors'
  return names.join('-') || floor
}
