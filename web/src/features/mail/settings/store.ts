/** The settings on the page: read once, replaced by what the server answers. */
import { mailRoutes } from '@atrium/contract/mail'
import type { GivenBody } from '@atrium/contract/route'
import { call } from '../../../api/client.ts'
import { saveInTurn } from '../../../api/saves.ts'

export type MailChange = GivenBody<typeof mailRoutes.updateSettings>

export const saveSettings = async (body: MailChange): Promise<void> =>
  void (await saveInTurn(mailRoutes.settings, () => call(mailRoutes.updateSettings, { body })))
