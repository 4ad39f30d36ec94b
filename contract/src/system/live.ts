/** What pages hear and say while they are open, beside the events of their account: of streams that areas name for it. */
import { z } from 'zod'
import { Id } from '../common.ts'
import { Presence } from '../presence/shapes.ts'

/** The id of a stream in the event log. */
const StreamId = z.string().regex(/^[\w:.-]{1,100}$/)
/** A place in a stream: the number of an event. */
const Place = z.int().min(0).max(999_999_999_999_999)

/** So many streams an account follows at once, at most. */
export const mostFollowed = 2000

/**
 * What comes of other streams. `streams-opened` names what is followed from now on, each with the place that it goes on
 * from: the one that the client named, else where it was `agoMs` ago; `joined`: the account came to them just now. `stream-closed`: the account may not follow it any more, or it is gone.
 * `stream-signal`: what passes and is kept nowhere, of streams that the client shows. `presence`: how people are shown now, of those whom the client shows. `beat` says every few seconds that the socket is there. An event of type `reset` within `stream-event`: the place that was named is gone, so read anew what the stream is about.
 */
export const StreamNotice = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('streams-opened'),
    data: z.strictObject({ places: z.record(StreamId, Place), joined: z.boolean() }),
  }),
  z.strictObject({
    type: z.literal('stream-event'),
    data: z.strictObject({ stream: StreamId, seq: Place, type: z.string(), data: z.unknown() }),
  }),
  z.strictObject({
    type: z.literal('stream-signal'),
    data: z.strictObject({ stream: StreamId, type: z.string(), data: z.unknown() }),
  }),
  z.strictObject({ type: z.literal('stream-closed'), data: z.strictObject({ stream: StreamId }) }),
  z.strictObject({ type: z.literal('presence'), data: z.strictObject({ people: z.array(Presence) }) }),
  z.strictObject({ type: z.literal('beat'), data: z.strictObject({}) }),
])
export type StreamNotice = z.infer<typeof StreamNotice>

/** How long ago all was loaded, or was told, for whoever has no place yet. */
export const AgoMs = z.coerce
  .number()
  .int()
  .min(0)
  .max(7 * 24 * 60 * 60_000)

/** So many streams may be on screen at once, in all windows of a browser. */
export const mostShown = 8
/** And so many people: their ids fit into one message. */
export const mostPeopleShown = 80

/** Places as `/api/events` takes them: `<stream>@<place>`, separated by commas. */
export const PlacesText = z
  .string()
  .max(8000)
  .regex(/^$|^[\w:.-]{1,100}@\d{1,15}(,[\w:.-]{1,100}@\d{1,15})*$/)

/**
 * All that a client may say on the socket of its account, at most 4 KiB at once. `places`: follow the other streams, and
 * go on at these places; with `more`, the rest of the places is still to come. `shows`: the streams and people that
 * are on screen now, in place of those that were. `here`: whether somebody is there, in front of any page of the browser;
 * until it is said, nobody is.
 */
export const ClientMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('places'),
    data: z.strictObject({ places: z.record(StreamId, Place), more: z.literal(true).optional() }),
  }),
  z.strictObject({
    type: z.literal('shows'),
    data: z.strictObject({
      streams: z.array(StreamId).max(mostShown),
      people: z.array(Id).max(mostPeopleShown).optional(),
    }),
  }),
  z.strictObject({ type: z.literal('here'), data: z.strictObject({ active: z.boolean() }) }),
])
export type ClientMessage = z.infer<typeof ClientMessage>
