/** What is known of the steps of a test while it runs. Pure. */
import type { TestEvent, TestStep } from '@atrium/contract/connections'
import type { Translate } from '../../lib/texts.ts'

type StepName = TestStep['step']
export type StepState = 'waiting' | 'running' | 'stopped' | TestStep['state']
/** What was found in a step, or null while it is under way; steps that nothing was heard of are not in it. */
export type StepResults = ReadonlyMap<StepName, TestStep | null>

export const stepNames = ['resolve', 'reach', 'authorise', 'models', 'chat'] as const satisfies readonly StepName[]
export const noSteps: StepResults = new Map()

export function recordStep(known: StepResults, event: TestEvent): StepResults {
  if (event.type === 'started') return new Map(known).set(event.data.step, null)
  if (event.type === 'step') return new Map(known).set(event.data.step, event.data)
  return new Map(event.data.steps.map((step) => [step.step, step]))
}

/** What was under way when a test ended early was stopped. */
export function stateOf(
  known: StepResults,
  step: StepName,
  running: boolean,
): { state: StepState; found: TestStep | null } {
  const found = known.get(step)
  if (found) return { state: found.state, found }
  return { state: found === undefined ? 'waiting' : running ? 'running' : 'stopped', found: null }
}

/** What a screen reader says of news: steps that are done, the reason where one failed, and how it ended. */
export function announcementOf(t: Translate, events: readonly TestEvent[]): string {
  const said = events.flatMap((event) => {
    if (event.type === 'started') return []
    if (event.type === 'ended') {
      return event.data.steps.every((step) => step.state === 'ok') ? [t('test.allGood')] : [t('test.over')]
    }
    const { step, state, detail } = event.data
    const words = `${t(`test.step.${step}`)}: ${t(`test.${state}`)}.`
    return [state === 'failed' ? `${words} ${detail}` : words]
  })
  return said.join(' ')
}
