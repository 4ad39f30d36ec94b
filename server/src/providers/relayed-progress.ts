/** How much of substance is in the events of a relayed stream, whichever of the relayed formats they are in. */
import { enoughCharacters, countCharacters } from './progress.ts'
import { asObject } from './wires/json.ts'

/** Reading an event costs more than passing it on: a fast stream is looked into once in so long. */
const lookMs = 1000
/** Of what came at once, so much of the end is looked into. */
const longestLook = 64 * 1024
/** Words stand no deeper than this in any of the formats. */
const deepest = 8

/** What holds words, thoughts and arguments in these formats. */
const words = new Set([
  ...[
    'text',
    'content',
    'delta',
    'refusal',
    'reasoning',
    'reasoning_content',
    'reasoning_text',
    'thinking',
    'signature',
  ],
  ...['partial_json', 'arguments', 'encrypted_content'],
])

/** Gives of whole events how many characters of substance they hold: enough of them where nobody looked just before. */
export function createRelayedProgress(): (events: Uint8Array) => number {
  let lookedAt = -Infinity
  return (events) => {
    const now = performance.now()
    if (now - lookedAt < lookMs) return 0
    const found = progressIn(events)
    if (found > 0) lookedAt = now
    return found
  }
}

export function progressIn(events: Uint8Array): number {
  const text = Buffer.from(events.buffer, events.byteOffset, events.byteLength).subarray(-longestLook).toString()
  let found = 0
  for (const line of text.split('\n')) {
    if (line.startsWith('data:')) found += inData(line.slice(5))
    if (found >= enoughCharacters) break
  }
  return found
}

function inData(data: string): number {
  try {
    return inValue(JSON.parse(data), 0)
  } catch {
    // A piece of an event, or its end: no progress, as far as anybody can tell.
    return 0
  }
}

function inValue(value: unknown, depth: number): number {
  if (depth > deepest) return 0
  const entries = Array.isArray(value)
    ? value.map((item) => ['', item] as const)
    : Object.entries(asObject(value) ?? {})
  let found = 0
  for (const [name, entry] of entries) {
    if (typeof entry === 'string') found += words.has(name) ? countCharacters(entry) : 0
    else found += inValue(entry, depth + 1)
    if (found >= enoughCharacters) break
  }
  return found
}
