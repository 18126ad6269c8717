// Generated from the migrated schema by `npm run tables`; its comments are those of the database.

export type FileTables = {
  /** What a member may take as a file without a session, once. A newer link of the member takes its place. */
  file_link: {
    member_id: bigint
    /** SHA-256 of the token. */
    token_hash: Buffer
    file: 'statement' | 'proof'
    /** Which lines of the statement, as the fields of a form; with the place of the piece that comes next. */
    query: string
    lang: 'zh' | 'tw' | 'en'
    expires_at: Date
  }
}
