/** Who asks, for the one aggregator that lists the applications that use it. Pure. */
import type { BundledDefinition } from './definitions.ts'

const aggregatorHost = 'openrouter.ai'

/**
 * Headers that name the application. None unless the definition is the aggregator's own and `destination`, as it was
 * checked, is its host over TLS: no other place is told who asks. They name the program, never its users or its place.
 */
export function attributionHeaders(
  definition: Pick<BundledDefinition, 'attribution'>,
  destination: URL,
): Record<string, string> {
  const home = destination.protocol === 'https:' && destination.host === aggregatorHost
  return definition.attribution === true && home
    ? {
        // An address of nobody's: it tells the program, and not the instance.
        'http-referer': 'https://atrium.example/',
        'x-title': 'Atrium',
        'x-openrouter-categories': 'general-chat,personal-agent',
      }
    : {}
}
