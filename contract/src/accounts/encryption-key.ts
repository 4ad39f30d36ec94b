/** The key of the instance, without which nothing that is stored can be read. */
import { z } from 'zod'
import { Time } from '../common.ts'
import { routes } from '../route.ts'
import { Proof } from './proof.ts'

export const EncryptionKey = z.strictObject({
  /** Where the key is: in the environment of the server, or in a file of its data folder. */
  source: z.enum(['environment', 'file']),
  /** Tells keys apart, and says nothing about them: 16 hexadecimal digits of a digest. */
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  /** When it was shown here; null while it never was. */
  revealedAt: Time.nullable(),
})
export type EncryptionKey = z.infer<typeof EncryptionKey>

export const encryptionKey = routes({
  encryptionKey: {
    method: 'get',
    path: '/api/auth/encryption-key',
    access: 'admin',
    noStore: true,
    summary: 'Get where the instance key is stored and whether it was shown, but never the key itself',
    returns: EncryptionKey,
  },
  revealEncryptionKey: {
    method: 'post',
    path: '/api/auth/encryption-key/reveal',
    access: 'admin',
    limit: 'sign-in',
    noStore: true,
    summary: 'Show the instance key so that you can store it elsewhere. Works only once in the life of the instance',
    body: Proof,
    returns: z.strictObject({ key: z.string(), fingerprint: z.string() }),
    errors: ['key_revealed', 'key_in_environment', 'proof_needed', 'wrong_code', 'wrong_password'],
  },
})
