/** What is recorded of calls, for tests of usage without an app. */
import { type UsageDeps, usageSettings } from '../core/usage/index.ts'
import type { Database } from '../platform/db/types.ts'
import type { StorageDeps } from '../platform/settings/index.ts'
import { settingsInMemory } from './settings.ts'

/** Takes the database that tells of changes; gives settings of their own. */
export const recordingInMemory = (database: Database): UsageDeps['recording'] =>
  // What is kept in memory is not sealed, and has no time.
  settingsInMemory({ database } as StorageDeps).bind(usageSettings).recording
