/** Usage, prices and budgets: for administrators, and one's own. */
import { chatRoutes } from '@atrium/contract/chat'
import { groupsRoutes } from '@atrium/contract/groups'
import { settingsRoutes } from '@atrium/contract/settings'
import { usageRoutes } from '@atrium/contract/usage'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { type Account, local, makeChat, openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { answered, ask, composer } from '../harness/talk.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo', 'markdown'] })

/** Asks over the interface, and waits until the call is counted. */
const askOften = async (who: Account, model: string, times: number): Promise<void> => {
  const before = (await who.api.call(usageRoutes.mine, {})).totals.calls
  const sessionId = await makeChat(who, { model })
  for (let n = 0; n < times; n++)
    await who.api.call(chatRoutes.generate, { params: { sessionId }, body: { message: `Question ${n}` } })
  await expect
    .poll(async () => (await who.api.call(usageRoutes.mine, {})).totals.calls)
    .toBeGreaterThanOrEqual(before + times)
}

/** Three calls of two people, whatever stands from the tests before. */
const someCalls = async (): Promise<void> => {
  if ((await testApp.admin.api.call(usageRoutes.report, {})).totals.calls >= 3) return
  await askOften(testApp.admin, 'echo', 2)
  await askOften(await testApp.account('ben'), 'markdown', 1)
}

test('an empty page says so, and calls appear on it with everything that is known of them', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/usage')
  await expect(page.getByText('No calls in this period')).toBeVisible()
  await look(page, 'usage-empty', { themes: ['light'] })

  await someCalls()
  await page.reload()
  const calls = page.getByRole('definition').filter({ hasText: /^3$/ }).first()
  await expect(calls).toBeVisible()
  await expect(page.getByText('Token counts include only calls whose provider reports them: 3 of 3.')).toBeVisible()
  const models = page.getByRole('region', { name: 'By model' })
  await expect(models.getByRole('row', { name: /echo:latest/ })).toContainText('67%')
  await expect(models.getByRole('row', { name: /echo:latest/ })).toContainText('$0.00')
  await expect(page.getByRole('img', { name: /Calls: 3, highest on/ })).toBeVisible()
  await expect(page.locator('canvas')).toBeVisible()
  await look(page, 'usage', { themes: ['light', 'dark', 'contrast'] })

  // The same as a table, and one more measure.
  await page.getByText('Show as table').click()
  await expect(page.getByRole('region', { name: 'By day' }).last().getByRole('row')).toHaveCount(31)
  await page.getByRole('radio', { name: 'Tokens' }).check()
  await expect(page.getByRole('img', { name: /Tokens: \d/ })).toBeVisible()

  // One day is shown by the hour.
  // What stands in the address is checked once it is there.
  await page.getByRole('radio', { name: '1 day', exact: true }).click()
  await expect(page.getByRole('region', { name: 'By hour' }).first()).toBeVisible()
  await look(page, 'usage-hours', { themes: ['light', 'dark'] })
})

test('filters, spans and own days are in the address and survive a reload', async ({ visit }) => {
  await someCalls()
  const page = await visit(testApp, testApp.admin)
  await page.goto('/usage')
  await page.getByRole('button', { name: 'ben', exact: true }).click()
  await expect(page).toHaveURL(/accountId=/)
  await expect(page.getByRole('region', { name: 'By model' }).getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Account' })).toHaveValue(/.+/)
  await expect(page.getByRole('region', { name: 'By model' }).getByRole('row')).toHaveCount(2)
  await page.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'Failed' })
  await expect(page.getByText('No matching calls')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('radio', { name: '7 days' }).click()
  await expect(page).toHaveURL(/days=7/)
  await page.getByRole('radio', { name: 'Custom' }).click()
  await page.getByLabel('First day').fill('2024-01-01')
  await page.getByLabel('Last day').fill('2024-01-31')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByText('No calls in this period')).toBeVisible()
  await expect(page).toHaveURL(/from=2024-01-01/)
})

test('what is recorded of calls is chosen, and the figures say so', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/usage?tab=policy')
  await page.getByRole('radio', { name: 'Totals' }).click()
  await expect(page.getByText('there is no list of calls')).toBeVisible()
  await look(page, 'usage-policy', { themes: ['light', 'dark'] })
  await page.getByRole('tab', { name: 'Calls' }).click()
  await expect(page.getByText('Only totals are being recorded')).toBeVisible()
  await testApp.admin.api.call(usageRoutes.updatePolicy, { body: { policy: 'full' } })
})

test('the figures can be taken along as CSV', async ({ visit }) => {
  await someCalls()
  const page = await visit(testApp, testApp.admin)
  await page.goto('/usage')
  await page.getByRole('button', { name: 'CSV' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'One row per call' }).click()
  const stream = await (await download).createReadStream()
  let text = ''
  for await (const chunk of stream) text += chunk
  const { totals } = await testApp.admin.api.call(usageRoutes.report, {})
  expect(text.trim().split('\r\n')).toHaveLength(totals.calls + 1)
  expect(text).toContain('ben')
})

