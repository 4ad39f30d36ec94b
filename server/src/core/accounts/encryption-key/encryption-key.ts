/** The key of the instance as administrators see it: where it is, what it is told by, and once the key itself. */
import type { EncryptionKey, accountsRoutes } from '@atrium/contract/accounts'
import { z } from 'zod'
import { actorOf, recordRefusal } from '../../../platform/audit/index.ts'
import { type DiagnosticCheck, reportPass, reportWarning } from '../../../platform/diagnostics/checks.ts'
import type { Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { AccountContext } from '../context.ts'

const Revealed = z.object({
  at: z.number().optional(),
  /** Of the key that was shown: another one in its place can be shown again. Where it is missing, the first one was. */
  fingerprint: z.string().optional(),
})
type Names = 'encryptionKey' | 'revealEncryptionKey'

/** Whether a key that lies beside the data was ever shown, so that somebody could keep a copy elsewhere. */
export const keyCopyCheck = (context: Pick<AccountContext, 'instanceKey' | 'saved' | 'vault'>): DiagnosticCheck => ({
  id: 'key-copy',
  async run() {
    if (context.instanceKey.about.source === 'environment') return null
    if ((await revealedAt(context)) !== undefined)
      return reportPass('The encryption key was shown, so you could store a copy.')
    return reportWarning(
      'The encryption key exists only next to the data. Without it, nothing can be decrypted. Show it once under Settings, General, and store a copy elsewhere.',
    )
  },
})

const revealedIn = (saved: AccountContext['saved']) =>
  // Where nobody can tell any more, the key counts as shown.
  saved.document('encryption-key-revealed', Revealed, { at: 0 })

/** When the present key was shown, in milliseconds. One that was replaced does not count. */
const revealedAt = async (
  context: Pick<AccountContext, 'instanceKey' | 'saved' | 'vault'>,
): Promise<number | undefined> => {
  const before = await revealedIn(context.saved).read()
  return (await isOfPresentKey(before, context)) ? before.at : undefined
}

const isOfPresentKey = async (
  { at, fingerprint }: z.infer<typeof Revealed>,
  { instanceKey, vault }: Pick<AccountContext, 'instanceKey' | 'vault'>,
): Promise<boolean> => {
  if (at === undefined) return false
  if (fingerprint !== undefined) return fingerprint === instanceKey.about.fingerprint
  return (await vault.formerKeys()).length === 0
}

export const encryptionKeyHandlers = (parts: AccountContext): Pick<Handlers<typeof accountsRoutes>, Names> => {
  const { instanceKey, clock, audit } = parts
  const revealed = revealedIn(parts.saved)
  const state = async (): Promise<EncryptionKey> => {
    const at = await revealedAt(parts)
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
        const { fingerprint } = instanceKey.about
        const isFormer = (await revealedAt(parts)) === undefined
        await revealed.change((before) => {
          if (before.at !== undefined && (before.fingerprint === fingerprint || !isFormer)) throw fail('key_revealed')
          return { at: clock.now(), fingerprint }
        })
      })
      await audit.record({ ...entry, details: { fingerprint: instanceKey.about.fingerprint } })
      return { key: instanceKey.reveal(), fingerprint: instanceKey.about.fingerprint }
    },
  }
}
