/** What can be done on the page of the calendar, with its usual keys. */
import { CalendarPlus, Sparkles } from 'lucide-react'
import { defineActions } from '../../lib/actions.ts'
import { views } from './search.ts'
import 'virtual:words/calendar'

const keysOfView = { month: 'M', week: 'W', day: 'D', agenda: 'A' }

defineActions([
  { id: 'calendar.new', name: 'calendar:action.new', keys: 'N', icon: CalendarPlus },
  { id: 'calendar.quickAdd', name: 'calendar:action.quickAdd', keys: 'Q', icon: Sparkles },
  { id: 'calendar.today', name: 'calendar:action.today', keys: 'T' },
  { id: 'calendar.next', name: 'calendar:action.next', keys: 'J' },
  { id: 'calendar.previous', name: 'calendar:action.previous', keys: 'K' },
  ...views.map((view) => ({
    id: `calendar.${view}`,
    name: `calendar:action.${view}`,
    keys: keysOfView[view],
  })),
])
