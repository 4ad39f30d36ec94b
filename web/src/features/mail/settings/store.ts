/** The settings on the page: read once, replaced by what the server answers. */
import { email } from '@atrium/contract/email'
import type { GivenBody } from '@atrium/contract/route'
import { call } from '../../../api/client.ts'
import { saveInTurn } from '../../../api/saves.ts'

export type Change = GivenBody<typeof email.updateSettings>

export const saveSettings = async (body: Change): Promise<void> =>
  void (await saveInTurn(email.settings, () => call(email.updateSettings, { body })))
