/** What a model makes of an event in words. What it answers is checked as anything that comes from outside. */
import { type EventContent as GivenContent, type QuickAddProposal, mostTitleLetters } from '@atrium/contract/calendar'
import { z } from 'zod'
import { type UsableModel, completeText } from '../../../core/generation/index.ts'
import { isRefusal } from '../../../platform/http/refusal.ts'
import { formatWall } from '../../../platform/time/index.ts'
import { timesOf } from '../given-times.ts'
import { contentFrom } from '../series/edits.ts'
import type { Now } from './by-rules.ts'

const Text = z.string().nullish()
const Answer = z.object({
  title: z.string().trim().min(1),
  start: z
    .string()
    .trim()
    .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/),
  end: Text,
  repeat: Text,
  place: Text,
  notes: Text,
  reminders: z.array(z.number().int().min(0).max(40_320)).max(5).nullish(),
  missing: z.array(z.enum(['day', 'time'])).nullish(),
  notUnderstood: z.array(z.string()).nullish(),
})

const text = { type: ['string', 'null'] }
const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    start: { type: 'string' },
    end: text,
    repeat: text,
    place: text,
    notes: text,
    reminders: { type: ['array', 'null'], items: { type: 'integer' } },
    missing: { type: 'array', items: { type: 'string', enum: ['day', 'time'] } },
    notUnderstood: { type: 'array', items: { type: 'string' } },
  },
  required: ['title', 'start', 'end', 'repeat', 'place', 'notes', 'reminders', 'missing', 'notUnderstood'],
  additionalProperties: false,
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/**
 * The proposal of a model; null where what it answers is no event. Throws ProviderFailure.
 * The text is the person’s own; nothing of the calendar is told to the model.
 */
export const askModel = async (
  model: UsableModel,
  words: string,
  { now, zone }: Now,
  signal: AbortSignal,
): Promise<QuickAddProposal | null> => {
  const answer = await completeText(
    model,
    {
      system: [
        'You turn a line of text into one calendar event. Answer with JSON only.',
        `It is ${weekdays[new Date(now).getUTCDay()]}, ${formatWall(now).slice(0, 16)}, in the time zone ${zone}.`,
        'title: what it is, in the words of the text, without day, time and place.',
        'start, end: YYYY-MM-DDTHH:MM in that time zone; of what lasts all day YYYY-MM-DD, the end being its last day. end is null where the text says none.',
        'repeat: a rule of RFC 5545 such as FREQ=WEEKLY;BYDAY=TU, or null. place, notes: only what the text says, or null. reminders: minutes before the start, or null.',
        'missing: "day" where the text names no day (use the next one that fits), "time" where it names no time (it lasts all day then).',
        'notUnderstood: parts of the text about when it is that you cannot express, word for word. Never guess.',
      ].join('\n'),
      messages: [{ role: 'user', text: words, images: [] }],
      options: { temperature: 0, num_predict: 1200, think: false },
      format: { type: 'schema', name: 'event', schema, strict: true },
    },
    { signal, timeoutMs: 20_000, maxChars: 8000 },
  )
  const parsed = Answer.safeParse(readJson(answer))
  if (!parsed.success) return null
  const { title, start, end, repeat, place, notes, reminders, missing, notUnderstood } = parsed.data
  const given: GivenContent = { title: title.slice(0, mostTitleLetters) }
  try {
    Object.assign(given, timesOf(start, end || undefined, zone))
    if (repeat) given.recurrence = { kind: 'rule', rule: repeat.replace(/^RRULE:/i, '') }
    if (place) given.place = place.trim().slice(0, 500)
    if (notes) given.notes = notes.slice(0, 10_000)
    if (reminders?.length) given.reminders = [...new Set(reminders)]
    // It would be refused when it is written, too.
    contentFrom(given, '')
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
  return {
    event: given,
    by: 'model',
    missing: missing ?? [],
    notUnderstood: (notUnderstood ?? [])
      .map((part) => part.trim())
      .filter((part) => part !== '' && words.includes(part)),
  }
}

/** The object in an answer, which some models put into a fence; undefined where there is none. */
const readJson = (answer: string): unknown => {
  const [json] = /\{[\s\S]*\}/.exec(answer) ?? []
  if (json === undefined) return undefined
  try {
    return JSON.parse(json)
  } catch {
    // The caller falls back to the rules.
    return undefined
  }
}
