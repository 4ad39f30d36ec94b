/** What the parts of the area share. */
import type { Audit } from '../../platform/audit/index.ts'
import type { Files } from '../../platform/files/files.ts'
import type { Jobs } from '../../platform/jobs/types.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BoundSettings } from '../../platform/settings/index.ts'
import type { Features } from '../access/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Approvals } from './approvals.ts'
import type { AuditIds } from './audit-id.ts'
import type { Catalogue } from './catalogue.ts'
import type { RecordCall } from './metrics.ts'
import type { RunningCalls } from './running.ts'
import type { Execute } from './execute.ts'
import type { ToolsFields } from './settings.ts'
import type { ApprovalStore } from './stores/approvals.ts'
import type { CallStore } from './stores/calls.ts'
import type { FoundStore } from './stores/found.ts'
import type { HistoryStore } from './stores/history.ts'
import type { PolicyStore } from './stores/policies.ts'
import type { StandingStore } from './stores/standing.ts'
import type { ToolUsageStore } from './stores/usage.ts'
import type { Tool } from './types.ts'

export interface ToolsDeps
  extends Pick<
    Platform,
    'announce' | 'announceAll' | 'clock' | 'database' | 'log' | 'prepareAnnouncement' | 'processId' | 'vault'
  > {
  readonly audit: Audit
  readonly files: Pick<Files, 'open' | 'read' | 'remove' | 'save'>
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly notifications: Pick<Notifications, 'publisher'>
  readonly settings: Pick<BoundSettings<ToolsFields>, 'change' | 'read' | 'requireFree'>
  /** Told of each call that ended; null while nobody may look. */
  readonly recordCall: RecordCall | null
  /** Whether the instance counts calls. */
  readonly countsCalls: () => Promise<boolean>
  /** null: it is not active. */
  readonly roleOf: (accountId: string) => Promise<'admin' | 'user' | null>
  /** Who may have tools used at all. */
  readonly features: Pick<Features, 'allows' | 'save'>
  /** As the account has set it; null: it goes by the device. */
  readonly timeZoneOf: (accountId: string) => Promise<string | null>
}

/** What calls go by. */
export interface CallContext extends ToolsDeps {
  readonly calls: CallStore
  readonly approvalStore: ApprovalStore
  readonly standing: StandingStore
  readonly history: HistoryStore
  readonly usage: ToolUsageStore
  readonly found: FoundStore
  readonly running: RunningCalls
  /** Whether the process is about to end. */
  readonly isLeaving: () => boolean
  readonly auditIds: AuditIds
  /** Of arguments: keyed, so that nobody can try out what they were. */
  readonly digestOf: (text: string) => string
}

export interface ToolsContext extends CallContext {
  readonly policies: PolicyStore
  readonly builtins: () => readonly Tool[]
  readonly catalogue: Catalogue
  readonly execute: Execute
  readonly approvals: Approvals
}
