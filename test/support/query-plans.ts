import { type Compilable, sql } from 'kysely'
import type { Metadata } from '../../server/metadata/database.ts'

/** Returns the plan of each SELECT and UPDATE that `work` sends, as text. */
export async function plansOf({ db, kind }: Metadata, work: (metadata: Pick<Metadata, 'db'>) => Promise<unknown>) {
  const queries: Compilable[] = []
  const watched = db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'SelectQueryNode' || node.kind === 'UpdateQueryNode')
        queries.push({ compile: () => db.getExecutor().compileQuery(node, { queryId: 'plan' }) } as Compilable)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await work({ db: watched })
  const explain = sql.raw(kind === 'postgres' ? 'EXPLAIN ' : 'EXPLAIN QUERY PLAN ')
  const plans = queries.map(async (query) => {
    const { rows } = await db.executeQuery(prefixed(explain.compile(db).sql, query.compile()))
    return rows.map((row) => Object.values(row as object).join(' ')).join('\n')
  })
  return Promise.all(plans)
}

/** Explains the condition of an UPDATE as that of a SELECT, because libsql does not end an explained UPDATE. */
function prefixed(prefix: string, query: ReturnType<Compilable['compile']>) {
  const [, table, assigned = '', condition] = /^update (\S+) set (.*?) where (.*)$/.exec(query.sql) ?? []
  if (table === undefined) return { ...query, sql: prefix + query.sql }
  const parameters = query.parameters.slice(assigned.split('?').length - 1)
  return { ...query, parameters, sql: `${prefix}select 1 from ${table} where ${condition?.split(' returning ')[0]}` }
}
