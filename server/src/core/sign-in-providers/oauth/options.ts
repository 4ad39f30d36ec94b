/** What it takes to sign in with OAuth providers. */
import type { AnyTransaction } from '../../../platform/db/types.ts'
import type { Outbound } from '../../../platform/outbound/types.ts'
import type { GithubUrls } from './github.ts'
import type { EnvironmentProvider } from './providers.ts'

export interface OAuthOptions {
  readonly environment: readonly EnvironmentProvider[]
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  /** Private `host:port` pairs that may be called. */
  readonly allowedAddresses: () => Promise<ReadonlySet<string>>
  readonly allowAddress: (
    place: string,
  ) => Promise<{ write(trx: AnyTransaction): Promise<void>; written(): Promise<void> }>
  /** Where the two named providers are; only tests say otherwise. */
  readonly places?: { readonly github?: GithubUrls; readonly huggingface?: string } | undefined
}
