/** JSON bodies: read as they arrive, within the bounds of their route. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { createJsonReader, JsonFault, usualBounds } from '../json/index.ts'
import { addressKey } from './rates.ts'
import { fail } from './refusal.ts'
import type { Incoming, Intake } from './intake.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many values a JSON body of the route holds at most. */
    maxBodyValues?: number
  }
  interface FastifyRequest {
    /** What the request is answered with. */
    response: ServerResponse
  }
}

/** The reader is given pieces of about this size: many small ones would each cost more than their bytes. */
const pieceBytes = 64 * 1024

/** Makes the server read JSON bodies; every other type of content is refused. */
export const acceptJson = (server: FastifyInstance, intake: Intake): void => {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(['application/json', 'application/scim+json'], (request: FastifyRequest) =>
    readJsonBody(request, intake),
  )
}

/** Who is told to send less where somebody sends too much: the account or directory, else the address. */
export const senderOf = (request: FastifyRequest): string => {
  if (request.caller) return `account ${request.caller.accountId}`
  if (request.provisioner) return `directory ${request.provisioner.tokenId}`
  return addressKey(request.ip ?? '')
}

const readJsonBody = async (request: FastifyRequest, intake: Intake): Promise<unknown> => {
  const { bodyLimit, config } = request.routeOptions
  const reader = createJsonReader({ maxValues: config.maxBodyValues ?? usualBounds.maxValues })
  const pieces: Buffer[] = []
  let waiting = 0
  const flush = (): void => {
    const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
    pieces.length = 0
    waiting = 0
    reader.push(bytes)
  }
  try {
    await intake.receive(incomingOf(request, bodyLimit), (bytes) => {
      pieces.push(bytes)
      waiting += bytes.length
      if (waiting >= pieceBytes) flush()
    })
    flush()
    return reader.end()
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw fail(error.kind === 'values' ? 'too_large' : 'validation_failed', error.message)
  }
}

/** What the intake wants to know of a request. */
export const incomingOf = (request: FastifyRequest, maxBytes: number): Incoming => ({
  request: request.raw,
  response: request.response,
  sender: senderOf(request),
  maxBytes,
})
