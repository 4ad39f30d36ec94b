/** What the service worker does with push messages, and the page that turns push on and off. */
import { createECDH, randomBytes } from 'node:crypto'
import { pushRoutes } from '@atrium/contract/push'
import type { CDPSession, Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })
// A name of this machine, so that the worker is controlled as on every other server.
const options = () => ({ serviceWorkers: 'allow' as const })

test('the worker shows what was pushed, and a click goes there in the page that is open', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin, options())
  await page.goto('/settings/about')
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  const context = page.context()
  // The page may know of it a moment earlier.
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  // The headless shell denies notifications, so that showing alone is replaced.
  await worker.evaluate(`{
    self.shown = []
    self.registration.showNotification = async (title, options) => void self.shown.push({ title, ...options })
  }`)
  const push = await openPush(page)
  const message = {
    title: 'Ben shared “Plans”',
    body: 'with you',
    href: '/settings/push',
    tag: 'n1',
    at: 1,
    lang: 'en',
    dir: 'ltr',
  }
  await push(JSON.stringify(message))
  await push('no JSON at all')
  const shown = () => worker.evaluate('self.shown')
  await expect.poll(shown).toEqual([
    expect.objectContaining({
      title: message.title,
      body: 'with you',
      tag: 'n1',
      lang: 'en',
      dir: 'ltr',
      data: '/settings/push',
      timestamp: 1,
    }),
    expect.objectContaining({ title: 'Atrium', body: '' }),
  ])
  // As the browser tells of a click; where it leads stays in this app, whatever it says.
  const click = (href: string) =>
    worker.evaluate(`{
      const event = new ExtendableEvent('notificationclick')
      event.notification = { close() {}, data: ${JSON.stringify(href)} }
      // One that no browser made may not be waited for.
      Object.defineProperty(event, 'waitUntil', { value: () => undefined })
      self.dispatchEvent(event)
    }`)
  await click('/settings/push')
  await expect(page).toHaveURL(/\/settings\/push$/)
  expect(page.context().pages()).toHaveLength(1)
  await click('https://elsewhere.example/x')
  await expect(page).not.toHaveURL(/settings|elsewhere/)
})

test('a browser says what stands in the way of push, and lists those that take it', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const curve = createECDH('prime256v1')
  await testApp.admin.api.call(pushRoutes.subscribe, {
    body: {
      endpoint: `https://push.example.org/${randomBytes(8).toString('hex')}`,
      keys: { p256dh: curve.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') },
    },
  })
  await page.goto('/settings/push')
  const toggle = page.getByRole('switch', { name: 'Push in this browser' })
  await expect(toggle).toBeDisabled()
  await expect(page.getByText('This browser blocks notifications from Atrium.')).toBeVisible()
  const devices = page.getByRole('listitem').filter({ hasText: 'This session' })
  await expect(devices).toHaveCount(1)
  await look(page, 'push', { themes: ['light', 'dark'] })
  await page.getByRole('button', { name: /^Remove / }).click()
  await expect(page.getByText('No browser receives push yet.')).toBeVisible()
})

/** Delivers to the worker of the page as the browser would, which opens the message for it. */
async function openPush(page: Page): Promise<(data: string) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const { promise, resolve } = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [first] = registrations
    if (first) resolve(first.registrationId)
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await promise
  const { origin } = new URL(page.url())
  return (data) =>
    session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data }).then(() => undefined)
}
