/** What can be done with automations and runs, and how pages follow what happens here and elsewhere. */
import { type Automation, type AutomationRun, automationsRoutes } from '@atrium/contract/automations'
import { onAccountEvent } from '../../api/account-events.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { refresh } from '../../api/query.ts'
import { toast } from '../../ui/toaster.tsx'
import { translate } from 'virtual:words/automations'

export async function refreshAutomations(): Promise<void> {
  const { list, read, runs, readRun, summary } = automationsRoutes
  await Promise.all([list, read, runs, readRun, summary].map((route) => refresh(route)))
}

onAccountEvent('automations-changed', () => void refreshAutomations())

const at = ({ id }: Pick<Automation, 'id'>) => ({ params: { automationId: id } })

/** Starts a run; gives whether it was. */
export const runNow = (
  automation: Pick<Automation, 'id' | 'name'>,
  body: { payload?: Record<string, unknown> } = {},
): Promise<boolean> =>
  act(async () => {
    await call(automationsRoutes.run, { ...at(automation), body })
    toast(translate('automations:started', { name: automation.name }))
  })

export const setPaused = (automation: Pick<Automation, 'id'>, paused: boolean): Promise<boolean> =>
  act(() => call(paused ? automationsRoutes.pause : automationsRoutes.resume, at(automation)))

export const removeAutomation = (automation: Pick<Automation, 'id' | 'name'>): Promise<boolean> =>
  act(async () => {
    await call(automationsRoutes.remove, at(automation))
    toast(translate('automations:removed', { name: automation.name }))
  })

export const cancelRun = ({ id }: Pick<AutomationRun, 'id'>): Promise<boolean> =>
  act(() => call(automationsRoutes.cancelRun, { params: { runId: id } }))

export const retryRun = ({ id }: Pick<AutomationRun, 'id'>): Promise<boolean> =>
  act(() => call(automationsRoutes.retryRun, { params: { runId: id } }))

export const markRunsSeen = (): Promise<boolean> => act(() => call(automationsRoutes.seen, {}))

/** Does something, tells why where that failed, and reads the lists again. */
async function act(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
    return false
  } finally {
    await refreshAutomations()
  }
}
