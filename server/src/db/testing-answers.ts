import {
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PostgresQueryCompiler,
  type QueryResult,
  type UnknownRow,
} from 'kysely'
import type { Database } from './open.ts'

type Rows = readonly UnknownRow[]

/**
 * The same database, in which a test answers some statements: those with this text in their SQL. `answer` gets what the database
 * has answered.
 */
export const withAnswers = (
  db: Database,
  text: string,
  answer: (rows: Rows, db: Database) => Rows | Promise<Rows>,
): Database => db.withPlugin(new Answers(db, text, answer))

class Answers implements KyselyPlugin {
  readonly #asked = new WeakSet<object>()
  readonly #compiler = new PostgresQueryCompiler()
  private readonly db: Database
  private readonly text: string
  private readonly answer: Parameters<typeof withAnswers>[2]

  constructor(db: Database, text: string, answer: Parameters<typeof withAnswers>[2]) {
    this.db = db
    this.text = text
    this.answer = answer
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): PluginTransformQueryArgs['node'] {
    if (this.#compiler.compileQuery(node, queryId).sql.includes(this.text)) this.#asked.add(queryId)
    return node
  }

  async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    if (!this.#asked.has(queryId)) return result
    return { ...result, rows: [...(await this.answer(result.rows, this.db))] }
  }
}
