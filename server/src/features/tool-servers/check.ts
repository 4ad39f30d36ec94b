/**
 * Whether the tool servers of the instance can be used: reached when they were asked last, without changes that wait, and
 * with sign-ins that hold. It asks no server itself.
 */
import { type DiagnosticCheck, reportPass, reportWarning, withoutNames } from '../../platform/diagnostics/checks.ts'
import { isOn, type ToolServerContext } from './context.ts'
import { changesOf } from './rules.ts'

const mostNamed = 5

export const toolServersCheck = (
  context: Pick<ToolServerContext, 'store' | 'local'> & {
    /** How many accounts have to sign in again, by server. */
    readonly countEndedSignIns: () => Promise<ReadonlyMap<string, number>>
  },
): DiagnosticCheck => ({
  id: 'tool-servers',
  async run() {
    const servers = (await context.store.listShared()).filter((server) => isOn(context, server))
    if (servers.length === 0) return null
    const [failing, ended] = await Promise.all([context.store.countFailing(), context.countEndedSignIns()])
    const named = (ids: ReadonlySet<string>): string => {
      const names = servers.filter(({ id }) => ids.has(id)).map(({ name }) => name)
      const rest = names.length - mostNamed
      return [...names.slice(0, mostNamed), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
    }
    const idsOf = (counts: ReadonlyMap<string, number>): Set<string> =>
      new Set(servers.filter(({ id }) => (counts.get(id) ?? 0) > 0).map(({ id }) => id))
    const changed = new Set(
      servers.filter(({ tools }) => changesOf(tools.accepted, tools.seen).length > 0).map(({ id }) => id),
    )
    const faults = [
      ['Couldn’t be reached when last asked', idsOf(failing), 'Test them under Settings, Tool servers.'],
      ['Changed tools wait for review', changed, 'Review the changes under Settings, Tool servers.'],
      ['Sign-ins have expired', idsOf(ended), 'Their people can sign in again under Settings, Tools.'],
    ] as const
    const tell = (say: (ids: ReadonlySet<string>) => string): string =>
      faults.flatMap(([what, ids, advice]) => (ids.size === 0 ? [] : [`${what}: ${say(ids)}. ${advice}`])).join(' ')
    const message = tell(named)
    if (message !== '')
      return withoutNames(
        reportWarning(message),
        tell((ids) => `${ids.size} of ${servers.length}`),
      )
    const count = servers.length === 1 ? 'One tool server is' : `${servers.length} tool servers are`
    return reportPass(`${count} on, with no problems at the last contact.`)
  },
})
