/** Answers read aloud: sentence by sentence, held and gone on with, and the voice of it in the settings. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { speechRoutes } from '@atrium/contract/speech'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { answered, ask, pickModel } from '../harness/talk.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['markdown'] })

test('an answer is read aloud sentence by sentence, in a voice from the settings', async ({ visit }) => {
  const { api } = testApp.admin
  const at = (path: string) => `${testApp.provider.url}/v1/${path}`
  const config = { voices: ['ash', 'coral'], default_voice: 'ash', formats: ['wav'] }
  await api.call(connectionsRoutes.installPlugin, {
    body: {
      id: 'loud',
      name: 'Loud',
      type: 'completion',
      endpoint: at('chat/completions'),
      auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' },
      model_map: ['echo'],
      capabilities: { tts: { endpoint: at('audio/speech'), model_map: ['voice'], config } },
    },
  })
  await api.call(connectionsRoutes.saveKey, { params: { id: 'loud' }, body: { apiKey: 'key' } })
  await api.call(connectionsRoutes.activate, { params: { id: 'loud' } })

  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/voice')
  await page.getByRole('combobox', { name: 'Speech model' }).selectOption({ label: 'voice (Loud)' })
  await page.getByRole('combobox', { name: 'Voice', exact: true }).selectOption('coral')
  await look(page, 'settings-voice')

  await page.goto('/')
  await pickModel(page, 'markdown')
  await ask(page, 'Show me Markdown')
  await answered(page)
  const player = page.getByRole('region', { name: 'Reading aloud' })
  await page.getByRole('button', { name: 'Read aloud' }).click()
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
  await player.getByRole('button', { name: 'Pause' }).click()
  // Held, it does not come to its end meanwhile.
  await look(page, 'read-aloud')
  const first = await player.getByRole('paragraph').textContent()
  expect(first?.length).toBeGreaterThan(0)
  await player.getByRole('button', { name: 'Next sentence' }).click()
  await expect(player.getByRole('paragraph')).not.toHaveText(first ?? '')
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
  const asked = testApp.provider.requests.filter(({ path }) => path === '/v1/audio/speech')
  expect(asked.map(({ body }) => body)).toContainEqual(
    expect.objectContaining({ model: 'voice', voice: 'coral', input: first }),
  )
  await player.getByRole('button', { name: 'Stop reading' }).click()
  await expect(player).toHaveCount(0)

  await api.call(speechRoutes.updateAccess, { params: { feature: 'tts' }, body: { mode: 'off' } })
  await page.reload()
  await answered(page)
  await expect(page.getByRole('button', { name: 'Read aloud' })).toHaveCount(0)
})
