/** Answers where no route is: 405, 404, or a file or page of the web app. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Area } from './area.ts'
import { fail } from './refusal.ts'
import { createMethodFinder } from './table.ts'
import { type WebFiles, openWebFiles } from './web-files.ts'

/** `staticFolder`: the built web app, where it is served. */
export const createUnknown = (areas: readonly Area[], staticFolder: string | undefined) => {
  const methodsOf = createMethodFinder(areas)
  const files: WebFiles | null = staticFolder ? openWebFiles(staticFolder) : null
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const methods = methodsOf(path)
    if (methods.length > 0) {
      void reply.header('allow', methods.join(', '))
      throw fail('method_not_allowed')
    }
    if (/^\/(api|v1|scim|health|metrics)(\/|$)/.test(path)) throw fail('route_not_found', doubledHint(path, methodsOf))
    if (files && request.method === 'POST' && path === '/share') {
      leadToSharePage(request, reply)
      return reply
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      void reply.header('allow', 'GET, HEAD')
      throw fail('method_not_allowed')
    }
    if (files?.answer(request, reply, path)) return reply
    throw fail('route_not_found', files ? undefined : 'The web app is not built. `npm start` builds it.')
  }
}

/** Bodies up to this size are read to their end before the answer, as browsers listen only then; longer ones are cut off. */
const longestShare = 256 * 1024 * 1024

/**
 * What the system shares with the installed app is for its service worker. Where there is none, as after the browser's data
 * was cleared, the form comes here: none of it is kept, and the page says so (`share_target` in web/manifest.ts).
 */
const leadToSharePage = ({ raw }: FastifyRequest, reply: FastifyReply): void => {
  let bytes = 0
  let isAnswered = false
  const answer = (): void => {
    if (isAnswered) return
    isAnswered = true
    void reply.redirect('/share?files=not-received', 303)
  }
  raw.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes <= longestShare) return
    raw.pause()
    answer()
  })
  raw.once('end', answer)
}

/** Clients put a prefix before every path; where it stands in their base address too, they are told. */
const doubledHint = (path: string, methodsOf: (path: string) => readonly string[]): string | undefined => {
  const [, prefix, rest] = /^(\/[^/]+)\1(\/.*)$/.exec(path) ?? []
  if (!prefix || !rest || methodsOf(prefix + rest).length === 0) return undefined
  return `Nothing was found at this address: it contains ${prefix} twice. Leave ${prefix} out of the client’s base URL.`
}
