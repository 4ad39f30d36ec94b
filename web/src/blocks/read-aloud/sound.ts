/** The sound of sentences: made once in a session, and kept while there is room. */
import { speechRoutes as routes } from '@atrium/contract/speech'
import { call } from '../../api/client.ts'
import { type Choice, formatFor } from './voices.ts'

const kept = new Map<string, Promise<Blob>>()
const mostKept = 300

/** Throws `Problem`. `speed`: for who cannot play it faster or slower. What failed or was left is asked for anew the next time. */
export function soundOf(
  text: string,
  choice: Choice & { kind: 'model' },
  signal: AbortSignal,
  speed = 1,
): Promise<Blob> {
  const { model, voice } = choice
  const key = JSON.stringify([model.pluginId, model.model, voice, speed, text])
  const known = kept.get(key)
  if (known) return known
  const asked = call(
    routes.generate,
    {
      body: {
        model: model.model,
        pluginId: model.pluginId,
        input: text,
        ...(voice === null ? {} : { voice }),
        ...(formatFor(model) ? { responseFormat: formatFor(model) } : {}),
        ...(speed === 1 ? {} : { speed }),
      },
    },
    { signal },
  )
  kept.set(key, asked)
  asked.catch(() => kept.delete(key))
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break
    kept.delete(oldest)
  }
  return asked
}
