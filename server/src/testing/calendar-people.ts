/** An instance with three accounts that invite each other to events. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { type TestApp, startTestApp } from './app.ts'
import type { Client } from './client.ts'

export interface CalendarPeople extends Record<'ann' | 'ben' | 'cyd', Client> {
  readonly app: TestApp
  /** The account of one of them, or of whoever signed up since. */
  idOf(client: Client): string
  signUp(username: string): Promise<Client>
}

export const startCalendarPeople = async (dialect: 'sqlite' | 'postgres'): Promise<CalendarPeople> => {
  const app = await startTestApp({ dialect })
  await app.signUpAdmin()
  const ids = new Map<Client, string>()
  const signUp = async (username: string): Promise<Client> => {
    const client = await app.signUpUser(username)
    ids.set(client, (await client.call(accountsRoutes.me, {})).id)
    return client
  }
  const [ann, ben, cyd] = [await signUp('ann'), await signUp('ben'), await signUp('cyd')]
  return { app, ann, ben, cyd, idOf: (client) => ids.get(client) ?? '', signUp }
}
