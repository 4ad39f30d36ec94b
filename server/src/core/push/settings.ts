/** The keys by which push services know this instance, where the environment says them. */
import { z } from 'zod'
import { declareVariables } from '../../platform/settings/index.ts'

const base64url = (bytes: number) =>
  z
    .string()
    .trim()
    .refine(
      (text) => /^[A-Za-z0-9_-]+=*$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      `must be ${bytes} bytes as base64url`,
    )
    .transform((text) => Buffer.from(text, 'base64url').toString('base64url'))

export const pushSettings = declareVariables({
  VAPID_PUBLIC_KEY: [
    base64url(65),
    'the public key that identifies this server to push services',
    { usual: 'unset: created once and stored encrypted', needs: ['VAPID_PRIVATE_KEY'] },
  ],
  VAPID_PRIVATE_KEY: [
    base64url(32),
    'its private key',
    { usual: 'unset: created once and stored encrypted', needs: ['VAPID_PUBLIC_KEY'] },
  ],
  VAPID_SUBJECT: [
    z
      .string()
      .trim()
      .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be an address such as mailto:you@example.org'),
    'a contact for push services: `mailto:` or `https:`',
    { usual: 'unset: `BASE_URL`' },
  ],
})
