/** What providers said when they were last asked for their models: no call is made, and no token spent. */
import { type DiagnosticCheck, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'
import type { ConnectionStore } from './stores/index.ts'

export const providerCheck = (store: Pick<ConnectionStore, 'outcomes'>): DiagnosticCheck => ({
  id: 'providers',
  async run() {
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
    const lines = [...new Set(failed.map(({ connectionId }) => connectionId))].toSorted().map((id) => {
      const own = failed.filter(({ connectionId }) => connectionId === id)
      const refused = own.filter(({ outcome }) => outcome === 'missing_credentials').length
      const away = own.length - refused
      return `${id}: ${[refused > 0 && `no accepted key in ${accounts(refused)}`, away > 0 && `no answer for ${accounts(away)}`].filter(Boolean).join(', ')}`
    })
    return reportWarning(`Some providers didn’t answer their last request. ${lines.join('; ')}.`)
  },
})

const accounts = (count: number): string => (count === 1 ? 'one account' : `${count} accounts`)
