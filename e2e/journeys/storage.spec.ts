/** What takes room: seen by kind and by size, deleted, and limited by an administrator. */
import { chatRoutes } from '@atrium/contract/chat'
import { look } from '../harness/look.ts'
import { watchFor } from '../harness/notices.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

test('a large document or an unsent attachment is found among what takes room, and its room is free once it is gone for good', async ({
  visit,
}) => {
  const ben = await testApp.account('ben')
  const form = new FormData()
  form.append('document', new Blob(['plan '.repeat(40_000)], { type: 'text/markdown' }), 'plan.md')
  const answer = await ben.api.raw('/api/documents/upload', { method: 'POST', body: form })
  expect(answer.ok).toBe(true)
  await ben.api.call(chatRoutes.attach, {
    query: { name: 'unsent.txt' },
    file: new Blob(['x'.repeat(100_000)], { type: 'text/plain' }),
  })
  const page = await visit(testApp, ben, phone)
  await page.goto('/settings/storage')
  await expect(page.getByText('300 kB of 10 GB used')).toBeVisible()
  await look(page, 'storage-phone')
  await page.getByRole('button', { name: 'Delete unsent.txt permanently' }).click()
  await expect(page.getByText('200 kB of 10 GB used')).toBeVisible()
  await page.getByRole('button', { name: 'Move plan.md to trash' }).click()
  await page.getByRole('button', { name: 'Delete plan.md permanently' }).click()
  await expect(page.getByText('0 bytes of 10 GB used')).toBeVisible()
  await expect(page.getByText('No files yet.')).toBeVisible()
})

test('an administrator says how much each person may keep, and sees who keeps most', async ({ visit }) => {
  const cleo = await testApp.account('cleo')
  const send = () => {
    const form = new FormData()
    form.append(
      'document',
      new Blob([`${Math.random()} ${'x'.repeat(700_000)}`], { type: 'text/markdown' }),
      'large.md',
    )
    return cleo.api.raw('/api/documents/upload', { method: 'POST', body: form })
  }
  expect((await send()).ok).toBe(true)
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/account-storage')
  await expect(page.getByRole('list', { name: 'Highest usage' })).toContainText('cleo700 kB')
  const limit = page.getByLabel('Limit per person (GB)')
  await expect(limit).toHaveValue('10')
  await limit.fill('much')
  await limit.press('Enter')
  await expect(page.getByText('Enter a number, such as')).toBeVisible()
  await limit.fill('0.001')
  const told = await watchFor(page, 'Saved')
  await limit.press('Enter')
  await told()
  await look(page, 'account-storage')
  const refused = await send()
  expect(await refused.json()).toMatchObject({ code: 'quota_full', detail: expect.stringContaining('of 1.0 MB') })
})
