/** Agents on the server: allowed by an administrator, picked for a chat, asked, given permission, and stopped. */
import { agentEnvironment } from '../../server/src/testing/agents/environment.ts'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ runtime: false, environment: agentEnvironment })

test('an agent is offered, answers, asks for permission, and is stopped', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/connections#agents')
  const agents = page.locator('#agents')
  await agents.getByRole('switch', { name: 'Offer agents' }).click()
  await expect(agents.getByRole('listitem').filter({ hasText: 'The tester' })).toContainText('acp-agent 1.2.3')
  await look(page, 'agents-settings', { themes: ['light'] })

  await page.goto('/')
  await page.getByRole('button', { name: /^Model: |^Choose a model/ }).click()
  await expect(page.getByText('Agents on the server')).toBeVisible()
  await page.getByRole('combobox', { name: 'Search by name, id or provider' }).fill('tester')
  await page
    .getByRole('row', { name: /^The tester/ })
    .first()
    .click()

  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('edit the file')
  await box.press('Enter')
  const question = page.getByRole('group', { name: 'Allow this? Edit notes.txt' })
  await expect(question).toBeVisible()
  await expect(page.getByText('Plan: 0 of 1')).toBeVisible()
  await expect(page.getByRole('img', { name: 'needs your answer' })).toBeVisible()
  await look(page, 'agents-approval')
  await question.getByRole('button', { name: 'Allow once' }).focus()
  await page.keyboard.press('a')
  await expect(page.getByText('The line is there.')).toBeVisible()
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('img', { name: 'needs your answer' })).toHaveCount(0)
  await page.getByRole('button', { name: '1 step', exact: true }).click()
  await page.getByRole('button', { name: /^Edit notes.txt/ }).click()
  await expect(page.getByText('One line was added.')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await look(page, 'agents-answer', { themes: ['light'] })

  await box.fill('say nothing')
  await box.press('Enter')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Stopped by you. The text so far is kept.')).toBeVisible()
})
