/** Tests of connections, followed to their end. */
import { connectionsRoutes, type TestEvent, type TestStep } from '@atrium/contract/connections'
import type { Call } from '@atrium/contract/route'
import type { Client } from './client.ts'

/** Every event of a test, in the order they came. */
export const followTest = async (client: Client, call: Call<typeof connectionsRoutes.test>): Promise<TestEvent[]> => {
  const events: TestEvent[] = []
  for await (const { event } of client.follow(connectionsRoutes.test, call)) events.push(event)
  return events
}

/** The steps that a test ends with. */
export const stepsOf = (events: readonly TestEvent[]): TestStep[] => {
  const last = events.at(-1)
  if (last?.type !== 'ended') throw new Error(`the test ended with ${JSON.stringify(last)}`)
  return last.data.steps
}
