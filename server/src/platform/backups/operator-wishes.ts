/** What the environment says of who can open backups. */
import { z } from 'zod'
import { declareVariables, yesNo } from '../settings/index.ts'
import { type BackupKeys, checkRecipient } from './keys.ts'

const recipientsOf = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  .refine((all) => all.every(isRecipient), 'must be recipients of age, such as age1…, separated by commas')

const isRecipient = (text: string): boolean => {
  try {
    checkRecipient(text)
    return true
  } catch {
    // Whatever is wrong with it, it is none.
    return false
  }
}

export const keyVariables = declareVariables({
  BACKUP_RECIPIENTS: [recipientsOf, 'age recipients (`age1…`), separated by commas, who can also open the backups'],
  BACKUP_ESCROW: [
    yesNo,
    'whether backups include the encryption key, sealed for the recovery key and the recipients; with `false`, a restore also needs `ENCRYPTION_KEY`',
    { usual: '`true`' },
  ],
})

export interface OperatorWishes {
  readonly BACKUP_RECIPIENTS: readonly string[] | undefined
  readonly BACKUP_ESCROW: boolean | undefined
}

/** The same keys, for those who are to open them: the recovery key always, and whom the environment names. */
export const withOperatorWishes = (
  keys: BackupKeys,
  { BACKUP_RECIPIENTS: recipients, BACKUP_ESCROW: escrow }: OperatorWishes,
): BackupKeys => ({
  ...keys,
  recipients: recipients === undefined ? keys.recipients : [...keys.recipients.slice(0, 1), ...recipients],
  escrow: escrow ?? keys.escrow,
})
