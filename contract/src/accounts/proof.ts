/** How somebody shows that an account is theirs, before a dangerous act. */
import { z } from 'zod'
import { Password } from './account.ts'

/** A code of the authenticator app, or a recovery code; case and spacing do not matter. */
export const SecondFactorCode = z.string().trim().min(1).max(64)

/** Shows that whoever acts is the owner of the account: a code where a second factor is on, else the password. */
export const Proof = z.strictObject({ code: SecondFactorCode.optional(), password: Password.optional() })
export type Proof = z.infer<typeof Proof>
