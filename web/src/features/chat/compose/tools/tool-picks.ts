/** Which tools the model may use for the questions of a chat, as they can be ticked. */
import type { ToolChoice } from '@atrium/contract/generation'
import type { CatalogEntry } from '@atrium/contract/tools'

/** One thing that can be ticked: a built-in tool, or a server with all of its tools. */
export interface ToolPick {
  readonly id: string
  readonly tool: CatalogEntry
  /** Of a server: how many. */
  readonly count: number
}

/** Built-in tools, then servers, without what never runs. */
export function picksOf(tools: readonly CatalogEntry[]): ToolPick[] {
  const usable = tools.filter(({ mode }) => mode !== 'never')
  const own = usable.filter(({ serverId }) => serverId === null).map((tool) => ({ id: tool.id, tool, count: 1 }))
  const servers = Map.groupBy(
    usable.filter(({ serverId }) => serverId !== null),
    ({ serverId }) => `server:${serverId}`,
  )
  return [
    ...own,
    ...[...servers].flatMap(([id, [tool, ...others]]) => (tool ? [{ id, tool, count: others.length + 1 }] : [])),
  ]
}

/** Whether a pick may be used; a chat that names nothing has all. */
export const isPicked = (tools: ToolChoice | undefined, id: string): boolean =>
  tools?.ids === undefined || tools.ids.includes(id)

/** The choice with one more or one less. Once all are there again, those that come later are, too. */
export function togglePick(
  tools: ToolChoice | undefined,
  picks: readonly ToolPick[],
  id: string,
  on: boolean,
): ToolChoice {
  const chosen = picks.map((pick) => pick.id).filter((each) => (each === id ? on : isPicked(tools, each)))
  const choice = chosen.length === 0 ? 'off' : 'auto'
  const kept = keepAskFirst(tools, picks)
  return chosen.length === picks.length ? { choice, ...kept } : { choice, ids: chosen, ...kept }
}

/** Whether every call of a pick asks in this chat. */
export const asksFirst = (tools: ToolChoice | undefined, id: string): boolean => tools?.askFirst?.includes(id) ?? false

/** The choice with one more that asks first, or one less. */
export function toggleAskFirst(
  tools: ToolChoice | undefined,
  picks: readonly ToolPick[],
  id: string,
  on: boolean,
): ToolChoice {
  const { askFirst: _, ...rest } = tools ?? { choice: 'auto' }
  const asking = picks.map((pick) => pick.id).filter((each) => (each === id ? on : asksFirst(tools, each)))
  return asking.length === 0 ? rest : { ...rest, askFirst: asking }
}

/** What is gone meanwhile is left out: a choice that names it is refused. */
const keepAskFirst = (tools: ToolChoice | undefined, picks: readonly ToolPick[]): Pick<ToolChoice, 'askFirst'> => {
  const askFirst = picks.map(({ id }) => id).filter((id) => asksFirst(tools, id))
  return askFirst.length === 0 ? {} : { askFirst }
}
