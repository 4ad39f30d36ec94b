/** Every tool that an account may have used, of areas and of servers, in one fixed order. */
import { createHash } from 'node:crypto'
import type { ToolMode } from '@atrium/contract/tools'
import { z } from 'zod'
import { createCache } from '../../platform/cache/cache.ts'
import { modeOf, strictestOf, visibleWords } from './rules.ts'
import type { CatalogTool, Tool, ToolEffects, ToolSource } from './types.ts'

/** A tool with what is said about who decides. */
export interface CatalogItem extends CatalogTool {
  /** What holds for the account: the strictest of `rule` and `ownMode`. */
  readonly mode: ToolMode
  /** By what the tool does, administrators and its server. */
  readonly rule: ToolMode
  /** What the account chose; null: nothing. */
  readonly ownMode: ToolMode | null
}

export interface CatalogueDeps {
  readonly builtins: () => readonly Tool[]
  readonly sources: () => readonly ToolSource[]
  /** The role of an account that may have tools used at all; null: it may not. */
  readonly roleOfUser: (accountId: string) => Promise<'admin' | 'user' | null>
  /** What administrators say of built-in tools, by name. */
  readonly builtinModes: () => Promise<Readonly<Record<string, ToolMode>>>
  /** What an account says of tools, by their ids. */
  readonly ownModes: (accountId: string) => Promise<ReadonlyMap<string, ToolMode>>
}

export interface Catalogue {
  list(accountId: string): Promise<{
    readonly available: boolean
    readonly tools: readonly CatalogItem[]
    readonly notes: readonly string[]
    /** Ids of tools that may be used, and are away for now. */
    readonly away: ReadonlySet<string>
  }>
  /** Who decides about a tool of an earlier list by now. Whether it is still there, whoever offers it says when it is run. */
  modeNow(accountId: string, tool: CatalogItem): Promise<ToolMode>
}

const mostDescriptionLetters = 4000
const mostSchemaLetters = 1000
const usualTimeoutMs = 30_000

export const createCatalogue = ({
  builtins,
  sources,
  roleOfUser,
  builtinModes,
  ownModes,
}: CatalogueDeps): Catalogue => {
  /** Sources give the same tool again as long as nothing of it changed, and there may be thousands. */
  const items = new WeakMap<CatalogTool, CatalogItem>()
  const itemOf = (tool: CatalogTool): CatalogItem => {
    const known = items.get(tool)
    if (known) return known
    const description = visibleWords(tool.description).slice(0, mostDescriptionLetters).toWellFormed()
    const told = { description, parameters: plainSchema(tool.parameters) }
    const item = { ...tool, ...told, ...ruled(modeOf(tool.sideEffect, [tool.mode])) }
    items.set(tool, item)
    return item
  }
  const compose = createComposer(itemOf)
  const list: Catalogue['list'] = async (accountId) => {
    // All at once: it is done for each question, and each wait for the database is one before the first word.
    const asked = roleOfUser(accountId)
    const [role, own, modes, chosen, ...listed] = await Promise.all([
      asked,
      asked.then((known) => (known === null ? [] : listAvailable(builtins(), accountId, known))),
      builtinModes(),
      ownModes(accountId),
      ...sources().map((source) => source.list(accountId, asked)),
    ])
    if (role === null) return { available: false, tools: [], notes: [], away: new Set() }
    return {
      available: true,
      tools: compose(
        own.map((tool) => [tool, modes[tool.name]]),
        listed.map(({ tools }) => tools),
        chosen,
      ),
      notes: listed.flatMap(({ notes }) => notes),
      away: new Set(listed.flatMap(({ away = [] }) => away)),
    }
  }
  const modeNow: Catalogue['modeNow'] = async (accountId, { id, source, mode }) => {
    const role = roleOfUser(accountId)
    if ((await role) === null) return 'never'
    const chosen = (await ownModes(accountId)).get(id)
    if (source === 'builtin') {
      const tool = builtins().find(({ name }) => id === `builtin:${name}`)
      // What looks for tools is in no list.
      return tool ? strictestOf(modeOf(tool.sideEffect, [(await builtinModes())[tool.name]]), chosen) : mode
    }
    const listed = await Promise.all(sources().map((offers) => offers.list(accountId, role)))
    const now = listed.flatMap(({ tools }) => tools).find((tool) => tool.id === id)
    return now ? strictestOf(modeOf(now.sideEffect, [now.mode]), chosen) : mode
  }
  return { list, modeNow }
}

/** Tools of one area often go by the same: it is asked once. */
const listAvailable = async (tools: readonly Tool[], accountId: string, role: 'admin' | 'user'): Promise<Tool[]> => {
  const asked = new Set(tools.map(({ isAvailable }) => isAvailable))
  const answers = await Promise.all(
    [...asked].map(async (isAvailable) => [isAvailable, (await isAvailable?.(accountId, role)) ?? true] as const),
  )
  const isOffered = new Map(answers)
  return tools.filter(({ isAvailable }) => isOffered.get(isAvailable))
}

