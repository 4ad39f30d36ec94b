/** A restore beside a running server that has no account: what its area asks of the process. */

export type FirstRestoreReason =
  | 'damaged'
  | 'full'
  | 'key'
  /** The instance key comes by the environment, and is another one. */
  | 'key_elsewhere'
  | 'missing'
  | 'mistyped'
  | 'newer'
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

/** How the process restores; it holds what was sent until then. */
export interface FirstRestorer {
  /** Keeps one file of what is sent. Refuses with `storage_full`. */
  receive(name: string, bytes: Uint8Array): Promise<void>
  state(): FirstRestoreState
  /** Goes on by itself; `state` tells how far it is. */
  begin(secret: string): void
  /** Takes away what was sent. */
  drop(): Promise<void>
  stop(): Promise<void>
}
