/** What a process still takes between the signal to end and its end. Probes are answered for as long as it listens. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface Departure {
  /** Whether a request is turned away. */
  refuses(request: FastifyRequest): boolean
  /**
   * Takes no more requests. `passOn`: another process is there. What takes no time is answered until proxies had theirs to
   * notice; then connections are refused, which every proxy takes to the next process.
   */
  begin(passOn: boolean): void
  end(): void
}

/** Longer than between two questions of a proxy for `/health/ready`. */
const usualNoticeMs = 6000

export const createDeparture = (server: FastifyInstance, noticeMs = usualNoticeMs): Departure => {
  let refused: 'nothing' | 'followers' | 'everything' = 'nothing'
  let timer: NodeJS.Timeout | null = null
  const shut = (): void => {
    refused = 'everything'
    // What runs goes on: only who connects anew, or has nothing to wait for, is sent elsewhere.
    server.server.close()
  }
  return {
    refuses: (request) =>
      refused !== 'nothing' && !isProbe(request) && (refused === 'everything' || isFollower(request)),
    begin(passOn) {
      refused = passOn ? 'followers' : 'everything'
      if (passOn) timer = setTimeout(shut, noticeMs).unref()
    },
    end() {
      refused = 'everything'
      if (timer) clearTimeout(timer)
    },
  }
}

const isProbe = ({ url }: FastifyRequest): boolean => /^\/health(\/|\?|$)/.test(url)

/** It would stay, and be sent away a moment later. */
const isFollower = ({ headers }: FastifyRequest): boolean =>
  headers.upgrade !== undefined || (headers.accept?.includes('text/event-stream') ?? false)
