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

/** The tools that the model of one answer is offered, out of all that its account may use. */
export const openOfferedTools = async (
  deps: ToolsContext,
  { accountId, chatId, contextWindow }: Pick<ToolkitRequest, 'accountId' | 'chatId' | 'contextWindow'>,
  tools: readonly CatalogItem[],
): Promise<OfferedTools> => {
  const reading = tools.find(({ id }) => id === `builtin:${readResultName}`)
  const others = tools.filter((tool) => tool !== reading)
  const sizeOf = (some: readonly CatalogItem[]) =>
    some.reduce(
      (size, { name, description, parameters }) =>
        size + name.length + description.length + JSON.stringify(parameters).length,
      0,
    )
  const areMany = (some: readonly CatalogItem[]) => areTooMany(some.length, () => sizeOf(some), contextWindow)
  const builtins = others.filter(({ source }) => source === 'builtin')
  const kept = !areMany(others)
    ? others
    : builtins.length < others.length && !areMany(builtins)
      ? builtins
      : builtins.filter(({ id }) => alwaysOffered.has(id))
  const hidden = others.filter((tool) => !kept.includes(tool))
  const [known, hasLong] = await Promise.all([
    chatId === null || hidden.length === 0 ? [] : deps.found.list(accountId, chatId),
    reading !== undefined && chatId !== null && deps.calls.hasLongResult(accountId, chatId),
  ])
  const later = known.flatMap((id) => hidden.filter((tool) => tool.id === id))

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
  const finding = hidden.length === 0 ? null : findTool(hidden, add)
  const first = finding ? [...kept, finding] : kept
  let isReading = hasLong

  /** Those that were found last, as far as there is room. */
  const fitting = (): CatalogItem[] => {
    let room = lettersFor(contextWindow) - sizeOf(first)
    return later
      .toReversed()
      .filter((tool) => (room -= sizeOf([tool])) >= 0)
      .toReversed()
  }

  return {
    list: () => [...first, ...(isReading && reading ? [reading] : []), ...fitting()],
    find: (name) => [...tools, ...(finding ? [finding] : [])].find((tool) => tool.name === name) ?? null,
    sawLongResult() {
      isReading = true
    },
  }
}

/** Names come from servers as well, so they stand in a description that is bounded, and what is found is quoted. */
const findTool = (hidden: readonly CatalogItem[], add: (found: readonly CatalogItem[]) => Promise<void>): CatalogItem =>
  toCatalogItem(
    defineTool({
      name: findToolsName,
      description: `Finds more tools, which can be called afterwards. There are too many to tell of them all here. By server: ${namesByServer(hidden)}`,
      sideEffect: false,
      readsPrivateData: false,
      readsForeignText: false,
      sendsData: false,
      arguments: z.strictObject({
        query: z.string().trim().min(1).max(300).describe('What the tool should do, or its name'),
      }),
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

const namesByServer = (tools: readonly CatalogItem[]): string => {
  const servers = Map.groupBy(tools, ({ server }) => server?.name ?? 'built in')
  const parts = [...servers].map(([server, of]) => `${server}: ${of.map(({ name }) => name).join(', ')}`)
  const whole = parts.join('; ')
  return whole.length <= mostNamesLetters ? whole : `${whole.slice(0, mostNamesLetters).toWellFormed()}…`
}
