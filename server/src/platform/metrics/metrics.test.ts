import { expect, test } from 'vitest'
import { defineCounter, defineGauge, defineHistogram, mergeMetrics, mostSeriesOf } from './definition.ts'
import { createMetrics } from './index.ts'

const samples = {
  asks_total: defineCounter('Asks', { labels: { colour: ['red', 'blue'], size: ['s', 'm', 'l'] }, most: 3 }),
  wait_seconds: defineHistogram('Waits', [1, 10]),
  ends_total: defineCounter('Ends', { labels: { end: ['done', 'failed'] } }),
  calls_total: defineCounter('Calls', {
    labels: { route: ['/a', '/b', '/c'], status: ['ok', 'bad'] },
    most: 2,
    folded: ['route'],
  }),
  queue_items: defineGauge('What waits', { labels: { colour: ['red'] } }),
}
const open = async () => {
  const metrics = await createMetrics({
    token: 'a-token-for-metrics',
    prefix: 't_',
    definitions: mergeMetrics([...(await import('./index.ts')).commonMetrics, samples]),
  })
  const lines = async () =>
    (await metrics.text()).body.split('\n').filter((line) => /^t_(asks|calls|ends|wait|queue|scrape)/.test(line))
  return { metrics, lines, figures: metrics.bind(samples) }
}

test('a value that is not in the list, and combinations past the bound, are counted as other', async () => {
  const { figures, lines } = await open()
  figures.asks_total({ colour: 'red', size: 's' })
  for (let i = 0; i < 1000; i += 1) figures.asks_total({ colour: `made-up-${i}`, size: 's' })
  for (const size of ['m', 'l', '__proto__']) figures.asks_total({ colour: 'blue', size })
  expect((await lines()).filter((line) => line.startsWith('t_asks'))).toEqual([
    't_asks_total{colour="red",size="s"} 1',
    't_asks_total{colour="other",size="s"} 1000',
    't_asks_total{colour="blue",size="m"} 1',
    't_asks_total{colour="other",size="other"} 2',
  ])
  expect(mostSeriesOf(samples.asks_total)).toBe(4)
  expect(mostSeriesOf(samples.wait_seconds)).toBe(5)
})

test('past the bound only the labels that may fold do, so that what fails still counts as such', async () => {
  const { figures, lines } = await open()
  for (const route of ['/a', '/b', '/c']) for (const status of ['ok', 'bad']) figures.calls_total({ route, status })
  figures.calls_total({ route: '/a', status: 'ok' })
  expect((await lines()).filter((line) => line.startsWith('t_calls'))).toEqual([
    't_calls_total{route="/a",status="ok"} 2',
    't_calls_total{route="/a",status="bad"} 1',
    't_calls_total{route="other",status="ok"} 2',
    't_calls_total{route="other",status="bad"} 2',
  ])
  expect(mostSeriesOf(samples.calls_total)).toBe(5)
})

test('gauges are what was read for this scrape, and what cannot be read is left out and counted', async () => {
  const { metrics, figures, lines } = await open()
  let reads = 0
  metrics.onScrape(() => {
    reads += 1
    if (reads === 2) throw new Error('The database is away.')
    figures.queue_items({ colour: 'red' }, 7)
  })
  expect(await lines()).toContain('t_queue_items{colour="red"} 7')
  const [, second] = [await lines(), await lines()]
  expect(reads).toBe(3)
  expect(second).toContain('t_scrape_failures_total 1')
  expect(second).toContain('t_queue_items{colour="red"} 7')
})

test('a counter with few series tells them from 0 on, so that the first step of each is an increase', async () => {
  const { figures, lines } = await open()
  const ends = async () => (await lines()).filter((line) => line.startsWith('t_ends'))
  expect(await ends()).toEqual(['t_ends_total{end="done"} 0', 't_ends_total{end="failed"} 0'])
  figures.ends_total({ end: 'failed' })
  expect(await ends()).toEqual(['t_ends_total{end="done"} 0', 't_ends_total{end="failed"} 1'])
})

test('a metric that nobody listed, or that two have listed, stops the start', async () => {
  const { metrics } = await open()
  expect(() => metrics.bind({ secret_total: defineCounter('Secrets') })).toThrow('not in the list')
  expect(() => mergeMetrics([samples, samples])).toThrow('The metric asks_total is there twice.')
})
