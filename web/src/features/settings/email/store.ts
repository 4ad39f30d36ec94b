/** The settings on the page: read once, replaced by what the server answers. */
import { email } from '@atrium/contract/email'
import type { GivenBody } from '@atrium/contract/route'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient } from '../../../api/query.ts'

export type Change = GivenBody<typeof email.updateSettings>

export const saveSettings = async (body: Change): Promise<void> =>
  void queryClient.setQueryData(keyOf(email.settings), await call(email.updateSettings, { body }))
