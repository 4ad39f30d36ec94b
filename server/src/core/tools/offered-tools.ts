/**
 * Which tools a model is offered. Where there are too many, it gets their names by server and looks for them; what it found
 * is offered for the rest of the chat, behind the others, so that the beginning of the request stays as it was.
 */
import { z } from 'zod'
import { readResultName } from './builtins/read-result.ts'
import { type CatalogItem, toCatalogItem } from './catalogue.ts'
import type { ToolSpec } from '../../providers/types.ts'
import type { ToolsContext } from './context.ts'
import { defineTool } from '../../platform/areas/tool.ts'
import { areTooMany, lettersFor, rankTools } from './rules.ts'
import { quoteWords } from './result-text.ts'
import { makeOnce } from './tool-lists.ts'
import type { ToolkitRequest } from './types.ts'

export const findToolsName = 'find_tools'

export interface OfferedTools {
  /** In a fixed order; what is found later stands at the end. */
  list(): readonly CatalogItem[]
  /** By the name that a model uses; null: there is none. */
  find(name: string): CatalogItem | null
  /** A result was cut: from now on the model is told how to read on. */
  sawLongResult(): void
}

/** As models are told of them. */
export const specsOf = (offered: OfferedTools): readonly ToolSpec[] =>
  offered.list().map(({ name, description, parameters }) => ({ name, description, parameters }))

const mostFound = 8
const mostNamesLetters = 6000
const alwaysOffered: ReadonlySet<string> = new Set(['builtin:ask_user', 'builtin:current_time', 'builtin:calculate'])

/** What happened in a chat that counts for what its model is offered. */
export interface OfferedBefore {
  /** Ids of tools that it was told of, the first found first. */
  readonly found: readonly string[]
  readonly hasLongResult: boolean
}

export const readOfferedBefore = async (
  { found, calls }: Pick<ToolsContext, 'found' | 'calls'>,
  { accountId, chatId }: Pick<ToolkitRequest, 'accountId' | 'chatId'>,
): Promise<OfferedBefore> => {
  if (chatId === null) return { found: [], hasLongResult: false }
  const [ids, hasLongResult] = await Promise.all([
    found.list(accountId, chatId),
    calls.hasLongResult(accountId, chatId),
  ])
  return { found: ids, hasLongResult }
}

/** The tools that the model of one answer is offered, out of all that its account may use. */
export const openOfferedTools = async (
  deps: ToolsContext,
  { accountId, chatId, contextWindow }: Pick<ToolkitRequest, 'accountId' | 'chatId' | 'contextWindow'>,
  tools: readonly CatalogItem[],
  before: Promise<OfferedBefore> = readOfferedBefore(deps, { accountId, chatId }),
): Promise<OfferedTools> => {
  const { reading, kept, hidden, byName, names } = divide(tools, contextWindow)
  const { found: known, hasLongResult: hasLong } = await before
  const later = known.length === 0 ? [] : known.flatMap((id) => hidden.filter((tool) => tool.id === id))

  const add = async (found: readonly CatalogItem[]): Promise<void> => {
    if (chatId !== null)
      await deps.found.add(
        accountId,
        chatId,
        found.map(({ id }) => id),
        deps.clock.now(),
      )
    for (const tool of found) if (!later.includes(tool)) later.push(tool)
  }
  const finding = hidden.length === 0 ? null : findTool(hidden, names(), add)
  const first = finding ? [...kept, finding] : kept
  let isReading = hasLong

  /** Those that were found last, as far as there is room. */
  const fitting = (): CatalogItem[] => {
    if (later.length === 0) return []
    let room = lettersFor(contextWindow) - sizeOf(first)
    return later
      .toReversed()
      .filter((tool) => (room -= sizeOf([tool])) >= 0)
      .toReversed()
  }

  return {
    list: () => [...first, ...(isReading && reading ? [reading] : []), ...fitting()],
    find: (name) => byName().get(name) ?? (finding?.name === name ? finding : null),
    sawLongResult() {
      isReading = true
    },
  }
}

/** Which tools of a list a model is told of, and which it looks for. */
interface Division {
  readonly reading: CatalogItem | undefined
  readonly kept: readonly CatalogItem[]
  readonly hidden: readonly CatalogItem[]
  readonly byName: () => ReadonlyMap<string, CatalogItem>
  /** Of the hidden ones, by server. */
  readonly names: () => string
}

