/** Which banners are shown when. Pure; times are integer milliseconds. */

export interface Span {
  readonly starts_at: number | null
  readonly ends_at: number | null
}

export const stateOf = ({ starts_at, ends_at }: Span, now: number): 'scheduled' | 'shown' | 'over' => {
  if (ends_at !== null && ends_at <= now) return 'over'
  return starts_at !== null && starts_at > now ? 'scheduled' : 'shown'
}

/** When the first of them begins or ends after now; null: none does. */
export const nextChange = (spans: readonly Span[], now: number): number | null => {
  const times = spans.flatMap((span) =>
    stateOf(span, now) === 'over' ? [] : [span.starts_at, span.ends_at].filter((time) => time !== null && time > now),
  )
  return times.reduce<number | null>((first, time) => (first === null || (time ?? first) < first ? time : first), null)
}
