/** What travels to a browser: a few words, where they lead, and how long a push service keeps them (RFC 8030). Pure. */
import { createHash } from 'node:crypto'
import { directionOf, type Language } from '@atrium/contract/languages'

export interface PushMessage {
  readonly title: string
  readonly body: string
  /** A path of this app. */
  readonly href: string
  /** A later message of the same name takes the place of an earlier one, in the push service and on the screen. */
  readonly tag: string
  readonly language: Language
  /** When it happened, milliseconds. */
  readonly at: number
  readonly urgency: 'low' | 'normal' | 'high'
  /** How long it is worth telling, in seconds. */
  readonly ttlSeconds: number
}

/** A record of RFC 8291 holds 3993 bytes; some services take less. */
const mostBytes = 3800
const longest = { title: 200, body: 1000 }

/** The payload as the worker of the web app reads it, cut until it fits. */
export const payloadOf = ({ title, body, href, tag, language, at }: PushMessage): string => {
  const write = (words: { readonly title: string; readonly body: string }): string =>
    JSON.stringify({ ...words, href, tag, at, lang: language, dir: directionOf(language) })
  const words = { title: cut(title, longest.title), body: cut(body, longest.body) }
  let payload = write(words)
  for (let room = longest.body; Buffer.byteLength(payload) > mostBytes; room = Math.floor(room / 2)) {
    if (room < 1) return write({ title: cut(title, 50), body: '' })
    payload = write({ title: words.title, body: cut(body, room) })
  }
  return payload
}

/** At most 32 characters of base64url; it says nothing of the tag. */
export const topicOf = (tag: string): string => createHash('sha256').update(tag).digest('base64url').slice(0, 32)

const cut = (text: string, most: number): string => {
  const letters = Array.from(text)
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}
