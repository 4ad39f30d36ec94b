/** A chat that is talked with: turns by voice, an answer that is spoken over, and a microphone that is off when it says so. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import { speechRoutes } from '@atrium/contract/speech'
import type { Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { hearInLoop, sampleRate } from '../harness/microphone.ts'
import { openTestApp, type TestApp } from '../harness/test-app.ts'
import { composer } from '../harness/talk.ts'
import { expect, onlyInAll, phone, test as base } from '../harness/test.ts'

const test = base.extend<object, { launchOptions: { args?: string[] } }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      // More quiet than ends a turn, so that a slow machine answers in it; less than the answer takes to be said.
      const heard = await hearInLoop('When does the ferry leave?', 9)
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...heard] })
    },
    { scope: 'worker' },
  ],
})

const testApp = openTestApp({ models: ['echo'] })

/** Connects what hears and what speaks. */
async function connectSpeech({ admin, provider }: TestApp): Promise<void> {
  const at = (path: string) => `${provider.url}/v1/${path}`
  await admin.api.call(connectionsRoutes.installPlugin, {
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
  await admin.api.call(connectionsRoutes.saveKey, { params: { id: 'talker' }, body: { apiKey: 'key' } })
  await admin.api.call(connectionsRoutes.activate, { params: { id: 'talker' } })
}

/** Writes down what the conversation says it does, and keeps the microphones that were opened. */
const watch = (page: Page, echoCancellation = true) =>
  page.evaluate(`(() => {
    window.phases = []
    window.microphones = []
    window.sounds = []
    window.locks = 0
    window.isRefused = false
    const devices = navigator.mediaDevices
    const open = devices.getUserMedia.bind(devices)
    devices.getUserMedia = async (wishes) => {
      if (window.isRefused) throw new DOMException('Permission denied', 'NotAllowedError')
      const stream = await open({ audio: { ...wishes.audio, echoCancellation: ${echoCancellation} } })
      window.microphones.push(...stream.getTracks())
      return stream
    }
    window.AudioContext = class extends AudioContext {
      constructor() {
        super()
        window.sounds.push(this)
      }
    }
    navigator.wakeLock.request = async () => {
      window.locks += 1
      return { release: async () => undefined }
    }
    new MutationObserver(() => {
      const phase = document.querySelector('[role=dialog] [role=status]')?.textContent
      if (phase && window.phases.at(-1) !== phase) window.phases.push(phase)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })()`)
const phases = (page: Page) => page.evaluate<string[]>('window.phases')
const openMicrophones = (page: Page) =>
  page.evaluate<number>(`window.microphones.filter(({ readyState }) => readyState === 'live').length`)

test('one talks with a chat, speaks over its answer, mutes, and finds all of it in the chat', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const talk = page.getByRole('dialog', { name: 'Voice conversation' })
  await page.goto('/')
  await page.getByRole('button', { name: 'Talk' }).click()
  await expect(talk.getByText('Voice conversations need a speech-to-text model.')).toBeVisible()
  await look(page, 'voice-mode-failed')
  await talk.getByRole('button', { name: 'Back to the chat' }).click()

  await connectSpeech(testApp)
  // A sentence of twelve seconds: a third of one for each word.
  const sentence =
    'The ferry leaves at nine in the morning, when the fog has gone and the last crate is on deck, ' +
    'calls at each of the four islands, and is back at the pier before it is dark.'
  testApp.provider.control({ answers: [{ match: 'heard', answer: `${sentence} It takes you along.` }] })
  await page.reload()
  await composer(page).fill('not said yet')
  await expect(page.getByRole('button', { name: 'Talk' })).toBeVisible()
  await watch(page)
  await page.keyboard.press('Alt+Shift+V')
  const transcribed = () => testApp.provider.requests.filter(({ path }) => path === '/v1/audio/transcriptions')
  await expect.poll(() => phases(page), { intervals: [100] }).toContain('Speaking')
  await expect(talk.getByText(sentence, { exact: true })).toBeVisible()
  // The microphone goes on, and so the answer is spoken over.
  await expect
    .poll(async () => (await phases(page)).filter((phase) => phase === 'Transcribing…').length, { intervals: [100] })
    .toBe(2)
  await page.keyboard.press('m')
  await expect(talk.getByRole('button', { name: 'Mute' })).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => openMicrophones(page)).toBe(0)
  const seen = await phases(page)
  const turn = ['Listening', 'Transcribing…', 'Thinking…', 'Speaking', 'Listening', 'Transcribing…']
  expect(seen.filter((phase) => phase !== 'Starting the microphone…').slice(0, 6)).toEqual(turn)

  const [first] = transcribed()
  const sent = (first?.body as { file: { bytes: Buffer } } | undefined)?.file.bytes ?? Buffer.alloc(44)
  const { seconds, loudness } = measure(sent)
  expect(sent.readUInt32LE(24)).toBe(sampleRate)
  expect(seconds).toBeGreaterThan(1)
  // Of the quiet that ended it, little is sent.
  expect(seconds).toBeLessThan(3)
  expect(loudness).toBeGreaterThan(0.01)

  await expect(talk.getByRole('status').filter({ hasText: 'Muted' })).toBeVisible()
  await talk.getByRole('button', { name: 'Transcript' }).click()
  await expect(talk.getByRole('region', { name: 'Transcript' }).getByText(/^I heard/)).toHaveCount(2)
  await look(page, 'voice-mode')
  await page.keyboard.press('m')
  await expect.poll(() => openMicrophones(page)).toBe(1)
  await page.keyboard.press('Escape')
  await expect(talk).toHaveCount(0)
  await expect.poll(() => openMicrophones(page)).toBe(0)
  await expect(
    page
      .getByRole('article')
      .filter({ hasText: /^.*I heard \d+ bytes\./ })
      .first(),
  ).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(4)
})

