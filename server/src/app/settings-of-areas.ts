/** What the environment says for each area. */
import type { SettingsOf } from '../platform/areas/compose.ts'
import type { Database } from '../platform/db/types.ts'
import type { Metrics } from '../platform/metrics/index.ts'
import type { Overrides } from './app.ts'
import type { areas } from './areas.ts'
import { readinessChecks } from './checks.ts'
import type { Config } from './config.ts'
import { createInterface } from './interface.ts'
import { countDropped, meterCalls } from './meter.ts'

export const settingsOf = (
  config: Config,
  { passwordCosts }: Overrides,
  { database, metrics }: { readonly database: Database; readonly metrics: Metrics | null },
): SettingsOf<typeof areas> => ({
  settings: {
    signupEnabled: config.signupEnabled,
    privateAddresses: config.outboundAllow,
    voiceInput: config.voiceInput,
    localRuntimeUrl: config.ollamaBaseUrl,
  },
  mail: config.mail,
  accounts: { ...config, ...(passwordCosts ? { passwordCosts } : {}) },
  'sign-in-providers': { providers: config.signInProviders, baseUrl: config.baseUrl },
  usage: { dropped: metrics ? countDropped(metrics) : undefined },
  connections: {
    environmentKey: config.environmentKey,
    signIn: config.signIn,
    ttlMs: config.modelDiscoveryTtlMs,
    retryMs: config.modelDiscoveryRetryMs,
    maxContext: config.ollamaMaxContext,
    meter: metrics && meterCalls(metrics),
  },
  'web-search': { searxngUrl: config.searxngUrl },
  chat: { fullDocumentTokens: config.fullDocumentTokens },
  scim: { baseUrl: config.baseUrl },
  audit: { retentionDays: config.auditRetentionDays },
  'local-runtime': { maxContext: config.ollamaMaxContext },
  system: { checks: readinessChecks(database, config.dataDir), openApi: createInterface() },
})
