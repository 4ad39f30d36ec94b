import { expect, test } from 'vitest'
import type { UsableModel } from '../../../core/generation/index.ts'
import { parseWall } from '../../../platform/time/index.ts'
import { askModel } from './by-model.ts'
import { proposeByRules } from './by-rules.ts'

/** A Friday, at eight in the morning. */
const now = { now: parseWall('2026-11-27T08:00') ?? 0, zone: 'Europe/Berlin' }

/** `title | start | end | rule`, and what is missing or was not understood. */
const said = (text: string): string => {
  const { event, missing, notUnderstood } = proposeByRules(text, now)
  const { title, startLocal, endLocal, startDate, endDate, recurrence } = event
  const rule = recurrence?.kind === 'rule' ? recurrence.rule : null
  const time = (value: string | null | undefined) => value?.slice(0, 16)
  return [title, time(startLocal) ?? startDate, time(endLocal) ?? endDate, rule, ...missing, ...notUnderstood]
    .filter(Boolean)
    .join(' | ')
}

test.each([
  ['lunch Tuesday 12 with Ana', 'lunch with Ana | 2026-12-01T12:00 | 2026-12-01T13:00'],
  ['dinner tomorrow at 7pm', 'dinner | 2026-11-28T19:00 | 2026-11-28T20:00'],
  ['workshop Dec 3 10am-12pm', 'workshop | 2026-12-03T10:00 | 2026-12-03T12:00'],
  ['Meeting tomorrow for 2 hours at 3pm', 'Meeting | 2026-11-28T15:00 | 2026-11-28T17:00'],
  ['call Bob at 15:30', 'call Bob | 2026-11-27T15:30 | 2026-11-27T16:30 | day'],
  // What is past today is tomorrow.
  ['run at 7am', 'run | 2026-11-28T07:00 | 2026-11-28T08:00 | day'],
  ['trip 3-7 December', 'trip | 2026-12-03 | 2026-12-08 | time'],
  ['flight on 2026-12-24', 'flight | 2026-12-24 | 2026-12-25 | time'],
  ['buy milk', 'buy milk | 2026-11-27 | 2026-11-28 | day | time'],
  ['Standup every Monday at 9', 'Standup | 2026-11-30T09:00 | 2026-11-30T10:00 | FREQ=WEEKLY;BYDAY=MO'],
  ['gym every other week at 18:00', 'gym | 2026-11-27T18:00 | 2026-11-27T19:00 | FREQ=WEEKLY;INTERVAL=2'],
  ['yoga every Tue and Thu at 6pm', 'yoga | 2026-12-01T18:00 | 2026-12-01T19:00 | FREQ=WEEKLY;BYDAY=TU,TH'],
  ['standup every weekday at 9:15', 'standup | 2026-11-27T09:15 | 2026-11-27T10:15 | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  // In words that no rule says, the person is told.
  [
    'howl every full moon at 22:00',
    'howl every full moon | 2026-11-27T22:00 | 2026-11-27T23:00 | day | every full moon',
  ],
  ['غداء مع آنا يوم الثلاثاء الساعة 12', 'غداء مع آنا | 2026-12-01T12:00 | 2026-12-01T13:00'],
  ['اجتماع غدا الساعة 3 مساء لمدة ساعتين', 'اجتماع | 2026-11-28T15:00 | 2026-11-28T17:00'],
  ['عشاء الجمعة القادمة الساعة ٧ مساءً', 'عشاء | 2026-12-04T19:00 | 2026-12-04T20:00'],
  ['موعد الطبيب بعد غد', 'موعد الطبيب | 2026-11-29 | 2026-11-30 | time'],
  ['اجتماع كل يوم اثنين الساعة 9 صباحا', 'اجتماع | 2026-11-30T09:00 | 2026-11-30T10:00 | FREQ=WEEKLY;BYDAY=MO'],
  ['تمرين كل ٣ أيام الساعة 18:00', 'تمرين | 2026-11-27T18:00 | 2026-11-27T19:00 | FREQ=DAILY;INTERVAL=3'],
  ['تقرير كل نهاية فصل', 'تقرير كل نهاية فصل | 2026-11-27 | 2026-11-28 | day | time | كل نهاية فصل'],
])('without a model, “%s” is understood by rules', (text, expected) => {
  expect(said(text)).toBe(expected)
})

const answering = (answer: unknown): UsableModel => ({
  selection: { providerType: 'local', providerId: null, model: 'm' },
  name: 'm',
  contextWindow: null,
  vision: null,
  prefills: false,
  sizesWindow: false,
  async *ask() {
    yield [{ type: 'text', delta: typeof answer === 'string' ? answer : JSON.stringify(answer) }]
  },
})
const ask = (answer: unknown) =>
  askModel(answering(answer), 'Lunch Tuesday, weather permitting', now, AbortSignal.timeout(120_000))

test('what a model answers is taken as a proposal, and what it did not understand is told', async () => {
  const answer = {
    title: 'Lunch',
    start: '2026-12-01T12:00',
    end: null,
    repeat: 'RRULE:FREQ=WEEKLY;COUNT=3',
    place: 'Café',
    notes: null,
    reminders: [10],
    missing: [],
    notUnderstood: ['weather permitting', 'made up'],
  }
  expect(await ask(`\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``)).toEqual({
    event: {
      title: 'Lunch',
      startLocal: '2026-12-01T12:00',
      timeZone: 'Europe/Berlin',
      recurrence: { kind: 'rule', rule: 'FREQ=WEEKLY;COUNT=3' },
      place: 'Café',
      reminders: [10],
    },
    by: 'model',
    missing: [],
    notUnderstood: ['weather permitting'],
  })
})

test.each([
  ['no JSON', 'I would be glad to help!'],
  ['a day that does not exist', { title: 'x', start: '2026-02-31' }],
  ['an end before its start', { title: 'x', start: '2026-12-01T12:00', end: '2026-12-01T11:00' }],
  ['a rule that is none', { title: 'x', start: '2026-12-01T12:00', repeat: 'FREQ=NEVER' }],
  ['no title', { title: ' ', start: '2026-12-01T12:00' }],
])('an answer of a model with %s is no proposal', async (_name, answer) => {
  expect(await ask(answer)).toBeNull()
})
