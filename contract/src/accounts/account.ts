/** Accounts, and what the ways of signing in answer with. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'

export const Username = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._@-]*$/u, 'letters, digits, dot, underscore, @ and hyphen only')
export const Password = z.string().min(1).max(1000)
export const Email = z.email().max(254)

export const User = z.strictObject({
  id: Id,
  username: z.string(),
  displayName: z.string().nullable(),
  /** Where its picture is, if it has one. */
  avatar: z.string().nullable(),
  email: z.string().nullable(),
  /** Whether somebody has shown that mail to it reaches them. */
  emailVerified: z.boolean(),
  /** The address that takes its place once it is confirmed. */
  pendingEmail: z.string().nullable(),
  role: z.enum(['admin', 'user']),
  status: z.enum(['pending', 'active', 'disabled']),
  createdAt: Time,
  updatedAt: Time,
})
export type User = z.infer<typeof User>

export const SignedIn = z.strictObject({ token: z.string(), expiresAt: Time, user: User })
export type SignedIn = z.infer<typeof SignedIn>
export const Pending = z.strictObject({ status: z.literal('pending'), user: User })

/** The password was right, and something more is asked for: a code, or a second factor set up first. Nothing is told about the account. */
export const MfaRequired = z.strictObject({
  mfaRequired: z.literal(true),
  requirement: z.enum(['verify', 'enroll']),
  /** For the two challenge routes, for some minutes; it stands for no session. */
  challengeToken: z.string(),
})
export type MfaRequired = z.infer<typeof MfaRequired>
