/** Pages that are no routes of the contract. */
import type { FastifyInstance } from 'fastify'
import { type Credentials, credentialsOf } from './authenticate.ts'
import { fail } from './refusal.ts'
import { StaticFile, sendStaticFile } from './static-file.ts'

/** A page that is no route of the contract: plain text or files. null answers 404. */
export interface Page {
  readonly path: string
  answer(
    credentials: Credentials,
  ): Promise<{ headers: Record<string, string>; body: string | Uint8Array } | StaticFile | null>
}

export const mountPage = (server: FastifyInstance, page: Page): void => {
  server.get(page.path, async (request, reply) => {
    const answer = await page.answer(credentialsOf(request))
    if (!answer) throw fail('route_not_found')
    if (answer instanceof StaticFile) return sendStaticFile(request, reply, answer)
    return reply.headers({ 'cache-control': 'no-cache', ...answer.headers }).send(answer.body)
  })
}
