/**
 * In which chunk small modules lie that several lazy parts share. The bundler by itself writes a file for each set of
 * parts that share something, which made pages load up to eighty files, most of a few hundred bytes.
 */
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

interface ModuleGraph {
  getModuleInfo(id: string): ModuleLinks | null
}

interface ModuleLinks {
  readonly code: string | null
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
  readonly importers: readonly string[]
  readonly dynamicImporters: readonly string[]
}

const source = /\/web\/src\/|virtual:words\/|\/contract\/src\//
const composer =
  /\/features\/chat\/|\/blocks\/(?:composer|model-picker|chat-documents)\/|words\/(?:chat|composer|model-picker)/
const sections = /\/settings\/sections\.ts$/
const inSettings = /\/features\/(?:[\w-]+\/)?settings\//
const english = /virtual:words\/|\/locales\/en\.json$/
const icon = /\/lucide-react\/.*\/icons\//
const control = /\/web\/src\/(?:ui|blocks\/setting-row)\/|virtual:words\/setting-row$/
const firstPage = fileURLToPath(new URL('./src/features/chat/page/new-chat-page.tsx', import.meta.url))

/**
 * Gives the chunk of a module, or null where the bundler decides. `composer` and `common` hold what the page of a new chat
 * consists of, which most people see first; `common` has what other pages share with it. `settings` holds the sections,
 * which are always loaded together, with those of their words that no page outside of the settings shows, and `controls`
 * what forms are made of; that page loads neither.
 */
export function sharedChunkOf(id: string, graph: ModuleGraph): string | null {
  const { page, parts } = firstModules(graph)
  if (icon.test(id)) return isIconOf(parts, id, graph) ? (isIconOf(page, id, graph) ? 'common' : null) : 'controls'
  if (page.has(id) && source.test(id)) return composer.test(id) ? 'composer' : 'common'
  if (sections.test(id)) return 'settings'
  if (control.test(id)) return parts.has(id) ? null : 'controls'
  return english.test(id) && isOfSections(id, graph) ? 'settings' : null
}

const isOfSections = (id: string, graph: ModuleGraph): boolean => {
  const all = [...importersOf(id, graph)]
  const parts = all.filter((each) => (graph.getModuleInfo(each)?.dynamicImporters.length ?? 0) > 0)
  return all.some((each) => sections.test(each)) && parts.every((each) => inSettings.test(each))
}

/** A module with all that import it, directly or not. */
function importersOf(id: string, graph: ModuleGraph): Set<string> {
  const found = new Set([id])
  for (const each of found) for (const importer of graph.getModuleInfo(each)?.importers ?? []) found.add(importer)
  return found
}

/** By its name in their source: all icons are imported by way of one module. */
function isIconOf(modules: ReadonlySet<string>, id: string, graph: ModuleGraph): boolean {
  const name = basename(id)
    .replace(/\.\w+$/, '')
    .replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return [...modules].some((each) => source.test(each) && graph.getModuleInfo(each)?.code?.includes(name))
}

let first: { readonly page: ReadonlySet<string>; readonly parts: ReadonlySet<string> } | undefined
/** The page of a new chat with all that it imports; the same with what it then loads. */
function firstModules(graph: ModuleGraph): NonNullable<typeof first> {
  if (first) return first
  if (!graph.getModuleInfo(firstPage)) throw new Error(`There is no ${firstPage}.`)
  const page = importedBy([firstPage], graph)
  const loaded = [...page].flatMap((each) => graph.getModuleInfo(each)?.dynamicallyImportedIds ?? [])
  page.delete(firstPage)
  return (first = { page, parts: importedBy([...page, ...loaded], graph) })
}

function importedBy(ids: readonly string[], graph: ModuleGraph): Set<string> {
  const found = new Set(ids)
  for (const each of found) for (const imported of graph.getModuleInfo(each)?.importedIds ?? []) found.add(imported)
  return found
}
