/** Dependencies of the area. */
import type { RemovalCounts } from '@atrium/contract/account-data'
import type { AccountEvent } from '@atrium/contract/system'
import type { Accounts } from '../../core/accounts/index.ts'
import type { ArchiveFile } from '../../platform/archive/write.ts'
import type { Audit } from '../../platform/audit/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/types.ts'
import type { Files } from '../../platform/files/files.ts'
import type { Jobs } from '../../platform/jobs/types.ts'
import type { Log } from '../../platform/log/log.ts'

/** How an area counts what it has of an account: some of the counts. What several areas count is added up. */
export type CountRecords = (accountId: string) => Promise<Partial<RemovalCounts>>

/** What an area puts into the archive of an account. Only what is the account's own, and no secret. */
export type ExportFiles = (accountId: string, signal: AbortSignal) => AsyncIterable<ArchiveFile>

export interface AccountDataDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly audit: Audit
  readonly files: Files
  readonly jobs: Pick<Jobs, 'enqueue' | 'every'>
  readonly accounts: Pick<Accounts, 'administration' | 'removals' | 'requireProof' | 'user'>
  readonly announce: (accountId: string, event: AccountEvent) => Promise<void>
  readonly counters: readonly CountRecords[]
  readonly exporters: readonly ExportFiles[]
}
