/** The second factor: set up, asked for, lost, required. */
import { accountsRoutes } from '@atrium/contract/accounts'
import type { Locator, Page } from '@playwright/test'
import { oneTimeCode } from '../../server/src/testing/one-time-code.ts'
import { type Account, openTestApp, password } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, onlyInAll, test } from '../harness/test.ts'

const testApp = openTestApp()
const stepMs = 30_000

/** The app of one person: each code it shows is later than the one before, as the server wants it. */
function authenticator(secret: string, shownBefore = 0) {
  let last = shownBefore
  return {
    async code(): Promise<string> {
      // The server takes the code of the next step as well, for clocks that go ahead.
      while (Math.floor(Date.now() / stepMs) + 1 <= last) await new Promise((resolve) => setTimeout(resolve, 500))
      last = Math.max(Math.floor(Date.now() / stepMs), last + 1)
      return oneTimeCode(secret, last * stepMs)
    },
  }
}

/** Turns one-time codes on without a page. */
async function turnOn({ api }: Account) {
  const { secret } = await api.call(accountsRoutes.enrollMfa, {})
  const app = authenticator(secret)
  const { recoveryCodes } = await api.call(accountsRoutes.activateMfa, { body: { code: await app.code() } })
  return { app, recoveryCodes }
}

async function enterPassword(page: Page | Locator, username?: string): Promise<void> {
  if (username) await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Goes on with Tab until this has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab never comes there')
}

