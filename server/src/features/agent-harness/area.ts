/** The area of the agent daemon, as `compose()` creates it. */
import { agentHarnessArea } from '@atrium/contract/agent-harness'
import { defineArea } from '../../platform/areas/define-area.ts'
import { hostAndPort } from '../../platform/outbound/destination.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { agentHarnessSettings, createAgentHarness, createAskDaemon, createDaemon } from './index.ts'

const usualAddress = 'http://127.0.0.1:8766'
const usualTimeoutMs = 30_000
const pollMs = 1000

export const agentHarness = defineArea(agentHarnessArea)()({
  needs: [],
  settings: agentHarnessSettings,
  create(platform, _needs, { bridge, HARNESS_BASE_URL, HARNESS_TIMEOUT_MS }) {
    const baseUrl = HARNESS_BASE_URL ?? usualAddress
    // A gate of its own: of private places it leads to this one alone, and to no other that administrators allowed.
    const place = new Set([hostAndPort(baseUrl)])
    const outbound = createOutbound({ allowed: () => place, log: platform.log })
    const ask = createAskDaemon({ outbound, baseUrl, timeoutMs: HARNESS_TIMEOUT_MS ?? usualTimeoutMs })
    const { area, stop } = createAgentHarness({
      ...platform,
      settings: bridge,
      daemon: createDaemon(ask),
      baseUrl,
      pollMs,
    })
    return {
      ...area,
      api: undefined,
      drain: async () => stop(),
      stop: () => outbound.close(),
    }
  },
})
