/** The settings: how it looks, where answers come from, who may in. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { connectionsRoutes } from '@atrium/contract/connections'
import { settingsRoutes } from '@atrium/contract/settings'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { createClient } from '../../server/src/testing/client.ts'
import { watchFor } from '../harness/notices.ts'
import { openTestApp, password } from '../harness/test-app.ts'
import { saved } from '../harness/talk.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp()

test('each way to look takes effect at once and stays after a reload', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin, { colorScheme: 'dark' })
  const html = page.locator('html')
  await page.goto('/settings/appearance')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  const theme = page.getByRole('group', { name: 'Theme' })
  const told = await watchFor(page, 'Saved')
  await theme.getByRole('radio', { name: 'Light' }).check()
  await expect(html).toHaveAttribute('data-theme', 'light')
  await told()
  await page.reload()
  await expect(html).toHaveAttribute('data-theme', 'light')
  await theme.getByRole('radio', { name: 'High contrast' }).check()
  await expect(html).toHaveAttribute('data-theme', 'contrast')
  await page.getByRole('radio', { name: 'Compact' }).check()
  await expect(html).toHaveAttribute('data-density', 'compact')
  await page.getByRole('radio', { name: 'Indigo' }).check()
  await expect(html).toHaveAttribute('data-accent', 'indigo')
  await page.getByRole('radio', { name: 'Normal' }).first().check()
  await page.getByRole('radio', { name: 'Verdigris' }).check()
  await theme.getByRole('radio', { name: 'System' }).check()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.emulateMedia({ contrast: 'more' })
  await expect(html).toHaveAttribute('data-theme', 'contrast-light')
})

test('another language changes every word and mirrors the page, and back', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const html = page.locator('html')
  await page.goto('/settings/appearance')
  const rail = page.getByRole('navigation', { name: 'Main navigation' })
  const before = await rail.boundingBox()
  expect(before?.x).toBe(0)

  const kept = saved(page, '/api/preferences')
  await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'العربية' })
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(html).toHaveAttribute('lang', 'ar')
  await expect(page.getByRole('heading', { name: 'المظهر' })).toBeVisible()
  const mirrored = await page.getByRole('navigation', { name: 'الأقسام' }).boundingBox()
  expect((mirrored?.x ?? 0) + (mirrored?.width ?? 0)).toBe(1440)

  await kept
  await page.reload()
  await expect(html).toHaveAttribute('dir', 'rtl')
  await page.getByRole('combobox', { name: 'اللغة' }).selectOption({ label: 'English' })
  await expect(html).toHaveAttribute('dir', 'ltr')
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()
})

test('a setting is found by another word for it, and shown', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings')
  const search = page.getByRole('searchbox', { name: 'Search settings' })
  await search.fill('creativity')
  await search.press('Enter')
  await expect(page).toHaveURL('/settings/chat#temperature')
  await expect(page.getByRole('textbox', { name: 'Temperature' })).toBeInViewport()
})

test('a shortcut can be moved to other keys, says when they are taken, and can be set back', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/shortcuts')
  const keys = page.getByRole('button', { name: /^Keyboard shortcuts: .*Change$/ }).first()
  await keys.click()
  await page.keyboard.press('Control+Shift+O')
  await expect(page.getByText('Also used by: New chat')).toBeVisible()
  await keys.click()
  const saved = page.waitForResponse((answer) => /Alt\+J/.test(answer.request().postData() ?? ''))
  await page.keyboard.press('Control+Alt+J')
  await expect(page.getByText(/^Also used by/)).toHaveCount(0)
  await saved

  await page.goto('/')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await page.keyboard.press('Control+Alt+J')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/settings/shortcuts')
  await page.getByRole('button', { name: 'Reset all' }).click()
  await expect(page.getByRole('button', { name: 'Reset all' })).toBeDisabled()
})

test('a connection tells in words what looking for its models gave, each of the four outcomes', async ({ visit }) => {
  const { provider } = testApp
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/connections')
  await page.getByRole('button', { name: 'Add a connection' }).click()
  provider.control({ apiKey: 'sk-right-0042' })
  await page.getByLabel('Server address').fill(`${provider.url}/v1/chat/completions`)
  await page.getByLabel('Name', { exact: true }).fill('Far away')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText(/requires an API key/)).toBeVisible()
  await page.getByLabel('API key').fill('sk-right-0042')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('“Far away” is connected.')).toBeVisible()

  const card = page.getByRole('article', { name: 'Far away' })
  await expect(card.getByText('Key saved')).toContainText('0042')
  await expect(page.getByText('sk-right')).toHaveCount(0)
  const refresh = card.getByRole('button', { name: 'Refresh models' })
  await refresh.click()
  await expect(card.getByText('Models already up to date.')).toBeVisible()
  provider.control({ extraModels: 3 })
  await refresh.click()
  await expect(card.getByText('Models updated.')).toBeVisible()
  await expect(card.getByText('3 new models')).toBeVisible()
  provider.control({ listFault: 'status-500' })
  await refresh.click()
  await expect(card.getByText('Couldn’t load models.')).toBeVisible()
  await card.getByRole('link', { name: 'Edit Far away' }).click()
  await page.getByRole('button', { name: 'Delete key' }).click()
  await page.getByRole('button', { name: 'Back to Connections' }).click()
  await refresh.click()
  await expect(card.getByText('API key needed.')).toBeVisible()
  await expect(card.getByText('8 chat models')).toBeVisible()

  provider.control({ listFault: null, extraModels: 0 })
  await card.getByRole('button', { name: 'Add key' }).click()
  await card.getByLabel('API key').fill('sk-right-0042')
  await card.getByRole('button', { name: 'Save key' }).click()
  await expect(card.getByText('3 removed')).toBeVisible()

  await card.getByRole('switch', { name: 'Use Far away' }).click()
  await expect(refresh).toBeDisabled()
  await card.getByRole('button', { name: 'Delete Far away' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(card).toHaveCount(0)
  await expect.poll(async () => (await testApp.admin.api.call(connectionsRoutes.connections, {})).items).toEqual([])
  provider.control({ apiKey: null })
})

test('changing the password ends the other sessions; a single one can be ended too', async ({ visit }) => {
  const eve = await testApp.account('eve')
  const signIn = () => createClient(testApp.url).call(accountsRoutes.login, { body: { username: 'eve', password } })
  await signIn()
  await signIn()
  const page = await visit(testApp, eve)
  await page.goto('/settings/security')
  const sessions = page.getByRole('listitem').filter({ hasText: 'Last seen' })
  await expect(sessions).toHaveCount(3)
  await sessions
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click()
  await expect(sessions).toHaveCount(2)

  await page.getByLabel('Current password').fill('not the one')
  await page.getByLabel('New password').fill('another long password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert')).toHaveText('The current password is wrong.')
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed.')).toBeVisible()
  await expect(sessions).toHaveCount(1)
  await expect(sessions).toContainText('This session')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Security' })).toBeVisible()
})

test('an administrator opens sign-up, turns people down, and switches accounts off', async ({ visit }) => {
  await testApp.admin.api.call(settingsRoutes.updateInstance, { body: { signupEnabled: false } })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/instance')
  const signup = page.getByRole('switch', { name: 'Public sign-up' })
  const opened = saved(page, settingsRoutes.updateInstance.path)
  await signup.click()
  await expect(signup).toBeChecked()
  await opened
  const guest = createClient(testApp.url)
  await guest.call(accountsRoutes.signup, { body: { username: 'fay', password } })
  await guest.call(accountsRoutes.signup, { body: { username: 'gus', password } })

  await page.getByRole('link', { name: 'People' }).click()
  const fay = page.getByRole('listitem').filter({ hasText: 'fay' })
  await page.getByRole('listitem').filter({ hasText: 'gus' }).getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('gus')).toHaveCount(0)
  await fay.getByRole('button', { name: 'Approve' }).click()
  // The rows move up when nobody waits any more.
  await expect(fay).toHaveCount(0)
  await page.getByRole('row').filter({ hasText: 'fay' }).getByRole('link', { name: 'fay' }).click()
  await page.getByRole('switch', { name: 'fay can sign in' }).click()
  await expect(page.getByText('Disabled')).toBeVisible()
  const statusOfFay = async () => {
    const { items } = await testApp.admin.api.call(userAdministrationRoutes.list, { query: {} })
    return items.find((user) => user.username === 'fay')?.status
  }
  await expect.poll(statusOfFay).toBe('disabled')
})

test('an administrator allows a private address and sets when chats are summarised', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/instance')
  const address = page.getByRole('textbox', { name: 'Allowed private addresses' })
  await address.fill('nonsense')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('alert')).toContainText('Couldn’t save.')
  await address.fill('192.168.1.20:8080')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('button', { name: 'Remove 192.168.1.20:8080' }).click()
  await expect(page.getByText('192.168.1.20:8080')).toHaveCount(0)

  const threshold = page.getByRole('textbox', { name: 'Summarise chats longer than (tokens)' })
  await threshold.fill('12')
  await threshold.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Enter a number')
  await threshold.fill('9000')
  const kept = saved(page, '/api/chat/compaction-config')
  await threshold.press('Enter')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await kept
  await page.reload()
  await expect(threshold).toHaveValue('9000')
})
