/** What administrators set for sessions and second factors, and the name that passkeys are made for. */
import { isIP } from 'node:net'
import { MfaPolicy, SessionPolicy } from '@atrium/contract/accounts'
import { z } from 'zod'
import { type BoundDeclarations, declareVariables, defineSettings, setting } from '../../platform/settings/index.ts'

const sessions = defineSettings(
  {
    lifetimeDays: setting(SessionPolicy.shape.lifetimeDays.shape.value, {
      default: 30,
      env: 'SESSION_DAYS',
      about: 'days until a session ends, counted from sign-in',
    }),
    idleHours: setting(SessionPolicy.shape.idleHours.shape.value, {
      default: 14 * 24,
      env: 'SESSION_IDLE_HOURS',
      about: 'hours until an unused session ends',
    }),
  },
  { row: 'session-policy' },
)

const secondFactor = defineSettings(
  {
    mode: setting(MfaPolicy.shape.mode, {
      default: 'optional',
      strictest: 'required',
      env: 'MFA_REQUIRED_MODE',
      about: '`required`: everyone needs a second factor; `optional`: everyone may have one',
    }),
  },
  { row: 'second-factor' },
)

export const { WEBAUTHN_RP_ID } = declareVariables({
  WEBAUTHN_RP_ID: [
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a host name without port, such as chat.example.org')
      .refine((name) => isIP(name) === 0, 'must be a name: passkeys do not work with addresses of numbers'),
    'the domain passkeys are created for; changing it makes existing passkeys useless',
    { usual: 'the host of `BASE_URL`, else of the request', plain: true },
  ],
})

export const accountSettings = { sessions, secondFactor, WEBAUTHN_RP_ID }

export type AccountSettings = BoundDeclarations<typeof accountSettings>
