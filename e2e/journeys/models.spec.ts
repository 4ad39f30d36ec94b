/** The models of the instance: named, hidden, kept for groups, recommended, and one that new chats start with. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { groupsRoutes } from '@atrium/contract/groups'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

const connect = async (name: string) => {
  const { connection } = await testApp.admin.api.call(connectionsRoutes.quick, {
    body: { name, url: `${testApp.provider.url}/v1/chat/completions`, allowPrivate: true },
  })
  return connection.id
}

test('an administrator finds models, hides several at once, keeps one for a group and sets the default', async ({
  visit,
}) => {
  const { admin } = testApp
  const sharing = { params: { id: await connect('Cloud') }, body: { mode: 'everyone' } } as const
  await admin.api.call(connectionsRoutes.saveSharing, sharing)
  await admin.api.call(groupsRoutes.addGroup, { body: { name: 'Staff' } })
  const ida = await testApp.account('ida')
  const namesOfIda = async () =>
    (await ida.api.call(connectionsRoutes.models, {})).items.map(({ name, providerName }) => `${providerName} ${name}`)

  const page = await visit(testApp, admin)
  await page.goto('/settings/models')
  const list = page.locator('#models-list')
  const row = (name: string) => list.getByRole('listitem', { name, exact: true })
  await expect(row('thinker')).toBeVisible()
  await look(page, 'models')
  await list.getByRole('combobox', { name: 'Provider' }).selectOption('Ollama')
  await expect(row('thinker')).toHaveCount(0)
  await list.getByRole('checkbox', { name: /Select all/ }).check()
  await list.getByRole('button', { name: 'Hide from members' }).click()
  await expect(row('echo:latest')).toContainText('Hidden')
  await expect.poll(namesOfIda).not.toContain('Ollama echo')

  await list.getByRole('combobox', { name: 'Provider' }).selectOption('Cloud')
  const choose = async (model: string, item: string) => {
    await row(model)
      .getByRole('button', { name: `Actions for ${model}` })
      .click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('thinker', 'Who can use it…')
  const dialog = page.getByRole('dialog', { name: 'Who can use thinker' })
  await dialog.getByRole('checkbox', { name: 'Staff' }).check()
  await dialog.getByRole('button', { name: 'Only this group' }).click()
  await expect(row('thinker')).toContainText('1 group')
  await expect.poll(namesOfIda).not.toContain('Cloud thinker')

  await choose('markdown', 'Make default for new chats')
  await expect(row('markdown')).toContainText('Default for new chats')
  await choose('markdown', 'Rename…')
  await page.getByLabel('Display name').fill('The writer')
  await page.keyboard.press('Enter')
  await expect(row('The writer')).toContainText('markdown')
  await expect.poll(namesOfIda).toContain('Cloud The writer')

  const member = await visit(testApp, ida, phone)
  await member.goto('/')
  await expect(member.getByRole('button', { name: 'Model: The writer' })).toBeVisible()
})

test(
  'on a phone a model is found, and the way to its price and its connection is short',
  onlyInAll,
  async ({ visit }) => {
    await connect('Distant')
    const page = await visit(testApp, testApp.admin, phone)
    await page.goto('/settings/models')
    const list = page.locator('#models-list')
    await list.getByRole('searchbox', { name: 'Search models' }).fill('caller')
    await look(page, 'models-phone', { themes: ['dark'] })
    const found = list.getByRole('listitem').filter({ hasText: 'Distant' })
    await expect(found).toHaveCount(1)
    await found.getByRole('button', { name: 'Actions for caller' }).click()
    await page.getByRole('menuitem', { name: 'Set price…' }).click()
    const form = page.getByRole('dialog')
    await expect(form.getByLabel('Model', { exact: true })).toHaveValue('caller')
  },
)
