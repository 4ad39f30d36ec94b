/**
 * `npm run metrics-docs`: writes `docs/metrics.md`, what `/metrics` tells. `--check` writes nothing and fails where the
 * page is not what the code says.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { listMetrics, metricPrefix, mostSeries } from '../server/src/app/metrics.ts'
import type { LabelValues } from '../server/src/platform/metrics/definition.ts'

const file = new URL('../docs/metrics.md', import.meta.url)

const head = `# Metrics

<!-- written by \`npm run metrics-docs\` from the list in the code -->

With \`METRICS_TOKEN\` set, \`GET /metrics\` returns these metrics in Prometheus text format to anyone who sends the token as a
bearer token; without it, nothing is counted. Each process reports its own metrics: scrape all of them. Metrics of the
instance as a whole (jobs, documents, e-mails, the database) are the same in all processes, so use their \`max\`, not their \`sum\`.

\`\`\`yaml
scrape_configs:
  - job_name: atrium
    authorization: { credentials: the value of METRICS_TOKEN }
    static_configs: [{ targets: ['atrium.example:3001'] }]
\`\`\`

A Grafana dashboard is in \`deploy/grafana/atrium.json\` (import the file and choose the data source); alert rules are in
\`deploy/prometheus/alerts.yml\`. Both expect a scrape job called \`atrium\`, or let you choose another one.

Times are in seconds and sizes in bytes. Labels have fixed lists of values and contain no ids, no names and nothing that a
user wrote; anything else is counted as \`other\`. Each process has at most ${mostSeries.toLocaleString('en')} series in total.

| Metric | Kind | Unit | Meaning | Labels |
|---|---|---|---|---|
`

const textOf = ({ about, values }: LabelValues): string => {
  return about ?? values.map((value) => `\`${value}\``).join(', ')
}

const write = (): string => {
  const all = Object.entries(listMetrics()).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const rows = all.map(([name, { kind, unit, help, labels }]) => {
    const told = Object.entries<LabelValues>(labels).map(([label, set]) => `\`${label}\`: ${textOf(set)}`)
    return `| \`${metricPrefix}${name}\` | ${kind} | ${unit} | ${help} | ${told.join('; ')} |\n`
  })
  return head + rows.join('')
}

if (!process.argv.includes('--check')) writeFileSync(file, write())
else if (readFileSync(file, 'utf8') !== write()) {
  console.error('docs/metrics.md is not what the code says. Run `npm run metrics-docs` and commit it.')
  process.exitCode = 1
}
