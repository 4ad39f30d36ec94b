/** A restore beside a running server that has no account: what its area asks of the process. */

export type FirstRestoreReason =
  | 'damaged'
  | 'full'
  | 'key'
  /** The instance key does not travel with the backup, and is not the one of this server. */
  | 'key_elsewhere'
  | 'missing'
  | 'mistyped'
  | 'newer'
  /** The role of the database may make no schema. */
  | 'not_allowed'
  /** One key opens backups of several instances. */
  | 'several'
  | 'failed'

export interface FirstRestoreState {
  /** `restored`: the process is about to begin anew. */
  readonly state: 'waiting' | 'running' | 'failed' | 'restored'
  readonly step: 'check' | 'load' | 'compare' | null
  /** Of this step, so far. */
  readonly rows: number
  readonly reason: FirstRestoreReason | null
  /** Of a mistyped recovery key, counted from 1. */
  readonly wrongGroups: number[]
}

export interface ReceivedSummary {
  readonly id: string
  /** In ms. */
  readonly createdAt: number
}

export type ReceivedList =
  | { readonly backups: readonly ReceivedSummary[] }
  | Pick<FirstRestoreState, 'reason' | 'wrongGroups'>

/** How the process restores; it holds what was sent until then. */
export interface FirstRestorer {
  /** Keeps one file of what is sent. Refuses with `storage_full`. */
  receive(name: string, bytes: Uint8Array): Promise<void>
  state(): FirstRestoreState
  /** Whether it reads what was sent: then nothing may change. */
  isBusy(): boolean
  /** Which of those that were sent the secret opens, newest first. */
  list(secret: string): Promise<ReceivedList>
  /** Goes on by itself; `state` tells how far it is. `at`: the id of a backup, null for the newest. */
  begin(secret: string, at: string | null): void
  /** Takes away what was sent. */
  drop(): Promise<void>
  stop(): Promise<void>
}
