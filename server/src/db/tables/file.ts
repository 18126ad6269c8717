// Generated from the migrated schema by `npm run tables`; its comments are those of the database.

export type FileTables = {
  /** What a member may take as a file without a session, once. A newer link of the member takes its place. */
  file_link: {
    /** Whose file it is; one link for each member. */
    member_id: bigint
    /** SHA-256 of the token. */
    token_hash: Buffer
    /** statement: a CSV of entries. proof: what the member is owed, with its place in the tree. */
    file: 'statement' | 'proof'
    /** Which lines of the statement, as the fields of a form; with the place of the piece that comes next. */
    query: string
    /** Language of the file's words. */
    lang: string
    /** Not valid from then on. */
    expires_at: Date
  }
}
