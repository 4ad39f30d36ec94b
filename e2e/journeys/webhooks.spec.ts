/** Webhooks: created, tested and looked through on their page. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { settingsRoutes } from '@atrium/contract/settings'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ models: ['echo'] })

/** A program that is told. */
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200).end('thank you'))
})
test.beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)))
test.afterAll(() => void receiver.close())

test('a webhook is created, its secret shown once, and a test shows what came back', async ({ visit }) => {
  const place = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  await testApp.admin.api.call(settingsRoutes.updateInstance, { body: { privateAddresses: [place] } })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/webhooks')
  await page.getByRole('button', { name: 'New webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New webhook' })
  await form.getByRole('button', { name: 'Create webhook' }).click()
  await expect(form.getByText('Enter a name.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name' }).fill('Home')
  await form.getByRole('textbox', { name: 'Address' }).fill(`http://${place}/hook`)
  await form.getByRole('checkbox', { name: 'All events' }).uncheck()
  await form.getByRole('checkbox', { name: 'Shared with me' }).check()
  await look(page, 'webhook-form', { themes: ['light', 'dark'] })
  await form.getByRole('button', { name: 'Create webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'The secret of “Home”' })
  await expect(shown.getByText(/^whsec_/)).toBeVisible()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await look(page, 'webhooks', { themes: ['light', 'dark'] })
  await page.getByRole('button', { name: 'Test Home' }).click()
  const tried = page.getByRole('dialog', { name: 'Test “Home”' })
  await expect(tried.getByText('Answered with 200')).toBeVisible()
  await expect(tried.getByText('thank you')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for Home' }).click()
  await page.getByRole('menuitem', { name: 'Deliveries' }).click()
  await expect(page.getByText('Nothing has been sent yet.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for Home' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
})
