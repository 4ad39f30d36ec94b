/**
 * What providers said when they were last asked for their models. Where one did not answer, its address is asked without a
 * key, so that what is wrong with the way there can be told: no token is spent, and nothing that works is called.
 */
import { type DiagnosticCheck, reportPass, reportWarning, withoutNames } from '../../platform/diagnostics/checks.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { type Outbound, OutboundFailure } from '../../platform/outbound/types.ts'
import type { ConnectionStore } from './stores/index.ts'

type Store = Pick<ConnectionStore, 'outcomes' | 'one'>
type Gate = Pick<Outbound, 'check' | 'request'>

/** Ways that are looked at; the rest is as good as told by them. */
const mostWays = 10
const waitMs = 5000
const reached = 'its address answers now; try the connection again'

export const providerCheck = (store: Store, outbound: Gate): DiagnosticCheck => ({
  id: 'providers',
  async run(signal) {
    const all = await store.outcomes()
    if (all.length === 0) return null
    const failed = all.filter(({ outcome }) => outcome === 'unavailable' || outcome === 'missing_credentials')
    const ids = new Set(all.map(({ connectionId }) => connectionId))
    if (failed.length === 0)
      return reportPass(
        ids.size === 1
          ? 'The provider in use answered its last request.'
          : `All ${ids.size} providers in use answered their last request.`,
      )
    const lines = await Promise.all(
      [...new Set(failed.map(({ connectionId }) => connectionId))].toSorted().map(async (id, at) => {
        const own = failed.filter(({ connectionId }) => connectionId === id)
        const away = own.filter(({ outcome }) => outcome === 'unavailable')
        const refused = own.length - away.length
        const [first] = away
        const way = first && at < mostWays ? await wayTo(store, outbound, first, signal) : null
        const what = `${[refused > 0 && `no accepted key in ${accounts(refused)}`, away.length > 0 && `no answer for ${accounts(away.length)}`].filter(Boolean).join(', ')}${way ? ` (${way})` : ''}`
        return { id, what }
      }),
    )
    const tell = (nameOf: (id: string, at: number) => string): string =>
      `Some providers didn’t answer their last request. ${lines.map(({ id, what }, at) => `${nameOf(id, at)}: ${what}`).join('; ')}.`
    // Ids are made from the names that people gave.
    return withoutNames(
      reportWarning(tell((id) => id)),
      tell((_, at) => `provider ${at + 1}`),
    )
  },
})

/** What is wrong with it now: its name, its address, its certificate, or the time it takes. */
const wayTo = async (
  store: Store,
  outbound: Gate,
  { accountId, connectionId }: { readonly accountId: string; readonly connectionId: string },
  signal: AbortSignal,
): Promise<string | null> => {
  const connection = await store.one(accountId, connectionId)
  if (!connection) return null
  try {
    const url = await outbound.check(connection.installed.route.url)
    const limits = { connectMs: waitMs, headersMs: waitMs, idleMs: waitMs, maxBytes: 64 * 1024 }
    const answer = await outbound.request(url, { method: 'GET', signal, showRedirects: true, ...limits })
    answer.discard()
    return reached
  } catch (error) {
    // Whatever it says, it says something.
    if (error instanceof OutboundFailure && error.kind === 'too-large') return reached
    if (error instanceof OutboundFailure) return error.message.replace(/\.$/, '')
    if (error instanceof Refusal) return 'its address is not allowed'
    throw error
  }
}

const accounts = (count: number): string => (count === 1 ? 'one account' : `${count} accounts`)
