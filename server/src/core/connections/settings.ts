/** What the environment says about models, and nobody else can. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { declareVariables, wholeNumber, yesNo } from '../../platform/settings/index.ts'

const monthMs = 30 * 24 * 60 * 60_000
const absolutePath = (path: string): string => resolve(path.replace(/^~(?=\/|$)/, homedir()))

export const connectionSettings = declareVariables({
  OLLAMA_MAX_CONTEXT: [
    wholeNumber(128, 10_000_000),
    'the largest context window to request from the local runtime, in tokens',
    { usual: '`32768`', plain: true },
  ],
  SIGNIN_OAUTH_MODELS_ENABLED: [
    yesNo,
    '`false` hides the provider that uses the server’s own sign-in',
    { usual: '`true`', plain: true },
  ],
  CODEX_HOME: [
    z.string().trim().transform(absolutePath),
    'the folder where the vendor’s tool keeps that sign-in',
    { usual: '`~/.codex`' },
  ],
  PLUGIN_MODEL_DISCOVERY_TTL_MS: [
    wholeNumber(0, monthMs),
    'milliseconds until a provider’s model list is fetched again',
    { usual: '`21600000`', plain: true },
  ],
  PLUGIN_MODEL_DISCOVERY_RETRY_MS: [
    wholeNumber(0, monthMs),
    'milliseconds until it is tried again after a failure',
    { usual: '`600000`', plain: true },
  ],
})