test('a refused microphone, a locked screen and another headset end no conversation', onlyInAll, async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const talk = page.getByRole('dialog', { name: 'Voice conversation' })
  const status = talk.getByRole('status')
  const opened = () => page.evaluate<number>('window.microphones.length')
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Talk' })).toBeVisible()
  await watch(page)
  await page.evaluate('window.isRefused = true')
  await page.getByRole('button', { name: 'Talk' }).click()
  await expect(
    talk.getByText('Your browser blocks the microphone. Allow it for this site, then try again.'),
  ).toBeVisible()
  await page.evaluate('window.isRefused = false')
  await talk.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => phases(page), { intervals: [100] }).toContain('Listening')
  expect(await opened()).toBe(1)

  // A phone takes the microphone and the sound away while its screen is locked.
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate(`(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' })
      document.dispatchEvent(new Event('visibilitychange'))
    })()`)
  await show('hidden')
  await page.evaluate(`window.microphones.at(-1).stop(); window.sounds.at(-1).suspend()`)
  await expect.poll(() => openMicrophones(page)).toBe(0)
  const locks = await page.evaluate<number>('window.locks')
  await show('visible')
  await expect.poll(opened).toBe(2)
  await expect.poll(() => page.evaluate('window.sounds.at(-1).state')).toBe('running')
  await expect.poll(() => openMicrophones(page)).toBe(1)
  await expect.poll(() => page.evaluate<number>('window.locks')).toBe(locks + 1)

  // The usual microphone is another one now.
  await page.evaluate(`(() => {
    const devices = navigator.mediaDevices
    const list = devices.enumerateDevices.bind(devices)
    devices.enumerateDevices = async () =>
      (await list()).map(({ kind, deviceId, label, groupId }) => ({
        kind, deviceId, label, groupId: deviceId === 'default' ? 'headset' : groupId,
      }))
    devices.dispatchEvent(new Event('devicechange'))
  })()`)
  await expect.poll(opened).toBe(3)
  await expect.poll(() => openMicrophones(page)).toBe(1)

  await expect(status).toHaveText('Speaking')
  await page.keyboard.press('m')
  await expect.poll(() => openMicrophones(page)).toBe(0)
  await talk.getByRole('button', { name: 'Skip reply' }).click()
  await expect(status).toHaveText('Muted')
  await expect(talk.getByRole('button', { name: 'Skip reply' })).toBeDisabled()
  await talk.getByRole('button', { name: 'Close' }).click()
  await expect(talk).toHaveCount(0)
})

