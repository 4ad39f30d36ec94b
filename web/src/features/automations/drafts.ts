/** What the editor begins with, and how it changes one kind of trigger into another. Pure. */
import type { Automation, AutomationContent, Trigger } from '@atrium/contract/automations'

export const triggerKinds = [
  'once',
  'hourly',
  'daily',
  'weekly',
  'monthly',
  'yearly',
  'interval',
  'cron',
  'rule',
  'event',
] as const

const emptyContent: AutomationContent = {
  name: '',
  instructions: '',
  triggers: [],
  selection: null,
  asksModel: true,
  webSearch: false,
  tools: [],
  useLibrary: true,
  collectionIds: [],
  target: { kind: 'chat', sessionId: null },
  missed: 'once',
  overlap: 'skip',
  retries: 1,
  timeoutMinutes: 30,
  startsAt: null,
  endsAt: null,
  mostRuns: null,
  mostRunCost: null,
  mostMonthCost: null,
  mostMonthMinutes: null,
  notify: 'results',
}

export const templateNames = ['news', 'week', 'words', 'tasks', 'recap', 'webhook'] as const
export type TemplateName = (typeof templateNames)[number]

const templates: Readonly<Record<TemplateName, (timeZone: string) => Partial<AutomationContent>>> = {
  news: (timeZone) => ({ webSearch: true, triggers: [{ kind: 'daily', hour: 7, minute: 30, timeZone }] }),
  week: (timeZone) => ({ triggers: [{ kind: 'weekly', dayOfWeek: 1, hour: 8, minute: 0, timeZone }] }),
  words: (timeZone) => ({ triggers: [{ kind: 'daily', hour: 18, minute: 0, timeZone }] }),
  tasks: (timeZone) => ({ triggers: [{ kind: 'cron', expression: '0 9 * * MON-FRI', timeZone }] }),
  recap: (timeZone) => ({ triggers: [{ kind: 'monthly', dayOfMonth: 31, hour: 17, minute: 0, timeZone }] }),
  webhook: () => ({ triggers: [] }),
}

/** `words`: name and instructions of the template, in the reader's language. */
export const draftOf = (
  template: TemplateName | null,
  timeZone: string,
  words: { readonly name: string; readonly instructions: string },
): AutomationContent =>
  template === null
    ? { ...emptyContent, triggers: [newTrigger('daily', timeZone)] }
    : { ...emptyContent, ...templates[template](timeZone), ...words }

/** What its owner wrote of an automation. */
export const contentOf = (automation: Automation): AutomationContent => {
  const names = Object.keys(emptyContent) as (keyof AutomationContent)[]
  return Object.fromEntries(names.map((name) => [name, automation[name]])) as AutomationContent
}

/** One of a kind; what another one says of the time of day and the zone is kept. */
export function newTrigger(kind: Trigger['kind'], timeZone: string, before?: Trigger, now = new Date()): Trigger {
  const zone = before && 'timeZone' in before ? before.timeZone : timeZone
  const clock = {
    hour: before && 'hour' in before ? before.hour : 9,
    minute: before && 'minute' in before ? before.minute : 0,
    timeZone: zone,
  }
  switch (kind) {
    case 'once':
      return { kind, at: new Date(Math.ceil(now.getTime() / 3600_000) * 3600_000).toISOString() }
    case 'hourly':
      return { kind, minute: clock.minute, timeZone: zone }
    case 'daily':
      return { kind, ...clock }
    case 'weekly':
      return { kind, dayOfWeek: now.getDay(), ...clock }
    case 'monthly':
      return { kind, dayOfMonth: now.getDate(), ...clock }
    case 'yearly':
      return { kind, month: now.getMonth() + 1, dayOfMonth: now.getDate(), ...clock }
    case 'interval':
      return { kind, minutes: 60 }
    case 'event':
      return { kind, event: 'channel-message', placeId: '', match: null }
    case 'cron':
      return { kind, expression: `${clock.minute} ${clock.hour} * * *`, timeZone: zone }
    case 'rule':
      return {
        kind,
        rule: 'FREQ=WEEKLY;INTERVAL=2',
        startLocal: `${localDay(now)}T${two(clock.hour)}:${two(clock.minute)}`,
        timeZone: zone,
      }
  }
}

const two = (value: number): string => String(value).padStart(2, '0')
const localDay = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** An instant for an input of date and time, by the clock of this device. */
export const toLocalInput = (instant: string): string => {
  const date = new Date(instant)
  return `${localDay(date)}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The way back; null where the input is empty or says no time. */
export const fromLocalInput = (local: string): string | null => {
  const time = new Date(local)
  return local === '' || Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** The part of what was written that cannot be sent, if any. */
export const missingIn = ({
  name,
  instructions,
  target,
  triggers,
}: AutomationContent): 'name' | 'instructions' | 'place' | 'channel' | 'webhook' | null => {
  if (name.trim() === '') return 'name'
  if (instructions.trim() === '') return 'instructions'
  if (triggers.some((trigger) => trigger.kind === 'event' && trigger.placeId === '')) return 'place'
  if (target.kind === 'webhook' && target.webhookId === '') return 'webhook'
  return target.kind === 'channel' && target.channelId === '' ? 'channel' : null
}
