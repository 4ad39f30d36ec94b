/** What every area stands on. A closed list: what one area wants of another goes through `needs`, never through here. */
import type { AuditLog } from './audit/index.ts'
import type { Clock } from './clock.ts'
import type { Database } from './db/types.ts'
import type { SearchIndexes } from './db/search/types.ts'
import type { AccountEvents } from './events/account-events.ts'
import type { Signals } from './events/signals.ts'
import type { EventLog } from './events/types.ts'
import type { Files } from './files/files.ts'
import type { Jobs } from './jobs/types.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './metrics/index.ts'
import type { Outbound } from './outbound/types.ts'
import type { Pause } from './pause.ts'
import type { SavedSettings } from './settings/index.ts'
import type { KeyCard } from './vault/instance-key.ts'
import type { OpenVault } from './vault/vault.ts'

export interface Platform extends AccountEvents {
  readonly database: Database
  readonly vault: OpenVault
  readonly instanceKey: KeyCard
  readonly clock: Clock
  /** Of the area that holds it. */
  readonly log: Log
  /** null while nobody may look: then nothing is counted. */
  readonly metrics: Metrics | null
  /** The id under which this process holds its presence in the database. */
  readonly processId: string
  /** The version of the server. */
  readonly version: string
  /** What is saved for the instance; an area gets its own settings as it declares them. */
  readonly saved: Omit<SavedSettings, 'bind'>
  /** Of a copy that must not act outside of itself yet. */
  readonly pause: Pause
  readonly files: Files
  readonly jobs: Jobs
  /** Streams that outlive a connection. */
  readonly events: EventLog
  /** What passes and is kept nowhere. */
  readonly signals: Omit<Signals, 'stop'>
  readonly audit: AuditLog
  /** Words and vectors by which things are found. */
  readonly indexes: SearchIndexes
  /** The way to providers: public addresses, and the private ones that administrators allow. */
  readonly outbound: Outbound
  /** The same, and these `host:port` pairs besides. */
  openGate(also: readonly string[]): Outbound
  /** The way to public addresses only, for addresses that anybody can name. */
  readonly elsewhere: Outbound
}