/** So many lists are kept: accounts that may use the same tools and chose the same share theirs. */
const mostKept = 50

/**
 * Gives a function that puts a list together, and gives the same one again for the same tools, modes and choices: there
 * may be thousands, for each answer.
 */
const createComposer = (itemOf: (tool: CatalogTool) => CatalogItem) => {
  const kept = createCache<readonly CatalogItem[]>({ max: mostKept })
  /** Lists of sources are the same objects as long as nothing of them changed. */
  const numbers = new WeakMap<readonly CatalogTool[], number>()
  let last = 0
  const numberOf = (list: readonly CatalogTool[]): number => {
    const number = numbers.get(list) ?? (last += 1)
    numbers.set(list, number)
    return number
  }
  return (
    own: readonly (readonly [Tool, ToolMode | undefined])[],
    foreign: readonly (readonly CatalogTool[])[],
    chosen: ReadonlyMap<string, ToolMode>,
  ): readonly CatalogItem[] => {
    const key = JSON.stringify([
      own.map(([{ name }, mode]) => [name, mode]),
      foreign.map((list) => (list.length === 0 ? 0 : numberOf(list))),
      [...chosen].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ])
    const known = kept.get(key)
    if (known) return known
    const items = [
      ...own.map(([tool, mode]) => toCatalogItem(tool, mode)).toSorted(byId),
      ...foreign.flat().toSorted(byId).map(itemOf),
    ]
    const list = withUniqueNames(items).map((tool) => {
      const ownMode = chosen.get(tool.id) ?? null
      return ownMode === null ? tool : { ...tool, ownMode, mode: strictestOf(tool.rule, ownMode) }
    })
    kept.set(key, list)
    return list
  }
}

/** While the account itself says nothing. */
const ruled = (rule: ToolMode): Pick<CatalogItem, 'mode' | 'rule' | 'ownMode'> => ({ mode: rule, rule, ownMode: null })

/** A schema of a server as models are told of it: what nobody sees is out of the words in it, and they are bounded. */
const plainSchema = (schema: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      wordNames.has(name) && typeof value === 'string' ? plainWords(value) : plainValue(value),
    ]),
  )
const plainValue = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(plainValue)
    : typeof value === 'object' && value !== null
      ? plainSchema(value as Record<string, unknown>)
      : value
const plainWords = (words: string): string => visibleWords(words).slice(0, mostSchemaLetters).toWellFormed()
const wordNames: ReadonlySet<string> = new Set(['description', 'title', '$comment'])

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)

/** No tool stands in for one that comes before it, and every name is one that providers take. */
const withUniqueNames = (tools: readonly CatalogItem[]): CatalogItem[] => {
  const taken = new Set<string>()
  return tools.map((tool) => {
    const fits = /^[A-Za-z0-9_-]{1,64}$/.test(tool.name) && !taken.has(tool.name)
    const named = fits ? tool : { ...tool, name: otherName(tool) }
    taken.add(named.name)
    return named
  })
}

const otherName = ({ id, name }: CatalogItem): string =>
  `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 51)}_${digestOf(id).slice(0, 12)}`

/** A built-in tool as an entry of the catalogue. `said`: what administrators chose for it; undefined: nothing. */
export const toCatalogItem = (tool: Tool, said: ToolMode | undefined): CatalogItem => {
  const { name, description, sideEffect, readsPrivateData, readsForeignText, sendsData } = tool
  const effects = { sideEffect, readsPrivateData, readsForeignText, sendsData }
  return {
    id: `builtin:${name}`,
    name,
    description,
    ...definitionOf(tool, effects),
    source: 'builtin',
    server: null,
    ...effects,
    timeoutMs: tool.timeoutMs ?? usualTimeoutMs,
    ...ruled(modeOf(sideEffect, [said])),
    ...(tool.findsAddresses === true && { findsAddresses: true }),
    ...(tool.showsDraft === true && { showsDraft: true }),
    ...(tool.addressesOf && { addressesOf: (args) => tool.addressesOf?.(tool.arguments.parse(args)) ?? [] }),
    async check(args) {
      const { error } = tool.arguments.safeParse(args)
      if (!error) return null
      return error.issues
        .slice(0, 10)
        .map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
        .join('; ')
    },
    // Checked before, so that what is left here are defaults.
    run: async (args, context) => await tool.run(tool.arguments.parse(args), context),
  }
}

const definitionOf = (tool: Tool, effects: ToolEffects): Pick<CatalogItem, 'digest' | 'parameters'> => {
  const parameters = parametersOf(tool.arguments)
  return { parameters, digest: digestOf(JSON.stringify({ description: tool.description, parameters, effects })) }
}

/** The same for every answer: they are made once for each form of arguments. */
const parametersBefore = new WeakMap<Tool['arguments'], CatalogItem['parameters']>()
const parametersOf = (schema: Tool['arguments']): CatalogItem['parameters'] => {
  const known = parametersBefore.get(schema)
  if (known) return known
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  parametersBefore.set(schema, parameters)
  return parameters
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
