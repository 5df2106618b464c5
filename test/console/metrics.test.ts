import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { holdBack, sharedConsole } from './console-page.ts'

const traceId = '5b8efff798038103d269b633813fc60c'

/** The explorer of metrics. The numbers are those of "It is good when" in the console's design. */
describeInChromium('metrics', () => {
  const { test, open, ask } = sharedConsole()

  beforeAll(async () => {
    const minute = Math.floor(Date.now() / 60_000) * 60_000
    const at = (minutesAgo: number) => String(BigInt(minute - minutesAgo * 60_000) * 1_000_000n)
    const attributes = (route: string) => [{ key: 'http.route', value: { stringValue: route } }]
    // One request a second on /cart, two on /orders, and ten minutes in between without any point.
    const requests = (route: string, perMinute: number) =>
      [...[40, 39, 38, 37, 36, 35], ...[24, 23, 22, 21, 20]].map((minutesAgo) => ({
        attributes: attributes(route),
        startTimeUnixNano: at(41),
        timeUnixNano: at(minutesAgo),
        asInt: String((41 - minutesAgo) * perMinute),
      }))
    const exemplars = [{ traceId, spanId: 'eee19b7ec3c1b174', timeUnixNano: at(20), asDouble: 0.5 }]
    const metrics = [
      {
        name: 'http.server.requests',
        unit: '{request}',
        description: 'Requests answered',
        sum: {
          dataPoints: [...requests('/cart', 60), ...requests('/orders', 120)],
          aggregationTemporality: 2,
          isMonotonic: true,
        },
      },
      {
        name: 'process.memory.usage',
        unit: 'By',
        gauge: { dataPoints: [{ timeUnixNano: at(20), asInt: '3221225472', exemplars }] },
      },
    ]
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'storefront' } }] }
    await test.app.sendMetrics({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] })
  })

  it('3, 19: a metric is found and opened from the catalog, which axe accepts in both themes', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, expectAccessible, picture } = await test.open({ theme, path: '/explore/metrics' })
      await page.getByRole('link', { name: 'http.server.requests' }).waitFor()
      await expectAccessible()
      await picture(`metrics-catalog-${theme}`)
      await page.getByRole('searchbox', { name: 'Find a metric' }).fill('answered')
      await page.getByRole('heading', { name: '1 metric of 2' }).waitFor()
      expect(page.url()).toContain('q=answered')
      await page.getByRole('link', { name: 'http.server.requests' }).click()
      await page.getByRole('slider', { name: /^http\.server\.requests/ }).waitFor()
      await expectAccessible()
      await picture(`metrics-chart-${theme}`)
      await context.close()
    }
  })

  it('3: a metric that was found by the name of a service shows its series of that service', async () => {
    const { page } = await open({ path: '/explore/metrics?q=storefront' })
    await page.getByRole('link', { name: 'http.server.requests' }).click()
    await expect.poll(() => page.title()).toBe('Metrics / http.server.requests · Tracefold')
    const value = page.getByRole('combobox', { name: 'Condition 1: value' })
    expect(await value.inputValue()).toBe('storefront')
    await page.getByRole('slider', { name: /^http\.server\.requests/ }).waitFor()
    // The link above leads back to the metrics of the service, and a part of a name is no condition.
    await page.locator('h1').getByRole('link', { name: 'Metrics' }).click()
    await page.getByRole('searchbox', { name: 'Find a metric' }).fill('storefr')
    await page.getByRole('link', { name: 'process.memory.usage' }).click()
    await page.getByRole('button', { name: 'Add condition' }).waitFor()
    expect(await value.count()).toBe(0)
  })

  it('18: gaps stay gaps, units and zone are shown, arrows read values, and a table is behind the chart', async () => {
    const { page, picture, expectAccessible } = await open({ path: '/explore/metrics?metric=http.server.requests' })
    const chart = page.getByRole('slider', { name: /^http\.server\.requests/ })
    await chart.waitFor()
    const figure = page.getByRole('figure', { name: 'http.server.requests' })
    expect(await figure.locator('figcaption').textContent()).toMatch(/request\/s.*UTC/)
    await chart.focus()
    await page.keyboard.press('End')
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/rate per second no data/)
    await page.getByRole('radio', { name: 'Table' }).click()
    const table = page.getByRole('region', { name: 'http.server.requests as a table' })
    await table.waitFor()
    const cells = await table.locator('tbody td:nth-child(2)').allTextContents()
    const rates = cells.map((cell) => (cell === 'no data' ? 'gap' : cell))
    expect(new Set(rates)).toEqual(new Set(['gap', '3/s']))
    // Values, then at least ten minutes without any, then values again.
    expect(rates.join(' ')).toMatch(/3\/s( gap){10} 3\/s/)
    expect(page.url()).toContain('show=table')
    expect(await page.locator('main').getByText('Table', { exact: true }).count()).toBe(1)
    await expectAccessible()
    await picture('metrics-table')
  })

  it('3, 11: conditions, aggregation and groups are in the address, and a fault stands at its condition', async () => {
    const { page, picture } = await open({ path: '/explore/metrics?metric=http.server.requests' })
    await page.getByRole('combobox', { name: 'Attribute to group by' }).fill('http.route')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Group', exact: true }).click()
    const legend = page.locator('.plot-legend')
    await expect.poll(() => legend.textContent()).toContain('/orders')
    await expect.poll(() => legend.textContent()).toContain('/cart')
    await picture('metrics-groups')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill('http.route')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Condition 1: operator' }).click()
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([
        ...['equals', '≠', 'contains', '!contains', 'starts with', 'ends with', 'matches'],
        ...['is greater than', 'is at least', 'is less than', 'is at most', 'exists', 'is absent'],
      ])
    await page.getByRole('option', { name: 'is absent' }).click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Condition 1: value' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Condition 1: operator' }).click()
    await page.getByRole('option', { name: 'equals', exact: true }).click()
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('/cart')
    await page.keyboard.press('Tab')
    await expect.poll(() => legend.textContent()).not.toContain('/orders')
    await page.reload()
    await expect.poll(() => legend.textContent()).toContain('/cart')
    expect(await legend.textContent()).not.toContain('/orders')
    const broken = encodeURIComponent(
      JSON.stringify([{ attribute_key: 'http.route', operator: 'matches', value: '(' }]),
    )
    await page.goto(`${test.app.url}/explore/metrics?metric=http.server.requests&conditions=${broken}`)
    await page.locator('.row .row-fault').waitFor()
    await picture('metrics-fault')
  })

  it('5: keys and values of series are suggested in whatever case they are typed', async () => {
    const { page } = await open({ path: '/explore/metrics?metric=http.server.requests' })
    await page.getByRole('button', { name: 'Add condition' }).click()
    const options = page.getByRole('option')
    const key = page.getByRole('combobox', { name: 'Condition 1: attribute' })
    await key.fill('HTTP')
    await expect.poll(() => options.allTextContents()).toEqual(['http.routepoint attribute'])
    await key.fill('http.route')
    await page.keyboard.press('Tab')
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('ORD')
    await expect.poll(() => options.locator('.mono').allTextContents()).toEqual(['/orders'])
    const points = await ask<{ items: object[] }>('POST', '/metrics/points/search', {
      metric: 'http.server.requests',
      conditions: [{ attribute_key: 'http.route', operator: 'eq', value: '/orders' }],
      limit: 200,
    })
    expect(await options.locator('small').allTextContents()).toEqual([`${points.items.length} points`])
  })

  it('10: an empty answer says which condition excludes everything, and when there are points', async () => {
    const conditions = [
      { attribute_key: 'http.route', operator: 'exists' },
      { attribute_key: 'http.route', operator: 'eq', value: '/nowhere' },
    ]
    const metric = '/explore/metrics?metric=http.server.requests'
    const sent = `&conditions=${encodeURIComponent(JSON.stringify(conditions))}`
    const { page, picture, expectAccessible } = await open({ path: metric + sent })
    await page.getByText('No point of this metric matches.').waitFor()
    await page.getByText('Without condition 2 (http.route) there are points.').waitFor()
    expect(await page.getByText('Without condition 1').count()).toBe(0)
    await expectAccessible()
    await picture('metrics-empty')
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByRole('slider', { name: /^http\.server\.requests/ }).waitFor()
    await page.goto(`${test.app.url}${metric}&last=5m&show=points`)
    await page.getByText('In the last hour there are points.').waitFor()
    await page.getByRole('button', { name: 'Widen the time range' }).click()
    await page.getByRole('region', { name: 'Points' }).waitFor()
  })

  it('18: until values are aggregated in another way, they have the name that they were read with', async () => {
    const { page } = await open({ path: '/explore/metrics?metric=process.memory.usage' })
    const line = page.locator('.plot-name')
    await expect.poll(() => line.allTextContents()).toEqual(['average'])
    const answer = await holdBack(page, '**/api/v1/metrics/query')
    const isRequested = page.waitForRequest('**/api/v1/metrics/query')
    await page.getByRole('button', { name: 'Aggregation' }).click()
    await page.getByRole('option', { name: 'count', exact: true }).click()
    await isRequested
    expect(await line.allTextContents()).toEqual(['average'])
    answer()
    await expect.poll(() => line.allTextContents()).toEqual(['count'])
  })

  it('18: dragging over the chart zooms into that part of the time', async () => {
    const { page } = await open({ path: '/explore/metrics?metric=http.server.requests' })
    const chart = page.getByRole('slider', { name: /^http\.server\.requests/ })
    await chart.locator('.u-over').waitFor()
    const box = await chart.locator('.u-over').boundingBox()
    if (box === null) throw new Error('the chart is not shown')
    await page.mouse.move(box.x + box.width * 0.3, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, box.y + 40, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => page.url()).toMatch(/from=.*to=/)
    const { searchParams } = new URL(page.url())
    const [from, to] = ['from', 'to'].map((name) => Date.parse((searchParams.get(name) ?? '').replaceAll('"', '')))
    expect(Number(to) - Number(from)).toBeGreaterThan(20 * 60_000)
    expect(Number(to) - Number(from)).toBeLessThan(28 * 60_000)
  })

  it('an exemplar leads from a point to its message, for viewers too; restricted callers see no metrics', async () => {
    const path = '/explore/metrics?metric=process.memory.usage&show=points'
    const restricted = await test.open({ role: 'restricted', path })
    await restricted.page.getByText('Metrics are not visible to the role restricted.').waitFor()
    expect(restricted.faults).toEqual([])
    await restricted.context.close()
    const { page, picture, expectAccessible } = await open({ role: 'viewer', path })
    await page.getByRole('cell', { name: '3 GiB' }).waitFor()
    await expectAccessible()
    await picture('metrics-points')
    await page.getByRole('link', { name: `${traceId.slice(0, 8)} (0.5 B)` }).click()
    await expect.poll(() => page.url()).toContain(`/messages/${traceId}?span=eee19b7ec3c1b174`)
  })

  it('19: points without exemplars are reached by keys where their table is wider than the window', async () => {
    const path = '/explore/metrics?metric=http.server.requests&show=points'
    const { page, expectAccessible } = await open({ width: 390, path })
    await page.getByRole('cell', { name: 'http.route=/cart' }).first().waitFor()
    await expectAccessible()
  })
})
