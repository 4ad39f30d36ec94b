/** Sessions: the end of one that lies unused, news of others, how long they last; and the key of the instance. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import type { Page } from '@playwright/test'
import { openTestApp, password } from '../harness/test-app.ts'
import { expect, onlyInAll, test } from '../harness/test.ts'

const testApp = openTestApp({ main: 'e2e/harness/later.ts' })
const sessions = (page: Page) => page.locator('#sessions')

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
}

test('open pages hear of a sign-in elsewhere, see by which device and how, and can end it', async ({ visit }) => {
  const ben = await testApp.account('ben')
  const page = await visit(testApp, ben)
  await page.goto('/')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  const other = await visit(testApp, null)
  await signIn(other, 'ben')

  const news = page.getByRole('region', { name: 'Notifications' })
  await expect(news).toContainText(/New sign-in to your account: Chrome · /)
  await expect(other.getByRole('region', { name: 'Notifications' })).not.toContainText('new sign-in')
  await news.getByRole('button', { name: 'Review', exact: true }).click()
  await expect(page).toHaveURL(/\/settings\/security/)
  await expect(sessions(page).getByRole('listitem').first()).toContainText('Password')
  const elsewhere = sessions(page).getByRole('listitem').filter({ hasNotText: 'This session' })
  await elsewhere
    .getByRole('button', { name: /Sign out Chrome/ })
    .first()
    .click()
  await expect(other.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()
})

test('administrators set how long sessions last, and are told what cannot be', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/sign-in')
  const idle = page.getByRole('textbox', { name: 'Sign out after inactivity' })
  await expect(idle).toHaveValue('336')
  await idle.fill('0')
  await expect(page.getByText('Enter a whole number from 1 to 87600')).toBeVisible()
  await idle.fill('1')
  await idle.press('Enter')
  await expect
    .poll(async () => (await testApp.admin.api.call(accountsRoutes.sessionPolicy, {})).idleHours.value)
    .toBe(1)
  await page.reload()
  await expect(idle).toHaveValue('1')
})

test('the key of the instance is shown once, after a proof, and is the one in the file', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/instance')
  await page.getByRole('button', { name: 'Show key' }).click()
  const proof = page.getByRole('dialog', { name: 'Show the key?' })
  await proof.getByLabel('Password', { exact: true }).fill('not the password')
  await proof.getByRole('button', { name: 'Show key' }).click()
  await expect(proof).toContainText(/password is wrong/i)
  await proof.getByLabel('Password', { exact: true }).fill(password)
  await proof.getByRole('button', { name: 'Show key' }).click()
  const shown = page.getByRole('dialog', { name: 'Encryption key' })
  const key = (await readFile(join(testApp.atrium.dataDir, 'encryption.key'), 'utf8')).trim()
  await expect(shown).toContainText(key)
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.locator('#encryptionKey')).toContainText('It was shown here on')
  await expect(page.getByRole('button', { name: 'Show key' })).toHaveCount(0)
  await expect(page.getByText(key)).toHaveCount(0)
})

test(
  'a session that lay unused for too long is regained in place, and what was typed is sent',
  onlyInAll,
  async ({ visit }) => {
    const cleo = await testApp.account('cleo')
    await testApp.admin.api.call(accountsRoutes.updateSessionPolicy, { body: { idleHours: 1 } })
    const page = await visit(testApp, cleo)
    await page.goto('/')
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('Written before lunch')
    await expect(page.getByRole('button', { name: /^Model: / })).toBeVisible()

    process.kill(testApp.atrium.pid, 'SIGUSR2')
    await page.getByRole('button', { name: 'Send' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('article').last()).toContainText('You said: Written before lunch')
  },
)
