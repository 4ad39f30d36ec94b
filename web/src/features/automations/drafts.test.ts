import type { Automation } from '@atrium/contract/automations'
import { describe, expect, test } from 'vitest'
import {
  contentOf,
  draftOf,
  fromLocalInput,
  missingIn,
  newTrigger,
  templateNames,
  toLocalInput,
  triggerKinds,
} from './drafts.ts'

const now = new Date(2026, 10, 26, 14, 20)

describe('a new trigger', () => {
  test.each(triggerKinds)('of kind %s keeps the time and the zone of the one before', (kind) => {
    const before = newTrigger('daily', 'Europe/Berlin')
    const trigger = newTrigger(kind, 'UTC', { ...before, hour: 6, minute: 45 } as typeof before, now)
    expect(trigger.kind).toBe(kind)
    if ('timeZone' in trigger) expect(trigger.timeZone).toBe('Europe/Berlin')
    if ('hour' in trigger) expect([trigger.hour, trigger.minute]).toEqual([6, 45])
    if (trigger.kind === 'cron') expect(trigger.expression).toBe('45 6 * * *')
    if (trigger.kind === 'rule') expect(trigger.startLocal).toBe('2026-11-26T06:45')
  })
})

describe('a draft', () => {
  test('begins with one trigger, or as its template says', () => {
    expect(draftOf(null, 'UTC', { name: '', instructions: '' }).triggers).toMatchObject([{ kind: 'daily' }])
    for (const name of templateNames) {
      const draft = draftOf(name, 'Asia/Tokyo', { name: 'A name', instructions: 'Something' })
      expect(missingIn(draft)).toBeNull()
      for (const trigger of draft.triggers) if ('timeZone' in trigger) expect(trigger.timeZone).toBe('Asia/Tokyo')
    }
  })

  test('needs a name and instructions', () => {
    const draft = draftOf(null, 'UTC', { name: '', instructions: '' })
    expect(missingIn(draft)).toBe('name')
    expect(missingIn({ ...draft, name: 'x' })).toBe('instructions')
  })

  test('of an automation holds what its owner wrote and nothing else', () => {
    const draft = draftOf('week', 'UTC', { name: 'A', instructions: 'B' })
    const automation = { ...draft, id: 'x', status: 'active', nextRunAt: null, lastRun: null } as unknown as Automation
    expect(contentOf(automation)).toEqual(draft)
  })
})

test('times go to the clock of the device and back', () => {
  const instant = '2026-11-26T08:30:00.000Z'
  expect(fromLocalInput(toLocalInput(instant))).toBe(instant)
  expect(fromLocalInput('')).toBeNull()
})
