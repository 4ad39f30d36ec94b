/** An event in words becomes a proposal: by a model where there is one, else by rules. Nothing is written. */
import type { calendarRoutes } from '@atrium/contract/calendar'
import type { Handlers } from '../../../platform/http/area.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { wallAt } from '../../../platform/time/index.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import type { CalendarContext } from '../context.ts'
import { zoneOrRefusal } from '../series/times.ts'
import { askModel } from './by-model.ts'

type Routes = Pick<typeof calendarRoutes, 'quickAdd'>

export const quickAddHandlers = ({ clock, defaultModel }: CalendarContext): Handlers<Routes> => ({
  async quickAdd({ body: { text, timeZone } }, { caller, signal }) {
    const zone = zoneOrRefusal(timeZone)
    const now = wallAt(zone, clock.now())
    try {
      const model = await defaultModel(caller.accountId)
      const proposal = model && (await askModel(model, text, { now, zone }, signal))
      if (proposal) return proposal
    } catch (error) {
      // A model that cannot be asked, or may not by the budget, is no fault here: the rules understand less, and say so.
      if (!(error instanceof ProviderFailure) && !isRefusal(error)) throw error
    }
    const { proposeByRules } = await import('./by-rules.ts')
    return proposeByRules(text, { now, zone })
  },
})
