/** Dependencies of the area. */
import type { AccountEvent } from '@atrium/contract/system'
import type { Audit } from '../../platform/audit/index.ts'
import type { Platform } from '../../platform/platform.ts'
import type { BoundBranding } from './settings.ts'

export interface BrandingDeps extends Pick<Platform, 'clock' | 'database' | 'vault'> {
  readonly audit: Pick<Audit, 'recordIn'>
  readonly settings: BoundBranding
  /** Tells the open pages of everybody. */
  readonly announceAll: (event: AccountEvent) => Promise<void>
}
