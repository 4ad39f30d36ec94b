/** Has the built-in reader read a picture in the language of an account. */
import { readPrint } from '../../../platform/reader/index.ts'
import type { Settings } from '../../settings/index.ts'
import type { DocumentsDeps } from '../types.ts'

export const createReadPrint =
  (settings: Pick<Settings, 'preferencesOf'>): DocumentsDeps['readPrint'] =>
  async (accountId, bytes, signal) =>
    readPrint(bytes, { language: (await settings.preferencesOf(accountId)).language, signal })
