/** What an authenticator app shows. */
import { generateSync } from 'otplib'

/** The code of a secret (Base32) at a time in ms; by default now. */
export const oneTimeCode = (secret: string, at = Date.now()): string =>
  generateSync({ secret, epoch: Math.floor(at / 1000) })
