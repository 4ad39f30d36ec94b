/** What clients say on a socket: only what the socket allows, and only so often. */
import type { Socket, SocketVisit } from './area.ts'
import { Refusal } from './refusal.ts'

/** Why a socket is closed: a code of RFC 6455, section 7.4.1, and a sentence. */
export interface SocketFault {
  readonly code: number
  readonly reason: string
}

export const notRead: SocketFault = { code: 1003, reason: 'Messages aren’t accepted here.' }
const notAllowed: SocketFault = { code: 1008, reason: 'This message isn’t accepted here.' }
const tooOften: SocketFault = { code: 1008, reason: 'Too many messages.' }

/** So many messages at once, and so many a second in the long run. */
const burst = 60
const perSecond = 3

/** Takes messages of one client. `take` gives the reason to close the socket, null where it goes on. */
export const createListening = ({ says }: Pick<Socket, 'says'>) => {
  let hear: ((said: unknown) => void) | null = null
  let left = burst
  let filledAt = performance.now()
  const onSaid: SocketVisit['onSaid'] = (hearer) => {
    hear = hearer
  }
  return {
    onSaid,
    take(text: string): SocketFault | null {
      if (!says || !hear) return notRead
      const now = performance.now()
      left = Math.min(burst, left + ((now - filledAt) / 1000) * perSecond)
      filledAt = now
      if (left < 1) return tooOften
      left -= 1
      const said = says.safeParse(jsonOf(text))
      if (!said.success) return notAllowed
      try {
        hear(said.data)
        return null
      } catch (error) {
        if (error instanceof Refusal) return { code: 1008, reason: error.message.slice(0, 100) }
        throw error
      }
    },
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
