/** Passkeys: added on a device, used instead of a password, refused when copied, removed. */
import { accountsRoutes } from '@atrium/contract/accounts'
import type { Page } from '@playwright/test'
import { oneTimeCode } from '../../server/src/testing/one-time-code.ts'
import { addDevice, type Device } from '../harness/authenticator.ts'
import { openTestApp, password } from '../harness/test-app.ts'
import { expect, onlyInAll, test } from '../harness/test.ts'

const testApp = openTestApp()
/** Browsers know no passkeys on addresses of numbers. */
const home = () => ({ baseURL: testApp.url.replace('127.0.0.1', 'localhost') })

const section = (page: Page) => page.locator('#passkeys')
const signedIn = (page: Page) => expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
const withPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

async function add(page: Page, name: string): Promise<void> {
  await page.goto('/settings/security')
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await expect(dialog.getByLabel('Name')).toHaveValue(/Chrom/)
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(section(page).getByRole('listitem').filter({ hasText: name })).toBeVisible()
}

/**
 * Signs in by the button. The device answers from the click on and not before, because it would answer the offer in the
 * field of the name as well; what it is asked before it answers waits for ever, so the question is held back until then.
 */
async function signInByButton(page: Page, device: Device): Promise<void> {
  const { promise: answering, resolve: answers } = Promise.withResolvers<void>()
  await page.route('**/api/auth/passkeys/login-options', (route) => answering.then(() => route.continue()))
  await withPasskey(page).click()
  await device.answers(true)
  answers()
}

/** Until the offer in the field of the name was made: one that comes later would be answered beside the button. */
async function signOut(page: Page, name: string): Promise<void> {
  const offered = page.waitForResponse('**/api/auth/passkeys/login-options', { timeout: 120_000 })
  await page.getByRole('button', { name: `Account: ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Atrium' })).toBeVisible()
  await offered
}

test('a passkey is added, signs in by its button and from the field of the name, is renamed and removed', async ({
  visit,
}) => {
  const ben = await testApp.account('ben')
  const page = await visit(testApp, ben, home())
  const device = await addDevice(page)
  await add(page, 'Laptop of Ben')
  await device.answers(false)
  await signOut(page, 'ben')

  await signInByButton(page, device)
  await signedIn(page)
  await page.goto('/settings/security')
  await expect(page.locator('#sessions').getByRole('listitem').filter({ hasText: 'This session' })).toContainText(
    'Passkey',
  )

  // The browser offers it in the field of the name, and the person takes it there, without the button.
  await device.answers(false)
  await signOut(page, 'ben')
  await expect(withPasskey(page)).toBeVisible()
  await device.answers(true)
  await page.reload()
  await signedIn(page)

  await page.goto('/settings/security')
  const row = section(page).getByRole('listitem')
  await expect(row).toContainText('Last used')
  await row.getByRole('button', { name: 'Rename Laptop of Ben' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Old laptop')

  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('This device already has a passkey here.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

  await row.getByRole('button', { name: 'Remove Old laptop' }).click()
  await page.getByRole('dialog', { name: 'Remove Old laptop?' }).getByRole('button', { name: 'Remove' }).click()
  await expect(section(page)).toContainText('None yet.')
})

test(
  'where codes are on, a code is asked for, and not because the sign-in was long ago',
  onlyInAll,
  async ({ visit }) => {
    const cora = await testApp.account('cora')
    const { secret } = await cora.api.call(accountsRoutes.enrollMfa, {})
    await cora.api.call(accountsRoutes.activateMfa, { body: { code: oneTimeCode(secret, Date.now()) } })
    const page = await visit(testApp, cora, home())
    await page.goto('/settings/security')
    await section(page).getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog.getByLabel('Code', { exact: true })).toBeVisible()
    await expect(dialog).toContainText('Enter a code to add a passkey.')
  },
)

test('a copy of a passkey, which counts backwards, is refused and marked', onlyInAll, async ({ visit }) => {
  const cleo = await testApp.account('cleo')
  const page = await visit(testApp, cleo, home())
  const device = await addDevice(page)
  await add(page, 'Key of Cleo')
  await device.answers(false)
  await signOut(page, 'cleo')
  await signInByButton(page, device)
  await signedIn(page)
  await device.answers(false)
  await signOut(page, 'cleo')

  const [credential] = await device.credentials()
  await device.rewind(credential?.credentialId ?? '', 0)
  await signInByButton(page, device)
  await expect(page.getByRole('alert')).toContainText('This passkey wasn’t accepted.')

  await device.clear()
  await page.getByLabel('User name').fill('cleo')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await signedIn(page)
  await page.goto('/settings/security')
  await expect(section(page).getByRole('listitem')).toContainText('Blocked')
})

test(
  'a session that ended is regained with the passkey over the page, and what was typed stays',
  onlyInAll,
  async ({ visit }) => {
    const dora = await testApp.account('dora')
    const page = await visit(testApp, dora, home())
    const device = await addDevice(page)
    await add(page, 'Key of Dora')
    await page.goto('/')
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('Half a thought')
    await device.answers(false)
    const { items } = await dora.api.call(accountsRoutes.sessions, {})
    const own = items.find((session) => session.current)
    await dora.api.call(accountsRoutes.revokeSession, { params: { id: own?.id ?? '' } })

    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await signInByButton(page, device)
    await expect(dialog).toBeHidden()
    await expect(box).toHaveValue('Half a thought')
  },
)

test('where browsers know no passkeys, the page says so', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/security')
  await expect(section(page)).toContainText('Passkeys need https and a host name')
  await expect(section(page).getByRole('button', { name: 'Add a passkey' })).toBeDisabled()
})
