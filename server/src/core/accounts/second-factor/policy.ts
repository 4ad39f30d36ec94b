/** Whether everybody needs a second factor: the environment says so and locks it, else an administrator. */
import type { MfaPolicy } from '@atrium/contract/accounts'
import type { EffectiveSetting } from '../../../platform/settings/index.ts'
import type { AccountSettings } from '../settings.ts'

export type MfaMode = MfaPolicy['mode']

export interface SecondFactorPolicy {
  read(): Promise<MfaPolicy>
  /** Refuses with `setting_locked` where the environment says it. */
  change(mode: MfaMode): Promise<MfaPolicy>
}

export const createSecondFactorPolicy = (settings: AccountSettings['secondFactor']): SecondFactorPolicy => ({
  read: async () => toPolicy(await settings.read()),
  change: async (mode) => toPolicy(await settings.change({ mode })),
})

const toPolicy = ({ mode }: { mode: EffectiveSetting<MfaMode> }): MfaPolicy => ({
  mode: mode.value,
  locked: mode.source === 'environment',
})
