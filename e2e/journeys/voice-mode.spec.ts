/** A chat that is talked with: turns by voice, an answer that is spoken over, and a microphone that is off when it says so. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import { speechRoutes } from '@atrium/contract/speech'
import type { Page } from '@playwright/test'
import { speakEnglish } from '../../server/src/platform/voice/index.ts'
import { look } from '../harness/look.ts'
import { openTestApp, type TestApp } from '../harness/test-app.ts'
import { composer } from '../harness/talk.ts'
import { expect, onlyInAll, phone, test as base } from '../harness/test.ts'

/** The microphone hears the built-in voice, then somewhat more quiet than a turn takes to end, again and again. */
const test = base.extend<object, { launchOptions: { args?: string[] } }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'atrium-voice-'))
      const file = join(folder, 'talk.wav')
      await writeFile(file, await recordQuestion())
      await use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), `--use-file-for-fake-audio-capture=${file}`],
      })
      await rm(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
})

const rate = 16_000
const quietSeconds = 2.2

async function recordQuestion(): Promise<Buffer> {
  const spoken = await speakEnglish('When does the ferry leave?', { voice: 'slt' })
  if (!spoken) throw new Error('the built-in voice says English')
  const sound = Buffer.concat([spoken, Buffer.alloc(quietSeconds * rate * 2)])
  sound.writeUInt32LE(sound.length - 8, 4)
  sound.writeUInt32LE(sound.length - 44, 40)
  return sound
}

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
const watch = (page: Page) =>
  page.evaluate(`(() => {
    window.phases = []
    window.microphones = []
    const devices = navigator.mediaDevices
    const open = devices.getUserMedia.bind(devices)
    devices.getUserMedia = async (wishes) => {
      const stream = await open(wishes)
      window.microphones.push(...stream.getTracks())
      return stream
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
  const { api } = testApp.admin
  const page = await visit(testApp, testApp.admin)
  const talk = page.getByRole('dialog', { name: 'Voice conversation' })
  await page.goto('/')
  await page.getByRole('button', { name: 'Talk' }).click()
  await expect(talk.getByText('Voice conversations need a speech-to-text model.')).toBeVisible()
  await look(page, 'voice-mode-failed')
  await talk.getByRole('button', { name: 'Back to the chat' }).click()

  await connectSpeech(testApp)
  await page.reload()
  await composer(page).fill('not said yet')
  await expect(page.getByRole('button', { name: 'Talk' })).toBeVisible()
  await watch(page)
  await page.keyboard.press('Alt+Shift+V')
  const transcribed = () => testApp.provider.requests.filter(({ path }) => path === '/v1/audio/transcriptions')
  await expect.poll(() => phases(page), { intervals: [100] }).toContain('Speaking')
  await expect(talk.getByText(/^You said: I heard \d+ bytes\.$/)).toBeVisible()
  // The microphone goes on, and so the answer is spoken over.
  await expect.poll(async () => (await phases(page)).filter((phase) => phase === 'Transcribing…').length).toBe(2)
  await page.keyboard.press('m')
  await expect(talk.getByRole('button', { name: 'Mute' })).toHaveAttribute('aria-pressed', 'true')
  expect(await openMicrophones(page)).toBe(0)
  const seen = await phases(page)
  const turn = ['Listening', 'Transcribing…', 'Thinking…', 'Speaking', 'Listening', 'Transcribing…']
  expect(seen.filter((phase) => phase !== 'Starting the microphone…').slice(0, 6)).toEqual(turn)

  const [first] = transcribed()
  const sent = (first?.body as { file: { bytes: Buffer } } | undefined)?.file.bytes ?? Buffer.alloc(44)
  const { seconds, loudness } = measure(sent)
  expect(sent.readUInt32LE(24)).toBe(rate)
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
  expect(await openMicrophones(page)).toBe(0)
  await expect(
    page
      .getByRole('article')
      .filter({ hasText: /^.*I heard \d+ bytes\./ })
      .first(),
  ).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(4)

  await api.call(speechRoutes.updateAccess, { params: { feature: 'voice-mode' }, body: { mode: 'off' } })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Dictate' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Talk' })).toHaveCount(0)
})

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
  return { seconds: count / rate, loudness: Math.sqrt(sum / count) }
}
