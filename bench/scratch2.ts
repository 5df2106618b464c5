import { loadWorstCase } from './dataset.ts'
import { startBenchServer } from './bench-server.ts'
import { openQuestions } from './questions.ts'
const server = await startBenchServer()
const spans = Number(process.argv[2] ?? 300000)
const t0 = performance.now()
await loadWorstCase({ server, spans, seed: 1, runs: 1, progress: () => ({ update() {}, stop() {} }) } as never, 'o')
console.log('loaded', ((performance.now() - t0) / 1000).toFixed(1), 's')
const q = async (text: string) => (await server.clickhouse.read<any>({ text, params: {} }, { for: 'system', label: 'x' })).rows
console.log(JSON.stringify(await q("SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS b, sum(bytes_on_disk)/" + spans + " AS per FROM system.parts WHERE active AND database=currentDatabase() GROUP BY table")))
console.log(JSON.stringify(await q("SELECT table, column, sum(column_data_compressed_bytes)/" + spans + " AS per FROM system.parts_columns WHERE active AND database=currentDatabase() AND table='value_index' GROUP BY table, column")))
console.log(JSON.stringify(await q("SELECT countIf(is_indexed=0) AS un FROM spans")))
const api = await server.api('o')
const { searches } = await openQuestions(api)
const med = (a: number[]) => a.sort((x, y) => x - y)[Math.floor(a.length / 2)]!.toFixed(1)
const m = async (name: string, f: (i: number) => Promise<any>, n = 15) => {
  for (let i = 0; i < 3; i++) await f(i)
  const a: number[] = []
  for (let i = 0; i < n; i++) { const t = performance.now(); await f(i); a.push(performance.now() - t) }
  const reads = await server.readsOf(() => f(1))
  console.log(name.padEnd(40), med(a), 'ms', 'min', Math.min(...a).toFixed(1), JSON.stringify(reads))
}
for (const name of ['one trace in 10,000', 'nothing found', 'any'] as const) {
  const r = await api.post<any>('/messages/search', searches[name])
  console.log(name, r.messages.length, JSON.stringify(await api.post('/messages/count', searches[name])))
  await m(name + ' page', () => api.post('/messages/search', searches[name]))
  await m(name + ' count', () => api.post('/messages/count', searches[name]))
}
const { messages } = await api.post<any>('/messages/search', searches.any)
await m('trace by id', (i) => api.get(`/messages/${messages[i % messages.length].trace_id}`))
await server.close()
