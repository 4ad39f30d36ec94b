/** Dependencies of the area. */
import type { RemovalCounts } from '@atrium/contract/account-data'
import type { AccountEvent } from '@atrium/contract/system'
import type { Accounts } from '../../core/accounts/index.ts'
import type { ExportFiles, ResourceRegistry } from '../../core/resources/index.ts'
import type { Transfers } from '../../core/transfers/index.ts'
import type { Audit } from '../../platform/audit/index.ts'
import type { Jobs } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'

/** How an area counts what it has of an account and what is no kind of thing: some of the counts. They are added up. */
export type CountRecords = (accountId: string) => Promise<Partial<RemovalCounts>>

export interface AccountDataDeps extends Pick<Platform, 'clock' | 'database' | 'files' | 'log'> {
  readonly audit: Audit
  readonly jobs: Pick<Jobs, 'enqueue' | 'every'>
  readonly accounts: Pick<Accounts, 'administration' | 'removals' | 'requireProof' | 'user'>
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
  /** What is counted and taken along, kind by kind. */
  readonly resources: Pick<ResourceRegistry, 'all' | 'counted' | 'stored'>
  /** How much an account may keep in files; 0: no limit. */
  readonly quotaBytes: () => Promise<number>
  readonly transfers: Pick<Transfers, 'listLost' | 'countOpen'>
  /** What accounts are called, by their ids. */
  readonly names: Accounts['accountNames']['names']
  /** What is counted beside the kinds of things. */
  readonly counters: readonly CountRecords[]
  /** What is taken along before the things: the account itself. */
  readonly about: ExportFiles
}
