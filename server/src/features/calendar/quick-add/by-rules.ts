/** What rules make of an event in words, in English and Arabic. Pure: the clock is the caller’s. */
import { type EventContent as GivenContent, type QuickAddProposal, mostTitleLetters } from '@atrium/contract/calendar'
import type { Component, ParsedComponents, ParsedResult } from 'chrono-node'
import * as arabic from 'chrono-node/ar'
import * as english from 'chrono-node/en'
import { dayMs, formatDay, formatWall, hourMs, minuteMs, wallAt } from '../../../platform/time/index.ts'
import { type Repetition, findRepetition } from './repetition.ts'
import { findDuration, findUnknown } from './phrases.ts'

export interface Now {
  /** What the clocks of the zone show, in milliseconds as if in UTC. */
  readonly now: number
  readonly zone: string
}

/** A part of the text that was understood. */
export interface Found {
  readonly from: number
  readonly to: number
}

export const proposeByRules = (text: string, { now, zone }: Now): QuickAddProposal => {
  const found: Found[] = []
  const take = <T extends Found>(one: T | null): T | null => {
    if (one) found.push(one)
    return one
  }
  const duration = take(findDuration(text))
  const repetition = take(findRepetition(text))
  // What was understood already is no date any more; the places of all others stay.
  const rest = found.reduce((left, { from, to }) => blank(left, from, to), text)
  const { day, time } = readDates(rest, now)
  for (const one of new Set([day, time])) if (one) found.push({ from: one.index, to: one.index + one.text.length })

  const start = startOf({ day, time, repetition }, { now, zone })
  const end = endOf({ day, time, start, duration: duration?.ms ?? null }, zone)
  const title = titleOf(text, found)
  const event: GivenContent = {
    title: title.slice(0, mostTitleLetters),
    ...(time === null
      ? { allDay: true, startDate: formatDay(start), endDate: formatDay(end) }
      : { allDay: false, startLocal: formatWall(start), endLocal: formatWall(end), timeZone: zone }),
    ...(repetition ? { recurrence: { kind: 'rule', rule: repetition.rule } } : {}),
  }
  return {
    event,
    by: 'rules',
    missing: [...(day || repetition ? [] : ['day' as const]), ...(time ? [] : ['time' as const])],
    notUnderstood: findUnknown(found.reduce((left, { from, to }) => blank(left, from, to), text)),
  }
}

/** The first part that says a day, and the first that says a time of a day; often they are one. */
const readDates = (text: string, now: number): { day: ParsedResult | null; time: ParsedResult | null } => {
  const locale = /\p{Script=Arabic}/u.test(text) ? [arabic, english] : [english]
  for (const { parse } of locale) {
    const all = parse(text, { instant: new Date(now), timezone: 0 }, { forwardDate: true })
    if (all.length === 0) continue
    const saysDay = ({ start }: ParsedResult) =>
      (['day', 'weekday', 'month'] satisfies Component[]).some((part) => start.isCertain(part))
    const saysTime = ({ start }: ParsedResult) => start.isCertain('hour')
    // One that says both is meant before any other.
    const both = all.find((one) => saysDay(one) && saysTime(one)) ?? null
    return { day: both ?? all.find(saysDay) ?? null, time: both ?? all.find(saysTime) ?? null }
  }
  return { day: null, time: null }
}

interface Parts {
  readonly day: ParsedResult | null
  readonly time: ParsedResult | null
}

/** On the clocks of the zone. */
const startOf = (
  { day, time, repetition }: Parts & { readonly repetition: Repetition | null },
  { now, zone }: Now,
): number => {
  const date = day ? dayOf(wallOf(day.start, zone)) : dayOf(now)
  const minutes = time ? wallOf(time.start, zone) - dayOf(wallOf(time.start, zone)) : 0
  let start = date + minutes
  if (day) return start
  // What is named by its time alone is still to come.
  while (time && start < now) start += dayMs
  for (let days = 0; repetition && !repetition.isOn(start) && days < 366; days += 1) start += dayMs
  return start
}

const endOf = (
  { day, time, start, duration }: Parts & { readonly start: number; readonly duration: number | null },
  zone: string,
): number => {
  if (time === null) {
    const last = day?.end && !day.end.isCertain('hour') ? dayOf(wallOf(day.end, zone)) : dayOf(start)
    return Math.max(last, dayOf(start)) + dayMs
  }
  if (duration !== null) return start + duration
  if (time.end) {
    const length = wallOf(time.end, zone) - wallOf(time.start, zone)
    if (length >= 0) return start + length
  }
  return start + hourMs
}

/** What the clocks of the zone show then; a text may name a zone of its own. */
const wallOf = (components: ParsedComponents, zone: string): number => {
  const part = (name: Component): number => components.get(name) ?? 0
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  if (!components.isCertain('timezoneOffset')) return wall
  return wallAt(zone, wall - part('timezoneOffset') * minuteMs)
}

const dayOf = (wall: number): number => Math.floor(wall / dayMs) * dayMs

const blank = (text: string, from: number, to: number): string =>
  text.slice(0, from) + ' '.repeat(to - from) + text.slice(to)

/** What is left, without words that led to what was taken out; all of it where nothing would be left. */
const titleOf = (text: string, found: readonly Found[]): string => {
  let title = ''
  let at = 0
  for (const { from, to } of found.toSorted((a, b) => a.from - b.from)) {
    title += text.slice(at, from).replace(leading, ' ')
    at = Math.max(at, to)
  }
  title = `${title}${text.slice(at)}`.replace(/\s+/g, ' ').replace(/^[\s,;:–—-]+|[\s,;:–—-]+$/g, '')
  return title === '' ? text.trim() : title
}
const leading = /(?<=^|\s)(?:on|at|from|by|in|starting|every|في|من|يوم|عند|على|بدءًا من|ابتداءً من)\s+$/iu