test('is set up by keyboard alone, then asked for at sign-in; a code is refused the second time', async ({ visit }) => {
  const page = await visit(testApp, await testApp.account('ben'))
  await page.goto('/settings/security')
  await tabTo(page, page.getByRole('button', { name: 'Set up' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const secret = (await dialog.locator('code').innerText()).replace(/\s/g, '')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  await expect(dialog.getByLabel('Code from the app')).toBeFocused()
  await look(page, 'second-factor-set-up')
  await page.keyboard.type('000000')
  await expect(dialog.getByRole('alert')).toContainText('wrong')
  await expect(dialog.getByLabel('Code from the app')).toBeFocused()
  const app = authenticator(secret)
  const first = await app.code()
  await page.keyboard.type(first)

  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  // An Enter that was meant for the code does nothing here.
  await expect(codes.getByRole('list', { name: 'Recovery codes' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(codes).toBeVisible()
  await expect(codes.getByRole('button', { name: 'Done' })).toBeDisabled()
  await look(page, 'second-factor-codes')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('Recovery codes for Atrium at')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Security' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await tabTo(page, codes.getByRole('checkbox', { name: 'I’ve saved them' }))
  await page.keyboard.press('Space')
  await tabTo(page, codes.getByRole('button', { name: 'Done' }))
  await page.keyboard.press('Enter')
  await expect(codes).toBeHidden()
  await expect(page.getByText('10 left.')).toBeVisible()
  await look(page, 'second-factor-on')

  const guest = await visit(testApp, null, { colorScheme: 'dark' })
  await guest.goto('/settings/appearance')
  await enterPassword(guest, 'ben')
  const box = guest.getByLabel('Code', { exact: true })
  await expect(box).toBeFocused()
  await expect(box).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(box).toHaveAttribute('inputmode', 'numeric')
  await look(guest, 'sign-in-code', { themes: ['dark'] })
  await guest.keyboard.type(first)
  await expect(guest.getByRole('alert')).toContainText('already been used')
  await expect(box).toBeFocused()
  // As it is copied from the app; the sixth digit sends it.
  const code = await app.code()
  await box.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await expect(guest).toHaveURL('/settings/appearance')
})

test('a recovery code lets in once, and the way back leads to the password', async ({ visit }) => {
  const { recoveryCodes } = await turnOn(await testApp.account('cleo'))
  const page = await visit(testApp, null)
  await page.goto('/sign-in')
  await enterPassword(page, 'cleo')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('User name')).toBeVisible()
  await enterPassword(page, 'cleo')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill((recoveryCodes[0] ?? '').toLowerCase())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await page.goto('/settings/security')
  await expect(page.getByText('9 left.')).toBeVisible()
})

test(
  'a session that ended is regained with a code, over the page, and the draft stays',
  onlyInAll,
  async ({ visit }) => {
    const dora = await testApp.account('dora')
    const { app } = await turnOn(dora)
    const page = await visit(testApp, dora)
    await page.goto('/')
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('A question that took long to write')
    const { items } = await dora.api.call(accountsRoutes.sessions, {})
    await dora.api.call(accountsRoutes.revokeSession, {
      params: { id: items.find(({ current }) => current)?.id ?? '' },
    })

    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await enterPassword(dialog)
    await expect(dialog.getByLabel('Code', { exact: true })).toBeFocused()
    await page.keyboard.type(await app.code())
    await expect(dialog).toBeHidden()
    await expect(box).toHaveValue('A question that took long to write')
  },
)

test('new recovery codes and turning it off cost a code', async ({ visit }) => {
  const eve = await testApp.account('eve')
  const { app, recoveryCodes } = await turnOn(eve)
  const page = await visit(testApp, eve)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await page
    .getByRole('dialog')
    .getByLabel('Code', { exact: true })
    .fill(await app.code())
  const shown = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  const renewed = await shown.getByRole('listitem').allInnerTexts()
  expect(renewed.filter((code) => recoveryCodes.includes(code))).toEqual([])
  await shown.getByRole('checkbox', { name: 'I’ve saved them' }).check()
  await shown.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Turn off' }).click()
  const off = page.getByRole('dialog', { name: 'Turn off the authenticator app?' })
  await off.getByRole('button', { name: 'Use a recovery code' }).click()
  await off.getByLabel('Recovery code').fill(renewed[0] ?? '')
  await off.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
  expect(await eve.api.call(accountsRoutes.mfa, {})).toMatchObject({ totpEnabled: false })
})

test('once it is required, the next sign-in sets it up first, and open sessions are told', async ({ visit }) => {
  const fay = await testApp.account('fay')
  const admin = await visit(testApp, testApp.admin)
  await admin.goto('/settings/sign-in')
  const policy = admin.getByRole('switch', { name: 'Require a second factor' })
  await policy.click()
  await expect(policy).toBeChecked()
  await look(admin, 'second-factor-policy')

  const open = await visit(testApp, fay, { viewport: { width: 390, height: 844 } })
  await open.goto('/settings/security')
  await expect(open.getByText('This server requires a second factor.')).toBeVisible()
  await look(open, 'second-factor-missing')

  const page = await visit(testApp, null, { viewport: { width: 390, height: 844 } })
  await page.goto('/sign-in')
  await enterPassword(page, 'fay')
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const secret = (await page.locator('code').innerText()).replace(/\s/g, '')
  await look(page, 'sign-in-set-up', { themes: ['light'] })
  await page.getByLabel('Code from the app').fill(await authenticator(secret).code())
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
  await look(page, 'sign-in-codes', { themes: ['light'] })
  await page.getByRole('checkbox', { name: 'I’ve saved them' }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await page.goto('/settings/security')
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeDisabled()
  await policy.click()
  await expect(policy).not.toBeChecked()
})

test.describe('where the environment requires it', () => {
  const strict = openTestApp({ empty: true, runtime: false, environment: { MFA_REQUIRED_MODE: 'required' } })

  test('the very first account sets it up before anything else, and the policy cannot be changed', async ({
    visit,
  }) => {
    const page = await visit(strict, null)
    await page.goto('/')
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
    const secret = (await page.locator('code').innerText()).replace(/\s/g, '')
    await page.getByLabel('Code from the app').fill(await authenticator(secret).code())
    await expect(page.getByRole('listitem')).toHaveCount(10)
    await page.getByRole('checkbox', { name: 'I’ve saved them' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { name: 'Connect a model' })).toBeVisible()
    await page.goto('/settings/sign-in')
    await expect(page.getByRole('switch', { name: 'Require a second factor' })).toBeDisabled()
    await expect(page.getByText('Set by MFA_REQUIRED_MODE')).toBeVisible()
  })
})
