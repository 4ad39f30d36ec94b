/** Where the agent daemon is, and whether the bridge to it is open. Only the environment says where it is. */
import { z } from 'zod'
import {
  declareVariables,
  defineSettings,
  setting,
  webAddressText,
  wholeNumber,
} from '../../platform/settings/index.ts'

const variables = declareVariables({
  HARNESS_BASE_URL: [
    webAddressText('http://127.0.0.1:8766').refine(
      (text) => !/[?#]/.test(text),
      'must be an address such as http://127.0.0.1:8766',
    ),
    'the agent daemon that administrators control from here; it may be in your own network',
    { usual: '`http://127.0.0.1:8766`' },
  ],
  HARNESS_TIMEOUT_MS: [
    wholeNumber(100, 600_000),
    'how long to wait for the agent daemon, in milliseconds',
    { usual: '`30000`' },
  ],
})

const bridge = defineSettings(
  { enabled: setting(z.boolean(), { default: true, strictest: false }) },
  { row: 'agent-harness' },
)

export const agentHarnessSettings = { bridge, ...variables }

export type BridgeFields = typeof bridge.fields
