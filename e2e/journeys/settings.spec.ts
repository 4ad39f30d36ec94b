/** The settings: how it looks, where answers come from, who may in. */
import { authentication } from '@atrium/contract/authentication'
import { modelManagement } from '@atrium/contract/model-management'
import { settingsPreferences } from '@atrium/contract/settings-preferences'
import { userAdministration } from '@atrium/contract/user-administration'
import { createClient } from '../../server/src/testing/client.ts'
import { openHouse, password } from '../harness/house.ts'
import { expect, test } from '../harness/test.ts'

const house = openHouse()

test('each way to look takes effect at once and stays after a reload', async ({ visit }) => {
  const page = await visit(house, house.admin, { colorScheme: 'dark' })
  const html = page.locator('html')
  await page.goto('/settings/appearance')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  const theme = page.getByRole('group', { name: 'Theme' })
  await theme.getByRole('radio', { name: 'Light' }).check()
  await expect(html).toHaveAttribute('data-theme', 'light')
  await expect(page.getByText('Saved')).toBeVisible()
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
  await theme.getByRole('radio', { name: 'Like the system' }).check()
  await expect(html).toHaveAttribute('data-theme', 'dark')
})

test('another language changes every word and mirrors the page, and back', async ({ visit }) => {
  const page = await visit(house, house.admin)
  const html = page.locator('html')
  await page.goto('/settings/appearance')
  const rail = page.getByRole('navigation', { name: 'Areas' })
  const before = await rail.boundingBox()
  expect(before?.x).toBe(0)

  await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'العربية' })
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(html).toHaveAttribute('lang', 'ar')
  await expect(page.getByRole('heading', { name: 'المظهر' })).toBeVisible()
  const mirrored = await page.getByRole('navigation', { name: 'الأقسام' }).boundingBox()
  expect((mirrored?.x ?? 0) + (mirrored?.width ?? 0)).toBe(1440)

  await page.reload()
  await expect(html).toHaveAttribute('dir', 'rtl')
  await page.getByRole('combobox', { name: 'اللغة' }).selectOption({ label: 'English' })
  await expect(html).toHaveAttribute('dir', 'ltr')
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()
})

test('a setting is found by another word for it, and shown', async ({ visit }) => {
  const page = await visit(house, house.admin)
  await page.goto('/settings')
  const search = page.getByRole('searchbox', { name: 'Find a setting' })
  await search.fill('creativity')
  await search.press('Enter')
  await expect(page).toHaveURL('/settings/chat#temperature')
  await expect(page.getByRole('textbox', { name: 'Temperature' })).toBeInViewport()
})

test('a shortcut can be moved to other keys, says when they are taken, and can be set back', async ({ visit }) => {
  const page = await visit(house, house.admin)
  await page.goto('/settings/shortcuts')
  const keys = page.getByRole('button', { name: /^Keyboard shortcuts: .*Change$/ }).first()
  await keys.click()
  await page.keyboard.press('Control+Shift+O')
  await expect(page.getByText('Also used by: New chat')).toBeVisible()
  await keys.click()
  await page.keyboard.press('Control+Alt+J')
  await expect(page.getByText(/^Also used by/)).toHaveCount(0)

  await page.goto('/')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await page.keyboard.press('Control+Alt+J')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/settings/shortcuts')
  await page.getByRole('button', { name: 'Set all back' }).click()
  await expect(page.getByRole('button', { name: 'Set all back' })).toBeDisabled()
})

test('a connection tells in words what looking for its models gave, each of the four outcomes', async ({ visit }) => {
  const { provider } = house
  const page = await visit(house, house.admin)
  await page.goto('/settings/connections')
  await page.getByRole('button', { name: 'Add a connection' }).click()
  provider.control({ apiKey: 'sk-right-0042' })
  await page.getByLabel('Chat-completions URL').fill(`${provider.url}/v1/chat/completions`)
  await page.getByLabel('Name', { exact: true }).fill('Far away')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText(/needs an API key|asks for an API key/)).toBeVisible()
  await page.getByLabel('API key').fill('sk-right-0042')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('“Far away” is connected.')).toBeVisible()

  const card = page.getByRole('article', { name: 'Far away' })
  await expect(card.getByText('Key stored')).toContainText('0042')
  await expect(page.getByText('sk-right')).toHaveCount(0)
  const refresh = card.getByRole('button', { name: 'Refresh models' })
  await refresh.click()
  await expect(card.getByText('Catalogue already up to date.')).toBeVisible()
  provider.control({ extraModels: 3 })
  await refresh.click()
  await expect(card.getByText('Catalogue updated.')).toBeVisible()
  await expect(card.getByText('3 new models')).toBeVisible()
  provider.control({ listFault: 'status-500' })
  await refresh.click()
  await expect(card.getByText('Catalogue could not be loaded.')).toBeVisible()
  await card.getByRole('button', { name: 'Forget key' }).click()
  await refresh.click()
  await expect(card.getByText('API key needed.')).toBeVisible()
  await expect(card.getByText('8 chat models')).toBeVisible()

  provider.control({ listFault: null, extraModels: 0 })
  await card.getByRole('button', { name: 'Add key' }).click()
  await card.getByLabel('API key').fill('sk-right-0042')
  await card.getByRole('button', { name: 'Store' }).click()
  await expect(card.getByText('3 gone')).toBeVisible()

  await card.getByRole('switch', { name: 'Use Far away' }).click()
  await expect(refresh).toBeDisabled()
  await card.getByRole('button', { name: 'Delete Far away' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(card).toHaveCount(0)
  expect((await house.admin.api.call(modelManagement.connections, {})).items).toEqual([])
  provider.control({ apiKey: null })
})

