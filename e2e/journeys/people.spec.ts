/** People: found, made, let in, changed, and deleted with a preview of what goes. */
import { accessRoutes } from '@atrium/contract/access'
import { accountsRoutes } from '@atrium/contract/accounts'
import { apiTokensRoutes } from '@atrium/contract/api-tokens'
import { groupsRoutes } from '@atrium/contract/groups'
import { settingsRoutes } from '@atrium/contract/settings'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { createClient } from '../../server/src/testing/client.ts'
import { makeChat, openTestApp, password } from '../harness/test-app.ts'
import { followsAccount } from '../harness/live.ts'
import { look } from '../harness/look.ts'
import { notice } from '../harness/notices.ts'
import { saved } from '../harness/talk.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

test('whoever asks for an account is told of at once, and let in', async ({ visit }) => {
  await testApp.admin.api.call(settingsRoutes.updateInstance, { body: { signupEnabled: true } })
  const page = await visit(testApp, testApp.admin)
  const listening = followsAccount(page)
  await page.goto('/')
  await listening
  await createClient(testApp.url).call(accountsRoutes.signup, { body: { username: 'wanda', password } })
  await notice(page, 'Somebody requested an account').getByRole('button', { name: 'Review', exact: true }).click()
  await expect(page).toHaveURL('/settings/people')
  await expect(page.getByRole('link', { name: /People.*1 person is waiting/ })).toBeVisible()
  await look(page, 'people-waiting')
  await page.getByRole('button', { name: 'Approve wanda' }).click()
  await expect(page.getByText('No requests.')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'wanda' })).toContainText('Password')
  await expect(page.getByRole('link', { name: /person is waiting/ })).toHaveCount(0)
})

test('a person is made with a link to choose a password, by keys alone', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/people')
  await page.getByRole('button', { name: 'Add a person' }).press('Enter')
  await expect(page.getByRole('textbox', { name: /User name/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a user name.')).toBeVisible()
  await page.keyboard.type('nina')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Nina Simone')
  await look(page, 'people-add', { themes: ['dark'] })
  await page.keyboard.press('Enter')
  const link = page.getByRole('dialog', { name: 'Link for Nina Simone' })
  await expect(link.locator('code')).toContainText(testApp.url)
  const address = await link.locator('code').innerText()
  await link.getByRole('button', { name: 'I have copied it' }).press('Enter')
  await expect(page.getByRole('row').filter({ hasText: 'Nina Simone' })).toContainText('No way to sign in')

  const guest = await visit(testApp, null)
  await guest.goto(address)
  await guest
    .getByLabel(/password/i)
    .first()
    .fill(password)
  await guest.keyboard.press('Enter')
  await expect(async () => {
    await createClient(testApp.url).call(accountsRoutes.login, { body: { username: 'nina', password } })
  }).toPass()
})

test('many people are imported from a table, after a look at what is wrong with it', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/people')
  await page.getByRole('button', { name: 'Import people from CSV' }).click()
  const window = page.getByRole('dialog', { name: 'Import people' })
  const table = 'User name;E-mail;Groups\nida;ida@example.org;\njon;no address;\nann;;\nkim;;\n'
  await window.locator('input[type=file]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(table),
  })
  await expect(window.getByText('4 people found. 2 lines have a problem and will be left out.')).toBeVisible()
  await expect(window.getByRole('row').filter({ hasText: 'jon' })).toContainText('E-mail address isn’t valid.')
  await expect(window.getByRole('row').filter({ hasText: 'ann' })).toContainText('User name is taken.')
  await look(page, 'people-import')
  await window.getByRole('button', { name: 'Create 2 accounts' }).click()
  await expect(window.getByText('2 accounts created.')).toBeVisible()
  const saved = page.waitForEvent('download')
  await window.getByRole('button', { name: 'Save links as CSV' }).click()
  expect((await saved).suggestedFilename()).toBe('links.csv')
  await window.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('row').filter({ hasText: 'kim' })).toBeVisible()
})

