import { expect, test } from 'vitest'
import { createMetrics } from './index.ts'

test('however many methods and routes are asked for, the figures stay few', async () => {
  const metrics = await createMetrics({ token: 'a-token-for-metrics', prefix: 't_' })
  const answer = { status: 200, durationMs: 1, stream: false }
  for (let i = 0; i < 5000; i += 1) metrics.answered({ ...answer, method: `M${i}`, route: '/api/things' })
  for (let i = 0; i < 5000; i += 1) metrics.answered({ ...answer, method: 'GET', route: `/made/up/${i}` })
  const { body } = await metrics.text()
  const counted = body.split('\n').filter((line) => line.startsWith('t_http_requests_total{'))
  expect(counted).toContain('t_http_requests_total{method="other",route="/api/things",status="200"} 5000')
  expect(counted).toContain('t_http_requests_total{method="other",route="other",status="200"} 4401')
  expect(counted.length).toBeLessThanOrEqual(602)
})
