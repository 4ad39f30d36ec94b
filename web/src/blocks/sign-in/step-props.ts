import type { User } from '@atrium/contract/accounts'

/** What the steps behind a password take. */
export interface StepProps {
  challengeToken: string
  onSignedIn: (user: User) => void
  onBack: () => void
}