test('people are found, narrowed down and handled together', async ({ visit }) => {
  for (const name of ['paula', 'pedro', 'quentin']) await testApp.account(name)
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/people')
  const rows = page.locator('#accounts tbody').getByRole('row')
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('p')
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('pe')
  await expect(rows).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('nobody like that')
  await expect(page.getByText('No matching people')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('')
  await page.getByRole('checkbox', { name: 'Select paula' }).check()
  await page.getByRole('checkbox', { name: 'Select pedro' }).check()
  const bar = page.getByRole('group', { name: 'Actions for selected people' })
  await expect(bar).toContainText('2 selected')
  await look(page, 'people-bulk')
  await bar.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('Updated 2 people.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Disabled')
  await expect(rows).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all shown' }).check()
  await bar.getByRole('button', { name: 'Enable' }).click()
  await expect(page.getByText('No matching people')).toBeVisible()
})

test('an administrator who is demoted loses the pages for administrators while they are open', async ({ visit }) => {
  const second = await testApp.account('rita')
  const body = { role: 'admin' as const }
  await testApp.admin.api.call(userAdministrationRoutes.update, { params: { id: second.user.id }, body })
  const page = await visit(testApp, second)
  await page.goto('/settings/people')
  await expect(page.getByRole('heading', { name: 'Accounts' })).toBeVisible()
  const admin = await visit(testApp, testApp.admin)
  await admin.goto(`/settings/people/${second.user.id}`)
  await admin.getByRole('radio', { name: 'User' }).check()
  await expect(page.getByText('This section doesn’t exist, or you don’t have access to it.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'People' })).toHaveCount(0)
})

test('a person has a page with everything about signing in, and sessions end from there', async ({ visit }) => {
  const sam = await testApp.account('sam')
  const made = { body: { name: 'script', scopes: ['chat:read' as const] } }
  await sam.api.call(apiTokensRoutes.createToken, made)
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/people')
  await page.getByRole('row').filter({ hasText: 'sam' }).getByRole('link', { name: 'sam' }).click()
  await expect(page.getByRole('heading', { name: 'sam' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Display name' }).fill('Sam Spade')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Sam Spade' })).toBeVisible()
  await expect(page.getByText('script')).toBeVisible()
  await look(page, 'person')
  await page.getByRole('button', { name: 'Revoke script' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('script')).toHaveCount(0)
  await page
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click()
  await expect(page.getByText('Not signed in anywhere.')).toBeVisible()
  expect((await sam.api.answer(accountsRoutes.me, {})).status).toBe(401)
})

test('features are for groups, taken and given at once, and the page of a person says what they can use and why', async ({
  visit,
}) => {
  const nora = await testApp.account('nora')
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/features')
  await expect(page.getByText('To limit a feature to some people, create a group first.')).toBeVisible()
  const { id: groupId } = await testApp.admin.api.call(groupsRoutes.addGroup, { body: { name: 'Analysts' } })
  const { id: writersId } = await testApp.admin.api.call(groupsRoutes.addGroup, { body: { name: 'Writers' } })
  await page.reload()
  const who = page.getByRole('combobox', { name: 'Who can use it: Running code' })
  const cell = page.getByRole('checkbox', { name: 'Running code, Analysts' })
  await expect(who).toHaveValue('all-users')
  await expect(cell).not.toBeChecked()
  // Ticked by keys, it is for the group, without having been for administrators alone meanwhile.
  await cell.press('Space')
  await expect(who).toHaveValue('groups')
  await expect(cell).toBeChecked()
  // Another administrator takes the group out: the page shows it, so that no click gives it back.
  const rule = { params: { feature: 'code-interpreter' as const } }
  await testApp.admin.api.call(accessRoutes.updateFeature, {
    ...rule,
    body: { mode: 'groups', groupIds: [writersId] },
  })
  await expect(cell).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Running code, Writers' })).toBeChecked()
  await testApp.admin.api.call(groupsRoutes.removeGroup, { params: { id: writersId } })
  await page.reload()
  await expect(page.getByText('Its groups were deleted. Only administrators can use it.')).toBeVisible()
  const given = saved(page, '/api/access/features')
  await cell.click()
  await expect(cell).toBeChecked()
  await given
  await look(page, 'features', { themes: ['light', 'dark'] })

  await page.goto(`/settings/people/${nora.user.id}`)
  const features = page.getByRole('list', { name: 'Features' })
  const code = features.getByRole('listitem').filter({ hasText: 'Running code' })
  await expect(code).toContainText('Not in a group that has it')
  await testApp.admin.api.call(groupsRoutes.addMember, { params: { id: groupId, accountId: nora.user.id } })
  await page.reload()
  await expect(code).toContainText('Through Analysts')
  await expect(code).toContainText('Can use')
  await features.scrollIntoViewIfNeeded()
  await look(page, 'person-preview', { themes: ['light', 'dark'] })

  await page.setViewportSize(phone.viewport)
  await page.goto('/settings/features')
  const row = page.getByRole('group', { name: 'Running code', exact: true })
  await expect(row.getByRole('radio', { name: 'Groups' })).toBeChecked()
  const groups = page.getByRole('group', { name: 'Groups: Running code' })
  await expect(groups.getByRole('checkbox', { name: 'Analysts' })).toBeChecked()
  await look(page, 'features-phone', { themes: ['light', 'dark'] })
  const taken = saved(page, '/api/access/features')
  await groups.getByRole('checkbox', { name: 'Analysts' }).click()
  await expect(row.getByRole('radio', { name: 'Administrators' })).toBeChecked()
  await taken
  await page.goto(`/settings/people/${nora.user.id}`)
  await expect(code).toContainText('For administrators only')
  await code.scrollIntoViewIfNeeded()
  await look(page, 'person-preview-phone', { themes: ['light', 'dark'] })
})

test('an account is deleted with a preview: on a day, called off, and at once', async ({ visit }) => {
  const tom = await testApp.account('tom')
  const id = await makeChat(tom, { title: 'A matter of Tom', messages: ['One', 'Two'] })
  await tom.api.call(accessRoutes.grant, {
    body: { resourceType: 'chat', resourceId: id, principalType: 'account', principalId: testApp.admin.user.id },
  })
  const own = await visit(testApp, tom)
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/settings/people/${tom.user.id}`)
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the account of tom?' })
  await expect(dialog).toContainText('1 chat')
  await expect(dialog).toContainText('2 messages')
  await expect(dialog).toContainText('Others lose access to')
  await expect(dialog).not.toContainText('A matter of Tom')
  await look(page, 'person-delete')
  await dialog.getByRole('button', { name: 'Schedule deletion' }).click()
  await expect(page.getByText(/^Scheduled for deletion on/)).toBeVisible()

  await own.goto('/settings/data')
  await expect(own.getByText(/An administrator scheduled this account/)).toBeVisible()
  await expect(own.getByText('requested by an administrator')).toBeVisible()
  const waiting = own.waitForEvent('download')
  await own.getByRole('link', { name: 'Download' }).click()
  expect((await waiting).suggestedFilename()).toMatch(/^atrium-.*\.zip$/)
  await look(own, 'own-data')

  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await expect(page.getByText(/^Scheduled for deletion on/)).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete…' }).click()
  await dialog.getByRole('combobox', { name: 'When' }).selectOption('Now')
  await expect(dialog.getByRole('button', { name: 'Delete now' })).toBeDisabled()

  // Its owner sees what others lose, and can offer it to somebody before.
  const ends = own.locator('#delete')
  await expect(ends.getByText('Others lose access to')).toBeVisible()
  await expect(ends).toContainText('A matter of Tom')
  await ends.scrollIntoViewIfNeeded()
  await look(own, 'own-delete')
  await ends.getByRole('button', { name: 'Hand over what is shared…' }).click()
  await look(own, 'own-hand-over')
  await dialog.getByLabel('Type tom to delete it now').fill('tom')
  await dialog.getByRole('button', { name: 'Delete now' }).click()
  await expect(page).toHaveURL('/settings/people')
  await expect(page.getByRole('row').filter({ hasText: 'tom' })).toHaveCount(0)
})

test('one deletes the own account, with the password', async ({ visit }) => {
  const page = await visit(testApp, await testApp.account('ute'))
  await page.goto('/settings/data')
  await page.getByRole('button', { name: 'Delete my account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(dialog).toContainText(/wrong/)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page).toHaveURL('/sign-in')
  const login = { body: { username: 'ute', password } }
  expect((await createClient(testApp.url).answer(accountsRoutes.login, login)).status).toBe(401)
})

test('people fit a phone, in either direction', onlyInAll, async ({ visit }) => {
  for (const language of ['en', 'ar'] as const) {
    await testApp.admin.api.call(settingsRoutes.update, { body: { language } })
    const page = await visit(testApp, testApp.admin, phone)
    for (const path of ['/settings/people', `/settings/people/${testApp.admin.user.id}`, '/settings/data']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
      await look(page, `phone-${language}${path.replace(/\/[^/]{20,}/, '-one').replaceAll('/', '-')}`, {
        themes: ['light'],
      })
    }
  }
  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'system' } })
})
