/** Who decides about a call: the rules, an approval that stands, or the person now. */
import type { ToolReason } from '@atrium/contract/generation'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'
import { namesAddress } from './rules.ts'
import type { CallRun } from './run-call.ts'
import type { ToolkitRequest } from './types.ts'

export type Ruling =
  | { readonly kind: 'run'; readonly by: 'rules' | 'standing' }
  /** `lasts`: what is allowed may hold for later calls. */
  | { readonly kind: 'ask'; readonly reasons: readonly ToolReason[]; readonly lasts: boolean }

const searchesLookedAt = 20

/**
 * Text that others wrote may make a model send out what is private: once both are there, every call that leaves the
 * server is asked about, whatever was allowed before; and so is an address that neither the person nor a search engine
 * named. What servers say of their tools is such text as well, from when a model is told of them. `tools`: those that may be
 * used; `isToldByServers`: the model is told of tools of servers.
 */
export const ruleOnCall = async (
  { calls, standing }: Pick<ToolsContext, 'calls' | 'standing'>,
  request: ToolkitRequest,
  tool: CatalogItem,
  {
    args,
    tools,
    isToldByServers,
  }: Pick<CallRun, 'tools' | 'isToldByServers'> & { readonly args: Record<string, unknown> },
): Promise<Ruling> => {
  const { accountId, chatId } = request
  const reasons: ToolReason[] = []
  if (tool.sendsData) {
    const held = await calls.heldIn(accountId, request)
    const holds = request.holds?.()
    const isPrivate = held.privateData || (holds?.privateData ?? false)
    const isForeign = isToldByServers || held.foreignText || (holds?.foreignText ?? false)
    if (isPrivate && isForeign) reasons.push('private_and_foreign')
  }
  const addresses = tool.addressesOf?.(args) ?? []
  const unsaid = addresses.filter((address) => !namesAddress(request.question, address))
  if (unsaid.length > 0) {
    const found = chatId === null ? [] : await addressesFound(calls, accountId, chatId, tools)
    const known = new Set([...(request.foundAddresses ?? []), ...found])
    if (!unsaid.every((address) => known.has(address))) reasons.push('unknown_address')
  }
  if (reasons.length > 0) return { kind: 'ask', reasons, lasts: false }
  if (tool.mode === 'allow') return { kind: 'run', by: 'rules' }
  if (await standing.allows(accountId, tool, chatId)) return { kind: 'run', by: 'standing' }
  return { kind: 'ask', reasons: [tool.sideEffect ? 'side_effect' : 'rule'], lasts: true }
}

const addressesFound = async (
  calls: ToolsContext['calls'],
  accountId: string,
  chatId: string,
  tools: readonly CatalogItem[],
): Promise<string[]> => {
  const searches = tools.filter(({ findsAddresses }) => findsAddresses === true)
  const outcomes = await Promise.all(
    searches.map(({ id }) => calls.outcomesIn(accountId, chatId, id, searchesLookedAt)),
  )
  return outcomes.flat().flatMap(({ sources }) => sources.flatMap(({ url }) => (url === undefined ? [] : [url])))
}