/** There are three ways to divide a list. */
const divide = (tools: readonly CatalogItem[], contextWindow: number | null): Division =>
  dividerOf(tools)(contextWindow)

const dividerOf = makeOnce((tools) => {
  const reading = tools.find(({ id }) => id === `builtin:${readResultName}`)
  const all = tools.filter((tool) => tool !== reading)
  const builtins = all.filter(({ source }) => source === 'builtin')
  const byName = once(() => new Map(tools.toReversed().map((tool) => [tool.name, tool])))
  const [allSize, builtinSize] = [once(() => sizeOf(all)), once(() => sizeOf(builtins))]
  const keep = (kept: readonly CatalogItem[]) =>
    once((): Division => {
      const told = new Set(kept)
      const hidden = all.filter((tool) => !told.has(tool))
      return { reading, kept, hidden, byName, names: once(() => namesByServer(hidden)) }
    })
  const whole = keep(all)
  const withBuiltins = keep(builtins)
  const least = keep(builtins.filter(({ id }) => alwaysOffered.has(id)))
  return (contextWindow: number | null): Division => {
    if (!areTooMany(all.length, allSize, contextWindow)) return whole()
    const fits = builtins.length < all.length && !areTooMany(builtins.length, builtinSize, contextWindow)
    return fits ? withBuiltins() : least()
  }
})

const once = <T>(read: () => T): (() => T) => {
  let known: { readonly value: T } | null = null
  return () => (known ??= { value: read() }).value
}

/** Characters that a model reads of them. */
const sizeOf = (tools: readonly CatalogItem[]): number => tools.reduce((size, tool) => size + lettersOf(tool), 0)

const letters = new WeakMap<CatalogItem, number>()
const lettersOf = (tool: CatalogItem): number => {
  const { name, description, parameters } = tool
  const count = letters.get(tool) ?? name.length + description.length + JSON.stringify(parameters).length
  letters.set(tool, count)
  return count
}

const findArguments = z.strictObject({
  query: z.string().trim().min(1).max(300).describe('What the tool should do, or its name'),
})

/** Names come from servers as well, so they stand in a description that is bounded, and what is found is quoted. */
const findTool = (
  hidden: readonly CatalogItem[],
  names: string,
  add: (found: readonly CatalogItem[]) => Promise<void>,
): CatalogItem =>
  toCatalogItem(
    defineTool({
      name: findToolsName,
      description: `Finds more tools, which can be called afterwards. There are too many to tell of them all here. By server: ${names}`,
      sideEffect: false,
      readsPrivateData: false,
      readsForeignText: false,
      sendsData: false,
      arguments: findArguments,
      async run({ query }, { callId }) {
        const found = rankTools(hidden, query, mostFound)
        if (found.length === 0) return { text: 'No tool fits these words. Try others, or the name of a tool.' }
        await add(found)
        const lines = found.map(({ name, description }) => `${name}: ${description.slice(0, 300).toWellFormed()}`)
        return { text: `These can be called now:\n${quoteWords(findToolsName, `quoted-${callId}`, lines.join('\n'))}` }
      },
    }),
    undefined,
  )

/** Each server with how many tools it has, and of their names as many as there is room for; servers share it evenly. */
export const namesByServer = (tools: readonly Pick<CatalogItem, 'name' | 'server'>[]): string => {
  const servers = [...Map.groupBy(tools, ({ server }) => server?.name ?? 'built in')].map(([server, of]) => ({
    title: `${server} (${of.length})`,
    names: of.map(({ name }) => name),
    told: '',
  }))
  let room = servers.reduce((left, { title }) => left - title.length - separatorLetters, mostNamesLetters)
  // What those leave that need less is there for the others.
  const byNeed = servers.toSorted((a, b) => a.names.join(', ').length - b.names.join(', ').length)
  for (const [index, server] of byNeed.entries()) {
    server.told = joinFitting(server.names, Math.floor(room / (byNeed.length - index)))
    room -= server.told.length
  }
  return servers.map(({ title, told }) => (told === '' ? title : `${title}: ${told}`)).join('; ')
}

/** A colon, a semicolon, and a space behind each. */
const separatorLetters = 4

const joinFitting = (names: readonly string[], most: number): string => {
  const whole = names.join(', ')
  if (whole.length <= most) return whole
  let letters = 1
  const fitting = names.slice(
    0,
    names.findIndex((name) => (letters += name.length + 2) > most),
  )
  return fitting.length === 0 ? '' : [...fitting, '…'].join(', ')
}
