/** A message that is spoken: from the microphone of a browser to the text in the box. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import { speechRoutes } from '@atrium/contract/speech'
import { toWav } from '../../server/src/providers/operations/wav.ts'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { composer } from '../harness/talk.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

test('what is said stands in the message, and Esc throws it away', async ({ visit }) => {
  const { api } = testApp.admin
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await page.getByRole('button', { name: 'Dictate' }).click()
  await expect(page.getByText('Dictation needs a speech-to-text model')).toBeVisible()

  const at = (path: string) => `${testApp.provider.url}/v1/${path}`
  await api.call(connectionsRoutes.installPlugin, {
    body: {
      id: 'listener',
      name: 'Listener',
      type: 'completion',
      endpoint: at('chat/completions'),
      auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'TEST_KEY' },
      model_map: ['echo'],
      capabilities: { stt: { endpoint: at('audio/transcriptions'), model_map: ['hearer'], config: {} } },
    },
  })
  await api.call(connectionsRoutes.saveKey, { params: { id: 'listener' }, body: { apiKey: 'key' } })
  await api.call(connectionsRoutes.activate, { params: { id: 'listener' } })

  await composer(page).fill('Note:')
  // Its keys are there with the button.
  await expect(page.getByRole('button', { name: 'Dictate' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+D')
  const panel = page.getByRole('group', { name: 'Dictation' })
  await expect(panel.getByText('Listening')).toBeAttached()
  await look(page, 'dictation')
  // The microphone of the browser beeps: one was heard once the meter is up, which is looked for in every frame.
  await page.evaluate(`new Promise((heard) => {
    const look = () =>
      [...document.querySelectorAll('[aria-label="Dictation"] [style]')].some((bar) => bar.offsetHeight > 8)
        ? heard()
        : requestAnimationFrame(look)
    look()
  })`)
  await panel.getByRole('button', { name: 'Finish dictation' }).click()
  await expect(composer(page)).toHaveValue(/^Note: I heard \d+ bytes\./)
  await expect(panel).toHaveCount(0)
  expect(testApp.provider.requests.some(({ path }) => path === '/v1/audio/transcriptions')).toBe(true)
  const said = await composer(page).inputValue()

  await page.getByRole('button', { name: 'Dictate' }).click()
  await expect(panel.getByText('Listening')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(composer(page)).toHaveValue(said)

  // Enter takes the words and sends nothing yet; a server that was busy is asked again.
  let refusals = 0
  await page.route('**/api/stt/transcribe', async (route) => {
    refusals += 1
    if (refusals === 1) await route.fulfill({ status: 503, body: 'busy' })
    else await route.continue()
  })
  await page.getByRole('button', { name: 'Dictate' }).click()
  await expect(panel.getByText('Listening')).toBeAttached()
  await expect(panel.getByRole('timer')).toHaveText(/^0:0[1-9]$/)
  await composer(page).press('Enter')
  await expect(panel).toHaveCount(0)
  await expect(composer(page)).toHaveValue(/^Note: I heard \d+ bytes\..* I heard \d+ bytes\./)
  expect(refusals).toBeGreaterThan(1)
  await page.unroute('**/api/stt/transcribe')

  // Held while one speaks, in the language that was chosen.
  await api.call(settingsRoutes.update, { body: { dictation: { hold: true, language: 'de' } } })
  const button = page.getByRole('button', { name: 'Hold to dictate' })
  await button.hover()
  await page.mouse.down()
  await expect(panel.getByText('Listening')).toBeAttached()
  await expect(panel.getByRole('timer')).toHaveText(/^0:0[1-9]$/)
  await page.mouse.up()
  await expect(panel).toHaveCount(0)
  expect(testApp.provider.requests.at(-1)?.body).toMatchObject({ fields: { language: 'de' } })

  // A recording of one's own, with subtitles to take away.
  await page.goto('/gallery')
  await page.getByRole('button', { name: 'Transcribe a recording' }).click()
  const dialog = page.getByRole('dialog', { name: 'Transcribe' })
  const audio = Buffer.from(toWav(Buffer.alloc(32_000), { rate: 16_000, channels: 1 }))
  await dialog.locator('input[type=file]').setInputFiles({ name: 'Talk.wav', mimeType: 'audio/wav', buffer: audio })
  await dialog.getByRole('button', { name: 'Transcribe' }).click()
  await expect(dialog.getByText('I heard 32044 bytes.')).toBeVisible()
  await look(page, 'transcript')
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save SRT' }).click()
  expect((await saved).suggestedFilename()).toBe('Talk.srt')
  await page.goto('/')

  await api.call(speechRoutes.updateAccess, { params: { feature: 'stt' }, body: { mode: 'off' } })
  await page.reload()
  await expect(composer(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Dictate' })).toHaveCount(0)
})
