/** A voice conversation in a real Chromium: how soon after the end of a turn its answer is heard, over models that do not wait. */
import { setTimeout } from 'node:timers/promises'
import { chromium as player } from '@playwright/test'
import { connectionsRoutes } from '../../contract/src/connections/index.ts'
import { startAtrium } from '../../e2e/atrium.ts'
import { chromium } from '../../e2e/chromium.ts'
import { hearInLoop } from '../../e2e/harness/microphone.ts'
import { startProvider } from '../../e2e/provider/provider.ts'
import { createClient } from '../../server/src/testing/client.ts'
import type { Row } from '../row.ts'

const turns = 9
const password = 'a long enough password'

/** What the page measures itself: from the detector's word that a turn is over, after its quiet, to the start of the sound. */
export async function measureTalk(): Promise<Row[]> {
  const provider = await startProvider()
  // Short enough to be said before the next turn begins.
  provider.control({ models: ['echo'], answers: [{ match: 'heard', answer: 'Yes. At nine.' }] })
  const atrium = await startAtrium({ LOG_LEVEL: 'silent', OLLAMA_BASE_URL: provider.url })
  const own = await chromium()
  const args = [...own.args, ...(await hearInLoop('When does the ferry leave?', 4))]
  const browser = await player.launch({ executablePath: own.executablePath, args, env: own.env })
  try {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    const signup = await context.request.post(`${atrium.url}/api/auth/signup`, { data: { username: 'ann', password } })
    const { token } = (await signup.json()) as { token: string }
    const api = createClient(atrium.url, token)
    const at = (path: string) => `${provider.url}/v1/${path}`
    await api.call(connectionsRoutes.installPlugin, {
      body: {
        id: 'talker',
        name: 'Talker',
        type: 'completion',
        endpoint: at('chat/completions'),
        auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' },
        model_map: ['echo'],
        capabilities: {
          stt: { endpoint: at('audio/transcriptions'), model_map: ['hearer'], config: {} },
          tts: { endpoint: at('audio/speech'), model_map: ['voice'], config: { formats: ['wav'] } },
        },
      },
    })
    await api.call(connectionsRoutes.saveKey, { params: { id: 'talker' }, body: { apiKey: 'key' } })
    await api.call(connectionsRoutes.activate, { params: { id: 'talker' } })
    const page = await context.newPage()
    await page.goto(atrium.url)
    await page.getByRole('button', { name: 'Talk' }).click()
    let times: number[] = []
    for (const end = performance.now() + 180_000; times.length < turns; await setTimeout(500)) {
      if (performance.now() > end) throw new Error(`only ${times.length} of ${turns} turns were answered`)
      times = await page.evaluate<number[]>(
        `performance.getEntriesByName('voice:first-sound').map(({ duration }) => duration)`,
      )
    }
    times.sort((a, b) => a - b)
    const [median = 0, worst = 0] = [times[Math.floor(times.length / 2)], times.at(-1)]
    return [
      ['End of a spoken turn to first sound, beyond the quiet: median', `${Math.round(median)} ms`, '≤ 300 ms'],
      ['The same: slowest', `${Math.round(worst)} ms`, ''],
    ]
  } finally {
    await browser.close()
    await atrium.close()
    await provider.close()
  }
}