test('the local runtime downloads a model with its progress, stops a download, and deletes a model', async ({
  visit,
}) => {
  const { provider } = house
  const page = await visit(house, house.admin)
  await page.goto('/settings/connections')
  await expect(page.getByText('From environment variable OLLAMA_BASE_URL')).toBeVisible()
  await expect(page.getByText(/^Answers, version/)).toBeVisible()

  const name = page.getByLabel('Download a model')
  provider.control({ pullSteps: 400, pullStepMs: 25 })
  await name.fill('endless:7b')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const progress = page.getByRole('progressbar', { name: 'Download of endless:7b' })
  await expect.poll(() => progress.evaluate((bar: { value: number }) => bar.value)).toBeGreaterThan(0.01)

  // A download belongs to the server: the page may go and come back.
  await page.reload()
  await expect.poll(() => progress.evaluate((bar: { value: number }) => bar.value)).toBeGreaterThan(0.02)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(progress).toHaveCount(0)
  await expect.poll(() => provider.requests.findLast(({ path }) => path === '/api/pull')?.ended).toBe('aborted')

  provider.control({ pullSteps: 3, pullStepMs: 20 })
  await name.fill('small:1b')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'small:1b' })
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: 'Delete small:1b' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
})

test('changing the password ends the other sessions; a single one can be ended too', async ({ visit }) => {
  const eve = await house.account('eve')
  const signIn = async () =>
    (await createClient(house.url).call(authentication.login, { body: { username: 'eve', password } })).token
  await signIn()
  await signIn()
  const page = await visit(house, eve)
  await page.goto('/settings/security')
  const sessions = page.getByRole('listitem').filter({ hasText: 'Last seen' })
  await expect(sessions).toHaveCount(3)
  await sessions
    .getByRole('button', { name: /^End the session on/ })
    .first()
    .click()
  await expect(sessions).toHaveCount(2)

  await page.getByLabel('Current password').fill('not the one')
  await page.getByLabel('New password').fill('another long password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert')).toHaveText('The current password is wrong.')
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('The password was changed.')).toBeVisible()
  await expect(sessions).toHaveCount(1)
  await expect(sessions).toContainText('This one')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Security' })).toBeVisible()
})

test('an administrator opens sign-up, turns people down, and switches accounts off', async ({ visit }) => {
  await house.admin.api.call(settingsPreferences.updateInstance, { body: { signupEnabled: false } })
  const page = await visit(house, house.admin)
  await page.goto('/settings/instance')
  const signup = page.getByRole('switch', { name: 'Public sign-up' })
  await signup.click()
  await expect(signup).toBeChecked()
  const guest = createClient(house.url)
  await guest.call(authentication.signup, { body: { username: 'fay', password } })
  await guest.call(authentication.signup, { body: { username: 'gus', password } })

  await page.getByRole('link', { name: 'People' }).click()
  const fay = page.getByRole('listitem').filter({ hasText: 'fay' })
  await page.getByRole('listitem').filter({ hasText: 'gus' }).getByRole('button', { name: 'Turn down' }).click()
  await expect(page.getByText('gus')).toHaveCount(0)
  await fay.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('switch', { name: 'fay may sign in' }).click()
  await expect(fay).toContainText('Disabled')
  const { items } = await house.admin.api.call(userAdministration.list, { query: {} })
  expect(items.find((user) => user.username === 'fay')?.status).toBe('disabled')
})

test('an administrator allows a private address and sets when chats are summarised', async ({ visit }) => {
  const page = await visit(house, house.admin)
  await page.goto('/settings/instance')
  const address = page.getByRole('textbox', { name: 'Private addresses that may be called' })
  await address.fill('nonsense')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('alert')).toContainText('Not saved.')
  await address.fill('192.168.1.20:8080')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('button', { name: 'Stop allowing 192.168.1.20:8080' }).click()
  await expect(page.getByText('192.168.1.20:8080')).toHaveCount(0)

  const threshold = page.getByRole('textbox', { name: 'Summarise beyond so many tokens' })
  await threshold.fill('12')
  await threshold.press('Enter')
  await expect(page.getByRole('alert')).toContainText('A number is needed here')
  await threshold.fill('9000')
  await threshold.press('Enter')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.reload()
  await expect(threshold).toHaveValue('9000')
})
