/** Every tool that an account may have used, of areas and of servers, in one fixed order. */
import { createHash } from 'node:crypto'
import type { ToolMode } from '@atrium/contract/tools'
import { z } from 'zod'
import { modeOf, visibleWords } from './rules.ts'
import type { CatalogTool, Tool, ToolSource } from './types.ts'

/** A tool with what is said about who decides. */
export interface CatalogItem extends CatalogTool {
  readonly mode: ToolMode
}

export interface CatalogueDeps {
  readonly builtins: () => readonly Tool[]
  readonly sources: () => readonly ToolSource[]
  /** Whether an account may have tools used at all. */
  readonly mayUse: (accountId: string) => Promise<boolean>
  /** What administrators say of built-in tools, by name. */
  readonly builtinModes: () => Promise<Readonly<Record<string, ToolMode>>>
}

export interface Catalogue {
  list(accountId: string): Promise<{
    readonly available: boolean
    readonly tools: readonly CatalogItem[]
    readonly notes: readonly string[]
  }>
}

const mostDescriptionLetters = 4000
const usualTimeoutMs = 30_000

export const createCatalogue = ({ builtins, sources, mayUse, builtinModes }: CatalogueDeps): Catalogue => ({
  async list(accountId) {
    if (!(await mayUse(accountId))) return { available: false, tools: [], notes: [] }
    const [modes, offered, ...listed] = await Promise.all([
      builtinModes(),
      Promise.all(builtins().map(async (tool) => (((await tool.isAvailable?.(accountId)) ?? true) ? [tool] : []))),
      ...sources().map((source) => source.list(accountId)),
    ])
    const own = offered
      .flat()
      .map((tool) => toCatalogItem(tool, modes[tool.name]))
      .toSorted(byId)
    const foreign = listed
      .flatMap(({ tools }) => tools)
      .toSorted(byId)
      .map((tool) => ({
        ...tool,
        description: visibleWords(tool.description).slice(0, mostDescriptionLetters),
        mode: modeOf(tool.sideEffect, [tool.mode]),
      }))
    return {
      available: true,
      tools: withUniqueNames([...own, ...foreign]),
      notes: listed.flatMap(({ notes }) => notes),
    }
  },
})

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1)

/** No tool stands in for one that comes before it, and every name is one that providers take. */
const withUniqueNames = (tools: readonly CatalogItem[]): CatalogItem[] => {
  const taken = new Set<string>()
  return tools.map((tool) => {
    const fits = /^[A-Za-z0-9_-]{1,64}$/.test(tool.name) && !taken.has(tool.name)
    const plain = tool.name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 51)
    const name = fits ? tool.name : `${plain}_${digestOf(tool.id).slice(0, 12)}`
    taken.add(name)
    return { ...tool, name }
  })
}

export const toCatalogItem = (tool: Tool, said: ToolMode | undefined): CatalogItem => {
  const { name, description, sideEffect, readsPrivateData, readsForeignText, sendsData } = tool
  const effects = { sideEffect, readsPrivateData, readsForeignText, sendsData }
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.arguments, { io: 'input', unrepresentable: 'any' })
  return {
    id: `builtin:${name}`,
    name,
    description,
    parameters,
    source: 'builtin',
    server: null,
    ...effects,
    digest: digestOf(JSON.stringify({ description, parameters, effects })),
    timeoutMs: tool.timeoutMs ?? usualTimeoutMs,
    mode: modeOf(sideEffect, [said]),
    ...(tool.findsAddresses === true && { findsAddresses: true }),
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

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
