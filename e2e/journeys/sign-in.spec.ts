/** The door: who comes in, who does not, and what stays when a session ends. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { settingsRoutes } from '@atrium/contract/settings'
import { makeChat, openTestApp, password } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, onlyInAll, test } from '../harness/test.ts'

const testApp = openTestApp()

test('a wrong password is told in words, the right one leads to where one wanted to go, and out again', async ({
  visit,
}) => {
  const page = await visit(testApp, null)
  await page.goto('/settings/appearance')
  await expect(page).toHaveURL(/^[^?]+\/sign-in\?next=/)
  await page.getByLabel('User name').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText(/password/i)
  await expect(page.getByLabel('User name')).toHaveValue('ann')
  await look(page, 'sign-in-refused', { themes: ['light'] })

  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/settings/appearance')
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()

  await page.getByRole('button', { name: 'Account: ann' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Atrium' })).toBeVisible()
  await page.goto('/')
  await expect(page).toHaveURL('/sign-in')
})

test('a session that was ended elsewhere is regained over the page, and what was typed stays and can be sent', async ({
  visit,
}) => {
  const ben = await testApp.account('ben')
  const page = await visit(testApp, ben)
  await page.goto('/')
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('A question that took long to write')

  const { items } = await ben.api.call(accountsRoutes.sessions, {})
  const own = items.find((session) => session.current)
  await ben.api.call(accountsRoutes.revokeSession, { params: { id: own?.id ?? '' } })

  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByLabel('User name')).toHaveValue('ben')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog).toBeHidden()
  await expect(box).toHaveValue('A question that took long to write')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('article').last()).toContainText('You said: A question that took long to write')
})

test('one account sees nothing of another, not even by a link', onlyInAll, async ({ visit }) => {
  const chatId = await makeChat(testApp.admin, { title: 'Ann’s own matter', messages: ['What is private?'] })
  const cleo = await testApp.account('cleo')
  const page = await visit(testApp, cleo)
  await page.goto('/')
  await expect(page.getByRole('complementary', { name: 'Chats' })).toContainText('No chats yet')
  await page.goto(`/chats/${chatId}`)
  await expect(page.getByRole('heading', { name: 'Chat not found' })).toBeVisible()
  await expect(page.getByText('private')).toHaveCount(0)
  await page.goto('/settings/people')
  await expect(page.getByText('This section doesn’t exist, or you don’t have access to it.')).toBeVisible()
})

test('an account that asks for itself waits until an administrator approves it', async ({ visit }) => {
  const closed = { body: { signupEnabled: false } }
  await testApp.admin.api.call(settingsRoutes.updateInstance, closed)
  const page = await visit(testApp, null)
  await page.goto('/sign-in')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create one' })).toHaveCount(0)
  await page.goto('/sign-up')
  await expect(page.getByRole('heading', { name: 'Sign-up is closed' })).toBeVisible()

  await testApp.admin.api.call(settingsRoutes.updateInstance, { body: { signupEnabled: true } })
  await page.goto('/sign-in')
  await expect(page.getByRole('link', { name: 'Create one' })).toBeVisible()
  await look(page, 'sign-in')
  // Guests see the theme of their system from loading on.
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await expect(page.getByRole('link', { name: 'Create one' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('link', { name: 'Create one' }).click()
  await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible()
  await look(page, 'sign-up')
  await page.getByLabel('User name').fill('dora')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Almost there' })).toBeVisible()

  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('User name').fill('dora')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText(/approv/i)

  const admin = await visit(testApp, testApp.admin)
  await admin.goto('/settings/people')
  await admin.getByRole('listitem').filter({ hasText: 'dora' }).getByRole('button', { name: 'Approve' }).click()
  await expect(admin.getByRole('row').filter({ hasText: 'dora' })).toBeVisible()

  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
})
