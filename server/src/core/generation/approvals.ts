/** Questions for permission that running answers wait with, and the way of a decision to the process that has asked. */
import type { ToolDecision } from '@atrium/contract/generation'
import { z } from 'zod'
import type { Platform } from '../../platform/platform.ts'
import type { Part } from '../../providers/types.ts'

export interface Approvals {
  /** Keeps the question of a run while it waits, and forgets it when it is decided. Gives how many wait then. */
  take(runId: string, part: Extract<Part, { type: 'approval' }>): number
  /** The run is over: nothing that it asked can be decided any more. */
  forget(runId: string): void
  /** Hands a decision to the process that waits for it; `isHere`: it is this one. false: nobody does (any more), or the answer is not among those offered. */
  decide(runId: string, approvalId: string, decision: ToolDecision, isHere: boolean): Promise<boolean>
  close(): void
}

const channel = 'generation_approval'
const answerMs = 3000

const Message = z.union([
  z.object({ ask: z.string(), runId: z.string(), approvalId: z.string(), decision: z.string() }),
  z.object({ taken: z.string() }),
])

export const createApprovals = ({ database, clock, log }: Pick<Platform, 'database' | 'clock' | 'log'>): Approvals => {
  const waiting = new Map<string, Map<string, Extract<Part, { type: 'approval' }>>>()
  /** Who waits to hear whether another process took a decision. */
  const hearing = new Map<string, () => void>()

  const decideHere = (runId: string, approvalId: string, decision: string): boolean => {
    const part = waiting.get(runId)?.get(approvalId)
    const taken = part?.approval.decisions.find((offered) => offered === decision)
    if (!part || !taken) return false
    waiting.get(runId)?.delete(approvalId)
    part.decide?.(taken)
    return true
  }
  const notify = (message: z.infer<typeof Message>) => database.notify(channel, JSON.stringify(message))
  const unlisten = database.listen(channel, (text) => {
    const message = Message.parse(JSON.parse(text))
    if ('taken' in message) return hearing.get(message.taken)?.()
    if (!decideHere(message.runId, message.approvalId, message.decision)) return
    notify({ taken: message.ask }).catch((error: unknown) => log.error('a decision could not be confirmed', { error }))
  })

  return {
    take(runId, part) {
      const ofRun = waiting.get(runId) ?? new Map<string, typeof part>()
      waiting.set(runId, ofRun)
      if (part.decide) ofRun.set(part.approval.id, part)
      else ofRun.delete(part.approval.id)
      return ofRun.size
    },
    forget: (runId) => void waiting.delete(runId),
    async decide(runId, approvalId, decision, isHere) {
      if (isHere) return decideHere(runId, approvalId, decision)
      const ask = clock.id()
      const { promise, resolve } = Promise.withResolvers<boolean>()
      hearing.set(ask, () => resolve(true))
      const timer = setTimeout(() => resolve(false), answerMs)
      try {
        await notify({ ask, runId, approvalId, decision })
        return await promise
      } finally {
        clearTimeout(timer)
        hearing.delete(ask)
      }
    },
    close: unlisten,
  }
}
