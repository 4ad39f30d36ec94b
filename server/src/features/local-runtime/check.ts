/** Whether the local runtime answers. */
import type { InstanceSettings } from '@atrium/contract/settings'
import { type DiagnosticCheck, reportPass, reportWarning } from '../../platform/diagnostics/checks.ts'
import type { LocalRuntime } from '../../providers/local-runtime.ts'
import { ProviderFailure } from '../../providers/types.ts'

/** null, as if it were not there, while it is switched off, or nobody set where it is. */
export const runtimeCheck = (
  runtime: Pick<LocalRuntime, 'version'>,
  settings: () => Promise<Pick<InstanceSettings, 'localRuntime'>>,
): DiagnosticCheck => ({
  id: 'local-runtime',
  async run() {
    const { value, source } = (await settings()).localRuntime
    if (!value.enabled) return null
    try {
      return reportPass(`The local runtime at ${value.baseUrl} runs version ${await runtime.version(value.baseUrl)}.`)
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      if (source === 'default') return null
      return reportWarning(
        `The local runtime at ${value.baseUrl} doesn’t respond. Start it, or turn it off in the settings.`,
      )
    }
  },
})
