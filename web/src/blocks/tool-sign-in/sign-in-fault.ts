import { useState } from 'react'
import { useText } from 'virtual:words/tool-sign-in'
import type { SignInOutcome } from './sign-in-window.ts'

const told = ['denied-there', 'state-invalid', 'session-ended', 'issuer-mismatch', 'refused-there'] as const

/** Why the last sign-in failed, in words; null where it did not. */
export function useSignInFault(first: SignInOutcome | null = null) {
  const t = useText('tool-sign-in')
  const [outcome, setOutcome] = useState(first)
  const reason = outcome?.reason ?? null
  const known = told.find((each) => each === reason) ?? 'other'
  return [reason === null ? null : t(`failed.${known}`), setOutcome] as const
}
