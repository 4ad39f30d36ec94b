/** How often an automation failed in a row, counted in the transaction that ends a run. */
import type { Transaction } from 'kysely'
import type { AutomationTables } from '../tables.ts'

/** So many runs fail in a row before an automation is paused. */
const mostFailures = 10

/** Gives whether the automation is paused by it. */
export const countFailure = async (
  trx: Transaction<AutomationTables>,
  automationId: string,
  state: 'succeeded' | 'failed' | 'cancelled' | 'missed' | 'skipped',
): Promise<boolean> => {
  const change = (values: Partial<AutomationTables['automations']>) =>
    trx.updateTable('automations').set(values).where('id', '=', automationId).execute()
  if (state === 'succeeded') await change({ failures: 0 })
  if (state !== 'failed') return false
  const counted = await trx
    .updateTable('automations')
    .set((by) => ({ failures: by('failures', '+', 1) }))
    .where('id', '=', automationId)
    .returning(['failures', 'status'])
    .executeTakeFirst()
  if (!counted || counted.status === 'paused' || counted.failures < mostFailures) return false
  await trx
    .updateTable('automations')
    .set((by) => ({ status: 'paused', paused_by_failures: 1, next_run_at: null, version: by('version', '+', 1) }))
    .where('id', '=', automationId)
    .execute()
  return true
}
