/** The windows over the calendar: what is open, and what happens when it is answered. */
import type { CalendarEvent, QuickAddProposal, Scope } from '@atrium/contract/calendar'
import { useState } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { announce } from '../../lib/announce.ts'
import { toast } from '../../ui/toaster.tsx'
import type { PanelRequest } from './calendars/panel.tsx'
import { changeEvent, deleteEvent, isConflict, readEvent, tryChange } from './data/changes.ts'
import { refreshCalendar } from './data/events.ts'
import { formatRange } from './data/format.ts'
import { type Draft, changesOf, eventToDraft, scopesOf, withTimes } from './editor/draft.ts'
import type { Range } from './layout/drag.ts'
import { type Placement, rangeOfEvent, timesAt } from './layout/placement.ts'
import { translate } from 'virtual:words/calendar'

/** Does something with so much of a series, over a version of the event. */
type Work = (scope: Scope | null, version: number) => Promise<void>

export type Window =
  | PanelRequest
  | {
      readonly what: 'editor'
      readonly event: CalendarEvent | null
      readonly draft: Draft
      /** What the draft was made of, where it was written in words. */
      readonly proposal?: QuickAddProposal
    }
  | { readonly what: 'own'; readonly event: CalendarEvent }
  | {
      readonly what: 'scope'
      readonly doing: 'move' | 'delete'
      readonly event: CalendarEvent
      readonly offered: readonly Scope[]
      readonly work: Work
    }
  | { readonly what: 'conflict'; readonly standing: CalendarEvent; readonly onMine: () => void }
  | { readonly what: 'import' }
  | { readonly what: 'subscribe' }

export interface Windows {
  readonly window: Window | null
  readonly open: (window: Window) => void
  readonly close: () => void
  /** Where events stand that are on their way to another place, by their keys. */
  readonly held: Readonly<Record<string, Range>>
  readonly move: (placement: Placement, range: Range) => void
  readonly remove: (event: CalendarEvent) => void
  readonly answer: (window: Extract<Window, { what: 'scope' }>, scope: Scope) => void
}

export function useWindows(zone: string): Windows {
  const [window, setWindow] = useState<Window | null>(null)
  const [held, setHeld] = useState<Readonly<Record<string, Range>>>({})
  const close = () => {
    setWindow(null)
    setHeld({})
  }

  /** Does it, shows what stands where somebody was faster, and says what else went wrong. */
  async function run(event: CalendarEvent, work: Work, scope: Scope | null, version: number): Promise<void> {
    try {
      await work(scope, version)
    } catch (error) {
      if (isConflict(error)) {
        const standing = await readEvent(event)
        const onMine = () => {
          setWindow(null)
          void run(event, work, scope, standing.version)
        }
        await refreshCalendar()
        return setWindow({ what: 'conflict', standing, onMine })
      }
      toast(wordsOf(error), { tone: 'danger' })
      await refreshCalendar()
    } finally {
      setHeld({})
    }
  }

  function move(placement: Placement, range: Range) {
    const { event, key } = placement
    const before = eventToDraft(event)
    const draft = withTimes(before, timesAt(range, event, zone))
    const work: Work = async (scope, version) => {
      await changeEvent(event, changesOf(event, draft, false), scope, version)
      const words = translate('calendar:moved', { title: event.title, when: formatRange(range, event.allDay) })
      // What several became is not known here.
      if (scope === null || scope === 'this') {
        const back = timesAt(rangeOfEvent(event, zone), event, zone)
        const undo = () => tryChange(() => changeEvent(event, back, scope))
        toast(words, { action: { label: translate('calendar:undo'), onClick: () => void undo() } })
      } else announce(words)
      focusEvent(key)
    }
    setHeld({ [key]: range })
    if (!event.baseEventId) return void run(event, work, null, event.version)
    setWindow({ what: 'scope', doing: 'move', event, offered: scopesOf(before, draft, false), work })
  }

  function remove(event: CalendarEvent) {
    const work: Work = (scope, version) => deleteEvent(event, scope, version)
    if (!event.baseEventId) return void run(event, work, null, event.version)
    setWindow({ what: 'scope', doing: 'delete', event, offered: ['this', 'following', 'all'], work })
  }

  function answer({ event, work }: Extract<Window, { what: 'scope' }>, scope: Scope) {
    setWindow(null)
    void run(event, work, scope, event.version)
  }

  return { window, open: setWindow, close, held, move, remove, answer }
}

/** An event that went to another place has the focus there, where nothing else has taken it. */
function focusEvent(key: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(`[data-event="${CSS.escape(key)}"]`)?.focus()
  })
}
