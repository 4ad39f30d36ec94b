/** Connections of administrators for everybody, for groups or for one: who has them, and what a member sees of them. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { groupsRoutes } from '@atrium/contract/groups'
import { openTestApp } from '../harness/test-app.ts'
import { followsAccount } from '../harness/live.ts'
import { look } from '../harness/look.ts'
import { notice, watchFor } from '../harness/notices.ts'
import { answered, ask, lastMessage, saved } from '../harness/talk.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

const testApp = openTestApp({ runtime: false })

const connect = async (name: string) => {
  const { connection } = await testApp.admin.api.call(connectionsRoutes.quick, {
    body: { name, url: `${testApp.provider.url}/v1/chat/completions`, allowPrivate: true },
  })
  return connection.id
}

test('a member asks at once with a connection that an administrator gave to everyone', async ({ visit }) => {
  const id = await connect('Our server')
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/settings/connections/${id}`)
  const sharing = page.locator('#sharing')
  await expect(sharing.getByRole('radio', { name: 'Anyone who adds it' })).toBeChecked()
  const told = await watchFor(page, 'Saved')
  await sharing.getByText('Everyone', { exact: true }).click()
  await told()
  await expect(sharing).toContainText('On for every account')
  await look(page, 'connection-sharing')

  const mia = await testApp.account('mia')
  const member = await visit(testApp, mia)
  await member.goto('/')
  await ask(member, 'Who pays for this?')
  await answered(member)
  await expect(lastMessage(member)).toContainText('You said: Who pays for this?')
  await member.goto('/settings/connections')
  const card = member.getByRole('article', { name: 'Our server' })
  await expect(card).toContainText('From your administrator')
  await look(member, 'connections-member', { themes: ['dark'] })
  const off = saved(member, '/api/plugins/deactivate')
  await card.getByRole('switch', { name: 'Use Our server' }).click()
  await expect(card.getByRole('switch', { name: 'Use Our server' })).not.toBeChecked()
  await off
  await member.reload()
  await expect(card.getByRole('switch', { name: 'Use Our server' })).not.toBeChecked()
})

test('a connection for a group appears with the membership and goes with it', onlyInAll, async ({ visit }) => {
  const id = await connect('Staff server')
  const { admin } = testApp
  const staff = await admin.api.call(groupsRoutes.addGroup, { body: { name: 'Staff' } })
  const page = await visit(testApp, admin, phone)
  await page.goto(`/settings/connections/${id}`)
  const sharing = page.locator('#sharing')
  await sharing.getByText('Groups', { exact: true }).click()
  await expect(sharing).toContainText('Choose at least one group. Nothing changes until you do.')
  const told = await watchFor(page, 'Saved')
  await sharing.getByRole('checkbox', { name: 'Staff' }).check()
  await told()
  await look(page, 'connection-groups', { themes: ['light'] })

  const nils = await testApp.account('nils')
  const member = await visit(testApp, nils)
  await member.goto('/settings/connections')
  await expect(member.getByRole('heading', { name: 'Your connections' })).toBeVisible()
  const card = member.getByRole('article', { name: 'Staff server' })
  await expect(card).toHaveCount(0)
  const params = { id: staff.id, accountId: nils.user.id }
  await admin.api.call(groupsRoutes.addMember, { params })
  await expect(card).toBeVisible()
  await admin.api.call(groupsRoutes.removeMember, { params })
  await expect(card).toHaveCount(0)
})

test('a shared key is kept for a provider that comes with Atrium, and never shown', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/connections/groq')
  const key = page.locator('#sharing-key')
  await expect(key).toContainText('No shared key')
  await key.getByLabel('Shared API key', { exact: true }).fill('sk-for-everybody-4242')
  await key.getByRole('button', { name: 'Save key' }).press('Enter')
  await expect(key).toContainText('The key ending in 4242')
  await expect(key).toContainText('Nobody has this connection through you yet')
  await expect(page.getByText('sk-for-everybody')).toHaveCount(0)
  await look(page, 'connection-shared-key')
  await key.getByRole('button', { name: 'Delete key' }).click()
  await expect(key).toContainText('No shared key')
})

test('a member without a model sees whom to ask, and the administrator who answers sees who waits', async ({
  visit,
}) => {
  const { admin } = testApp
  for (const { id } of (await admin.api.call(connectionsRoutes.connections, {})).items)
    await admin.api.call(connectionsRoutes.remove, { params: { id } })
  const tove = await testApp.account('tove')
  const page = await visit(testApp, admin)
  const listening = followsAccount(page)
  await page.goto('/')
  await listening
  const member = await visit(testApp, tove, phone)
  await member.goto('/')
  const card = member.getByRole('region', { name: 'No model connected' })
  await expect(card).toContainText('can connect one for you')
  await expect(member.getByRole('list', { name: 'Suggestions' })).toHaveCount(0)
  await card.getByRole('button', { name: 'Ask for a model' }).click()
  await expect(card).toContainText('Asked')
  await look(member, 'no-model', { themes: ['dark'] })

  const news = notice(page, 'tove is asking for a model.')
  await news.getByRole('button', { name: 'Review', exact: true }).click()
  const waiting = page.getByRole('region', { name: 'People waiting for a model' })
  await expect(waiting).toContainText('tove')
  await look(page, 'model-requests', { themes: ['light'] })
  const id = await connect('For all')
  await admin.api.call(connectionsRoutes.saveSharing, { params: { id }, body: { mode: 'everyone' } })
  await expect(waiting).toHaveCount(0)
  await expect(card).toHaveCount(0)
  await expect(member.getByRole('button', { name: /^Model: echo/ })).toBeVisible()
})
