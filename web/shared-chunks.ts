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
const inChat = /\/features\/chat\/|words\/chat/
const sections = /\/settings\/sections\.ts$/
const inSettings = /\/features\/(?:[\w-]+\/)?settings\//
const english = /virtual:words\/|\/locales\/en\.json$/
/** Those parts of it that no page has from the start. */
const longLists = /\/@tanstack\/(?:virtual-core|react-virtual|query-core|react-query)\//
const icon = /\/lucide-react\/.*\/icons\//
/** Without the chart, which would bring its library along. */
const control = /\/web\/src\/(?:ui\/(?!line-chart)|blocks\/setting-row\/)|virtual:words\/setting-row$/
const pathOf = (file: string): string => fileURLToPath(new URL(`./src/${file}`, import.meta.url))
const firstPage = pathOf('features/chat/page/new-chat-page.tsx')
const chatPage = pathOf('features/chat/page/chat-page.tsx')
const chatLists = ['list/chat-list.tsx', 'list/selection-bar.tsx', 'page/recent-chats.tsx', 'shared/section.tsx'].map(
  (file) => pathOf(`features/chat/${file}`),
)
const thread = pathOf('features/chat/thread/thread.tsx')
/** Small parts of the first pages that are loaded by themselves: as files of their own they cost a request each. */
const withFirstPage = ['blocks/alerts/alert-line.tsx'].map(pathOf)
/** Too large for those who need something small beside it. */
const large = /\/blocks\/markdown\/(?!citations)|words\/markdown$/
/** So small, and so often used, that the first page carries them. */
const tiny = /\/ui\/(?:badge|switch|segmented-control)\.tsx$/

/**
 * Gives the chunk of a module, or null where the bundler decides. `composer` and `common` hold what the page of a new chat
 * consists of, which most people see first; `common` has what other pages share with it. `settings` holds the sections,
 * which are always loaded together, with those of their words that no page outside of the settings shows, and `controls`
 * what forms are made of and small parts of messages; that page loads neither. `lists` holds the rows of the list of chats,
 * which come after the page, and what other long lists need. `thread` holds what an open chat adds to
 * the page of a new one, and `messages` what draws its messages.
 */
export function sharedChunkOf(id: string, graph: ModuleGraph): string | null {
  const { page, parts, lists, chat, messages } = firstModules(graph)
  if (longLists.test(id)) return page.has(id) ? 'common' : 'lists'
  if (icon.test(id)) {
    if (isIconOf(page, id, graph)) return 'common'
    if (isIconOf(lists, id, graph)) return 'lists'
    if (isIconOf(chat, id, graph)) return 'thread'
    return isIconOf(messages, id, graph) || !isIconOf(parts, id, graph) ? 'controls' : null
  }
  if (tiny.test(id)) return 'common'
  if (page.has(id) && source.test(id)) return composer.test(id) ? 'composer' : 'common'
  if (lists.has(id) && source.test(id)) return 'lists'
  if (chat.has(id) && source.test(id)) return 'thread'
  if (messages.has(id) && source.test(id) && !large.test(id)) return inChat.test(id) ? 'messages' : 'controls'
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

interface FirstModules {
  readonly page: ReadonlySet<string>
  readonly parts: ReadonlySet<string>
  readonly lists: ReadonlySet<string>
  readonly chat: ReadonlySet<string>
  readonly messages: ReadonlySet<string>
}
let first: FirstModules | undefined
/**
 * The page of a new chat with all that it imports; the same with what it then loads; the list beside it; the page of a chat;
 * its messages.
 */
function firstModules(graph: ModuleGraph): FirstModules {
  if (first) return first
  const missing = [firstPage, chatPage, thread, ...chatLists, ...withFirstPage].find(
    (file) => !graph.getModuleInfo(file),
  )
  if (missing) throw new Error(`There is no ${missing}.`)
  const page = importedBy([firstPage, ...withFirstPage], graph)
  const loaded = [...page].flatMap((each) => graph.getModuleInfo(each)?.dynamicallyImportedIds ?? [])
  const parts = importedBy([...page, ...loaded], graph)
  const [lists, chat, messages] = [
    importedBy(chatLists, graph),
    importedBy([chatPage], graph),
    importedBy([thread], graph),
  ]
  return (first = { page, parts, lists, chat, messages })
}

function importedBy(ids: readonly string[], graph: ModuleGraph): Set<string> {
  const found = new Set(ids)
  for (const each of found) for (const imported of graph.getModuleInfo(each)?.importedIds ?? []) found.add(imported)
  return found
}