test('a price is entered for an own model, and prices the calls since then again', async ({ visit }) => {
  await someCalls()
  const page = await visit(testApp, testApp.admin)
  await page.goto('/usage?tab=prices')
  await look(page, 'usage-prices')
  await page.getByRole('button', { name: 'Add a price' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a price' })
  await dialog.getByLabel('Provider').fill('local')
  await dialog.getByLabel('Model').fill('echo:latest')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter at least one price.')).toBeVisible()
  await dialog.getByLabel('Input', { exact: true }).fill('2.5')
  await dialog.getByLabel('Output').fill('-1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter a number, such as 2.50.')).toBeVisible()
  await dialog.getByLabel('Output').fill('10')
  await look(page, 'usage-price-form', { themes: ['dark'] })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('row', { name: /echo:latest/ })).toContainText('$2.50')
  await page.getByRole('tab', { name: 'Calls' }).click()
  await expect(page.getByRole('region', { name: 'By model' }).getByRole('row', { name: /echo/ })).toContainText('$0.')
})

test('an answer says what it cost, and the gauge what is left', async ({ visit }) => {
  const prices = { inputPerMillion: '500', cachedPerMillion: null, outputPerMillion: '500', unitPrice: null }
  await testApp.admin.api.call(usageRoutes.addTariff, {
    body: { ...prices, providerId: 'local', model: 'echo:latest', effectiveFrom: new Date().toISOString() },
  })
  await testApp.admin.api.call(usageRoutes.addBudget, {
    body: {
      name: 'Each person',
      principalType: 'account',
      principalId: null,
      unit: 'tokens',
      amount: '100000',
      period: 'daily',
      mode: 'warn',
    },
  })
  const sessionId = await makeChat(testApp.admin, { model: 'echo' })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${sessionId}`)
  await ask(page, 'What does this cost?')
  await answered(page)
  await page.getByRole('button', { name: 'About this answer' }).last().click()
  await expect(page.getByText(/^\$0\.\d/)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Context:/ }).click()
  await expect(page.getByText(/The last answer cost \$0\./)).toBeVisible()
  await expect(page.getByText(/Budget “Each person”: [\d,]+ tokens of 100,000 tokens left until/)).toBeVisible()
})

test('a budget is set, blocks with its name and day, and lets go when it is raised', async ({ visit }) => {
  const ben = await testApp.account('carla')
  await askOften(ben, 'echo', 1)
  const page = await visit(testApp, testApp.admin)
  await page.goto('/usage?tab=budgets')
  await page.getByRole('button', { name: 'Add a budget' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a budget' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await dialog.getByLabel('Name').fill('Carla')
  await dialog.getByLabel('Applies to').selectOption({ label: 'Account carla' })
  await dialog.getByLabel('Amount').fill('1')
  await dialog.getByLabel('Unit').selectOption({ label: 'Tokens' })
  await dialog.getByLabel('When used up').selectOption({ label: 'Block' })
  await look(page, 'usage-budget-form', { themes: ['light'] })
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Carla' }) })
  await expect(row.getByText('Used up')).toBeVisible()
  await look(page, 'usage-budgets')

  const theirs = await visit(testApp, ben)
  await theirs.goto('/')
  await expect(theirs.getByText(/Budget “Carla” is used up until/)).toBeVisible()
  await composer(theirs).fill('May I?')
  await expect(theirs.getByRole('button', { name: /Budget|Send/ }).last()).toBeDisabled()
  // Also past the page: the call itself is refused, with the same words.
  const session = await ben.api.call(chatRoutes.create, { body: { selection: local('echo') } })
  const params = { sessionId: session.id }
  await expect(ben.api.call(chatRoutes.generate, { params, body: { message: 'And so?' } })).rejects.toThrow(/“Carla”/)
  await theirs.goto('/settings/usage')
  await expect(theirs.getByRole('listitem').filter({ hasText: 'Carla' })).toContainText('0 tokens of 1 token left')

  await row.getByRole('button', { name: 'Edit Carla' }).click()
  await page.getByRole('dialog').getByLabel('Amount').fill('1000000')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(row.getByText('On track')).toBeVisible()
  await ask(await theirs.goto('/').then(() => theirs), 'Now?')
  await answered(theirs)
  await row.getByRole('button', { name: 'Delete Carla' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
})

test('a group of people is put together, and one budget is for all of them until the group is deleted', async ({
  visit,
}) => {
  const [emil, flora] = [await testApp.account('emil'), await testApp.account('flora')]
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/people')
  const part = page.locator('#groups')
  await expect(part.getByText('No groups yet')).toBeVisible()
  await look(page, 'groups-empty', { themes: ['light'] })

  // By keys alone: a name, the same one again, and who is in it.
  await part.getByRole('button', { name: 'New group' }).press('Enter')
  await page.getByRole('dialog', { name: 'New group' }).getByLabel('Name').press('Enter')
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await page.keyboard.type('Painters')
  await page.keyboard.press('Enter')
  const members = page.getByRole('dialog', { name: 'Members of “Painters”' })
  await expect(members.getByRole('searchbox', { name: 'Search accounts' })).toBeFocused()
  await page.keyboard.type('flo')
  await expect(members.getByRole('checkbox')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(members.getByRole('checkbox', { name: 'flora' })).toBeChecked()
  await look(page, 'group-members')
  await members.getByRole('searchbox').fill('nobody is called so')
  await expect(members.getByText('No matching accounts.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(part.getByRole('listitem').filter({ hasText: 'Painters' })).toContainText('1 member')
  const person = page.locator('#accounts').getByRole('row').filter({ hasText: 'flora' })
  await expect(person.getByRole('list', { name: 'Groups' })).toHaveText('Painters')
  await part.getByRole('button', { name: 'New group' }).click()
  await page.keyboard.type('PAINTERS')
  await page.keyboard.press('Enter')
  await expect(page.getByText('A group with this name already exists.')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/usage?tab=budgets')
  await page.getByRole('button', { name: 'Add a budget' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a budget' })
  await dialog.getByLabel('Name').fill('Paint')
  await dialog.getByLabel('Applies to').selectOption({ label: 'Group Painters' })
  await expect(dialog.getByText('Shared by its members from now on')).toBeVisible()
  await dialog.getByLabel('Amount').fill('1')
  await dialog.getByLabel('Unit').selectOption({ label: 'Tokens' })
  await dialog.getByLabel('When used up').selectOption({ label: 'Block' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Paint' })).toContainText('Group Painters')
  const asking = async (who: Account) => {
    const { id } = await who.api.call(chatRoutes.create, { body: { selection: local('echo') } })
    return await who.api.call(chatRoutes.generate, { params: { sessionId: id }, body: { message: 'May I?' } })
  }
  await expect(asking(flora)).rejects.toThrow(/“Paint”/)
  await asking(emil)

  await page.goto('/settings/people')
  await part.getByRole('button', { name: 'Delete Painters' }).click()
  const asked = page.getByRole('dialog', { name: 'Delete the group “Painters”?' })
  await expect(asked).toContainText('These end: Paint.')
  await look(page, 'group-delete', { themes: ['dark'] })
  await asked.getByRole('button', { name: 'Delete' }).click()
  await expect(part.getByText('No groups yet')).toBeVisible()
  await asking(flora)
  expect((await testApp.admin.api.call(usageRoutes.budgets, {})).items.map(({ name }) => name)).not.toContain('Paint')
})

test('groups fit a phone and read from right to left, with long names too', onlyInAll, async ({ visit }) => {
  const { id } = await testApp.admin.api.call(groupsRoutes.addGroup, {
    body: { name: 'Everybody who paints doors and windows on the ground floor of the house' },
  })
  const params = { id, accountId: testApp.admin.user.id }
  await testApp.admin.api.call(groupsRoutes.addMember, { params })
  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  const page = await visit(testApp, testApp.admin, phone)
  await page.goto('/settings/people')
  const part = page.locator('#groups')
  await expect(part.getByText('عضو واحد')).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await part.getByRole('button', { name: /^حذف/ }).scrollIntoViewIfNeeded()
  await look(page, 'groups-phone-arabic', { themes: ['light'] })
  await part.getByRole('button', { name: /^الأعضاء/ }).click()
  await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'ann' })).toBeChecked()
  await look(page, 'group-members-phone-arabic', { themes: ['dark'] })
  await page.keyboard.press('Escape')
  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'system' } })
  await testApp.admin.api.call(groupsRoutes.removeGroup, { params: { id } })
})

test('everybody sees the own figures, and only administrators the others', async ({ visit }) => {
  const ben = await testApp.account('dora')
  await askOften(ben, 'echo', 1)
  const page = await visit(testApp, ben)
  await page.goto('/settings/usage')
  await expect(page.getByRole('region', { name: 'By model' }).getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Usage of all accounts' })).toBeHidden()
  await look(page, 'usage-mine')
  await expect(
    page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Usage' }),
  ).toBeHidden()
  await page.goto('/usage')
  await expect(page).toHaveURL(/\/settings\/usage/)
  expect(await ben.api.refusal(usageRoutes.report, {})).toMatchObject({ code: 'forbidden' })
  expect(await ben.api.refusal(userAdministrationRoutes.list, {})).toMatchObject({ code: 'forbidden' })
})

test('it fits a phone, reads from right to left, and is found by keys', onlyInAll, async ({ visit }) => {
  await someCalls()
  const small = await visit(testApp, testApp.admin, phone)
  await small.goto('/usage')
  await expect(small.getByRole('region', { name: 'By model' })).toBeVisible()
  expect(await small.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await look(small, 'usage-phone', { themes: ['dark'] })

  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await expect(composer(page)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('spend')
  await page.getByRole('option', { name: 'Usage and costs' }).waitFor()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/usage$/)
  await page.getByRole('tab', { name: 'Calls' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Prices' })).toBeFocused()

  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  await page.goto('/usage')
  await expect(page.getByRole('heading', { name: 'الاستخدام' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'حسب النموذج' })).toBeVisible()
  await look(page, 'usage-arabic', { themes: ['light'] })
  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'system' } })
})
