/** How requests show for whom they are: nothing, the account's own secret, for the very origin that it was saved for, or its sign-in. */
import { fail } from '../../platform/http/refusal.ts'
import { type OpenAuth, type RegisteredServer, type ServerAuth, ServerFault } from './kind.ts'
import type { ToolServerStore } from './store.ts'

/** A header carries visible ASCII only. */
const sendable = /^[\x21-\x7e]+( [\x21-\x7e]+)*$/

export const createOpenAuth =
  (store: Pick<ToolServerStore, 'credentials'>, openSignedIn: OpenAuth): OpenAuth =>
  async (server, accountId) => {
    if (server.authMode === 'none') return noProof
    if (server.authMode === 'oauth') return await openSignedIn(server, accountId)
    const credential = (await store.credentials(accountId)).get(server.id)
    const name = server.authMode === 'header' ? server.authHeader : 'authorization'
    return {
      async headers() {
        if (!credential || credential.origin !== originOf(server))
          throw new ServerFault('refused', 'You haven’t saved a secret for this tool server yet.')
        if (name === null)
          throw new ServerFault('refused', 'The tool server doesn’t say which header takes the secret.')
        return { [name]: proofOf(server.authMode, credential.secret) }
      },
    }
  }

const proofOf = (mode: RegisteredServer['authMode'], secret: string): string => {
  if (mode === 'bearer') return `Bearer ${secret}`
  if (mode !== 'basic') return secret
  if (!secret.includes(':')) throw new ServerFault('refused', 'Save the secret of this tool server as user:password.')
  return `Basic ${Buffer.from(secret).toString('base64')}`
}

const noProof: ServerAuth = { headers: async () => ({}) }

export const originOf = ({ baseUrl }: Pick<RegisteredServer, 'baseUrl'>): string => new URL(baseUrl).origin

/** Refuses a secret that no header can carry. */
export const requireSendable = (secret: string): void => {
  if (!sendable.test(secret))
    throw fail('validation_failed', undefined, [
      { path: 'body.secret', message: 'it holds characters that can’t be sent in a header' },
    ])
}