test(
  'what fails is said, what is said offline is kept, and a lost microphone is opened anew',
  onlyInAll,
  async ({ visit }) => {
    const { api } = testApp.admin
    const page = await visit(testApp, testApp.admin)
    const talk = page.getByRole('dialog', { name: 'Voice conversation' })
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Talk' })).toBeVisible()
    // As in a browser that takes no echoes away.
    await watch(page, false)
    const spoken = async () => (await phases(page)).filter((phase) => phase === 'Speaking').length
    testApp.provider.control({ fault: 'status-400', times: 1 })
    await page.getByRole('button', { name: 'Talk' }).click()
    await expect(talk.getByText('That didn’t work.')).toBeVisible()
    await expect(talk.getByText('Echo cancellation isn’t available')).toBeVisible()
    await expect.poll(spoken, { intervals: [50] }).toBe(1)

    await page.context().setOffline(true)
    await expect(talk.getByText('What you said is kept')).toBeVisible()
    await page.evaluate(`window.microphones.at(-1).dispatchEvent(new Event('ended'))`)
    await expect.poll(() => page.evaluate('window.microphones.length')).toBe(2)
    await expect.poll(() => openMicrophones(page)).toBe(1)
    await page.context().setOffline(false)
    await expect.poll(spoken).toBeGreaterThan(1)
    await expect(talk.getByText('What you said is kept')).toHaveCount(0)
    await page.goBack()
    await expect(talk).toHaveCount(0)
    await expect.poll(() => openMicrophones(page)).toBe(0)

    await api.call(speechRoutes.updateAccess, { params: { feature: 'voice-mode' }, body: { mode: 'off' } })
    await page.reload()
    await expect(page.getByRole('button', { name: 'Dictate' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Talk' })).toHaveCount(0)
  },
)

test('on a phone, from right to left, it fits, and is spoken to under a button', onlyInAll, async ({ visit }) => {
  const { api } = testApp.admin
  await api.call(speechRoutes.updateAccess, { params: { feature: 'voice-mode' }, body: { mode: 'all-users' } })
  await api.call(settingsRoutes.update, { body: { language: 'ar' } })
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto('/')
  await page.getByRole('button', { name: 'التحدث' }).click()
  const talk = page.getByRole('dialog', { name: 'محادثة صوتية' })
  await talk.getByRole('button', { name: 'الضغط للتحدث' }).click()
  const hold = talk.getByRole('button', { name: 'اضغط مطولًا للتحدث' })
  await hold.focus()
  await page.keyboard.down('Space')
  await expect(talk.getByRole('status')).toHaveText('أستمع')
  await look(page, 'voice-mode-phone')
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.keyboard.up('Space')
  await expect(talk.getByRole('status')).not.toHaveText('أستمع')
  await talk.getByRole('button', { name: 'إغلاق' }).click()
  await expect(talk).toHaveCount(0)
})

/** Of a WAV of 16 bits and one channel. */
function measure(wav: Buffer): { seconds: number; loudness: number } {
  const count = (wav.length - 44) / 2
  let sum = 0
  for (let at = 0; at < count; at += 1) sum += (wav.readInt16LE(44 + at * 2) / 32_768) ** 2
  return { seconds: count / sampleRate, loudness: Math.sqrt(sum / count) }
}
