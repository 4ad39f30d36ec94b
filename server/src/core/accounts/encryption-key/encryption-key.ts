/** The key of the instance as administrators see it: where it is, what it is told by, and once the key itself. */
import type { EncryptionKey, accountsRoutes } from '@atrium/contract/accounts'
import { z } from 'zod'
import { actorOf, recordRefusal } from '../../../platform/audit/index.ts'
import { type DiagnosticCheck, reportPass, reportWarning } from '../../../platform/diagnostics/checks.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { AccountContext } from '../context.ts'

const Revealed = z.object({ at: z.number().optional() })
type Names = 'encryptionKey' | 'revealEncryptionKey'

/** Whether a key that lies beside the data was ever shown, so that somebody could keep a copy elsewhere. */
export const keyCopyCheck = ({
  instanceKey,
  saved,
}: Pick<AccountContext, 'instanceKey' | 'saved'>): DiagnosticCheck => ({
  id: 'key-copy',
  async run() {
    if (instanceKey.about.source === 'environment') return null
    const { at } = await revealedIn(saved).read()
    if (at !== undefined) return reportPass('The encryption key was shown, so that a copy of it could be kept.')
    return reportWarning(
      'The encryption key lies beside the data alone, and nobody was shown it. Without it nothing can be read again: show it once in the settings, under Instance, and keep it elsewhere.',
    )
  },
})

const revealedIn = (saved: AccountContext['saved']) =>
  // Where nobody can tell any more, the key counts as shown.
  saved.document('encryption-key-revealed', Revealed, { at: 0 })

export const encryptionKeyHandlers = (parts: AccountContext): Pick<Handlers<typeof accountsRoutes>, Names> => {
  const { instanceKey, clock, audit } = parts
  const revealed = revealedIn(parts.saved)
  const state = async (): Promise<EncryptionKey> => {
    const { at } = await revealed.read()
    return { ...instanceKey.about, revealedAt: at === undefined ? null : new Date(at).toISOString() }
  }
  return {
    encryptionKey: () => state(),

    async revealEncryptionKey({ body }, context) {
      const entry = { ...actorOf(context), action: 'auth.encryption-key.reveal' } as const
      await recordRefusal(audit, { ...entry, result: 'denied' }, async () => {
        await parts.secondFactor.requireProof(context, body)
        if (instanceKey.about.source === 'environment') throw fail('key_in_environment')
        // Of many who ask at the same time, one is shown the key.
        await revealed.change((before) => {
          if (before.at !== undefined) throw fail('key_revealed')
          return { at: clock.now() }
        })
      })
      await audit.record({ ...entry, details: { fingerprint: instanceKey.about.fingerprint } })
      return { key: instanceKey.reveal(), fingerprint: instanceKey.about.fingerprint }
    },
  }
}
