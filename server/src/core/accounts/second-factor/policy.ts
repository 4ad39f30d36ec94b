/** Whether everybody needs a second factor: the environment says so and locks it, else an administrator. */
import type { MfaPolicy } from '@atrium/contract/accounts'
import { z } from 'zod'
import { fail } from '../../../platform/http/refusal.ts'
import type { InstanceDocuments } from '../options.ts'

export type MfaMode = MfaPolicy['mode']

export interface SecondFactorPolicy {
  read(): Promise<MfaPolicy>
  /** Refuses with `setting_locked` where the environment says it. */
  change(mode: MfaMode): Promise<MfaPolicy>
}

const Saved = z.object({ mode: z.enum(['optional', 'required']).default('optional') })

/** `pinned`: MFA_REQUIRED_MODE. */
export const createSecondFactorPolicy = (deps: {
  document: InstanceDocuments
  pinned: MfaMode | undefined
}): SecondFactorPolicy => {
  const { pinned } = deps
  const kept = deps.document('second-factor', Saved, { mode: 'required' })
  return {
    read: async () => (pinned ? { mode: pinned, locked: true } : { ...(await kept.read()), locked: false }),
    async change(mode) {
      if (pinned) throw fail('setting_locked', 'This setting is fixed by MFA_REQUIRED_MODE in the environment.')
      return { ...(await kept.change(() => ({ mode }))), locked: false }
    },
  }
}
